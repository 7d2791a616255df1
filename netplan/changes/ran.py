"""Running configurations as given: files named after switches, and what they say of themselves."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from netplan.importing.switch_forms import FORMS, HEAD
from netplan.load import InputError, read_text
from netplan.model.nos import NosProfile
from netplan.model.site import SiteSwitch
from netplan.reading.printed import printed

_HOSTNAME = re.compile(
    r"^(?:hostname|sysname) ([\w.-]+)$|\"localhost\"\s*:\s*\{[^{}]*?\"hostname\"\s*:\s*\"([\w.-]+)\"",
    re.MULTILINE,
)
"""Of OS10, Comware and VRP, and in CONFIG_DB."""


@dataclass(frozen=True, slots=True)
class Ran:
    """The running configuration of a switch, and its file."""

    file: str
    text: str


def running_files(given: tuple[str, ...]) -> dict[str, Ran]:
    """From ``SWITCH=FILE``, or a folder with files named after switches. Raises InputError."""
    return {name: Ran(file, printed(read_text(file)).text) for name, file in _named_files(given).items()}


def _named_files(given: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for each in given:
        name, equals, file = each.partition("=")
        if equals:
            found[name] = file
        elif Path(each).is_dir():
            found |= {path.stem: str(path) for path in sorted(Path(each).iterdir()) if path.is_file()}
        else:
            raise InputError(
                f"--running {each}: expected SWITCH=FILE, or a folder of files named after switches"
            )
    return found


@dataclass(frozen=True, slots=True)
class Said:
    """What a text says of itself, and the line."""

    text: str
    line: int


@cache
def _heads(nos: str) -> tuple[tuple[re.Pattern[str], ...], tuple[re.Pattern[str], ...]]:
    """Where a text states the hostname, and the release."""
    forms = [form for form in FORMS if form.nos == nos]
    return (*(form.hostname for form in forms), _HOSTNAME), tuple(form.release for form in forms)


def _stated(text: str, patterns: Iterable[re.Pattern[str]]) -> Said | None:
    for found in (each.search(text) for each in patterns):
        if found is not None:
            said = next(filter(None, found.groups()), "")
            return Said(said, text.count("\n", 0, found.end()) + 1)
    return None


def _short(name: str) -> str:
    return name.partition(".")[0].casefold()


def of_another(switch: SiteSwitch, text: str, known: Iterable[str]) -> Said | None:
    """That the hostname is another one of the ``known`` switches."""
    host = _stated(text, _heads(switch.nos)[0])
    if host is None or _short(host.text) == _short(switch.name):
        return None
    other = next((name for name in known if _short(name) == _short(host.text)), None)
    return None if other is None else Said(f"hostname {host.text}: the file is of {other}", host.line)


def unknown_host(switch: SiteSwitch, text: str, known: Iterable[str]) -> str:
    """A hostname that no switch has, else empty."""
    host = _stated(text, _heads(switch.nos)[0])
    return host.text if host is not None and _short(host.text) not in map(_short, known) else ""


def unlike_release(switch: SiteSwitch, nos: NosProfile, text: str) -> Said | None:
    """That the text is of a release in which commands differ from those of the planned files."""
    releases, runs = nos.releases, _stated(text[:HEAD], _heads(switch.nos)[1])
    planned = releases.nearest(switch.nos_version or releases.default)
    if runs is None or releases.resolved(runs.text) == releases.resolved(planned):
        return None
    said = f"release {runs.text} -> {planned}, for which the planned files are written: state nos_version"
    return Said(said, runs.line)
