"""Host files to facts, each with its line: systemd units, kernel modules, firmware commands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from netplan.records import dataclass

_COMMENT = ("#", ";")
_SECTION = re.compile(r"\[([^\]]+)\]\Z")
_MLXCONFIG = re.compile(r"mlxconfig\s+-d\s+(\S+)\s+(?:-y\s+)?set\s+(.*)\Z")
_BYTES = re.compile(r"(\d{1,12})([KMGT]?)\Z")
_FACTORS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


@dataclass(frozen=True, slots=True)
class Setting:
    """``section``: of the unit, empty if the file has none or the line is above the first."""

    section: str
    key: str
    value: str
    line: int


@dataclass(frozen=True, slots=True)
class Unit:
    """A systemd unit. ``strange``: numbers of lines that are no setting; systemd ignores them."""

    path: str
    settings: tuple[Setting, ...]
    strange: tuple[int, ...] = ()

    def all(self, section: str, key: str) -> tuple[Setting, ...]:
        """All values of a list; an empty assignment clears the earlier ones (systemd.syntax(7))."""
        found: list[Setting] = []
        for each in self.settings:
            if (each.section, each.key) == (section, key):
                found = [*found, each] if each.value else []
        return tuple(found)

    def last(self, section: str, key: str) -> Setting | None:
        return next(iter(self.all(section, key)[-1:]), None)

    def words(self, section: str, key: str) -> dict[str, Setting]:
        """Words of a list, whether on one line or several."""
        return {word: each for each in self.all(section, key) for word in each.value.split()}

    def at(self, setting: Setting | None) -> str:
        """File and line of a setting; only the file if it is missing."""
        return self.path if setting is None else f"{self.path}:{setting.line}"


@lru_cache(maxsize=512)
def read_unit(path: str, text: str) -> Unit:
    """systemd.syntax(7): sections, ``key=value``, a trailing backslash continues a line."""
    section, settings, strange = "", [], []
    for number, line in _joined(text):
        if match := _SECTION.match(line):
            section = match[1]
        elif "=" in line:
            key, _, value = line.partition("=")
            settings.append(Setting(section, key.strip(), value.strip(), number))
        else:
            strange.append(number)
    return Unit(path, tuple(settings), tuple(strange))


def _joined(text: str) -> Iterator[tuple[int, str]]:
    """Logical lines, each with the number of its first physical line; no comments or blank lines."""
    begun = 0
    parts: list[str] = []
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.strip()
        if line.startswith(_COMMENT) or (not line and not parts):
            continue
        begun = begun if parts else number
        parts.append(line.removesuffix("\\").strip())
        if not line.endswith("\\"):
            yield begun, " ".join(filter(None, parts))
            parts = []
    if parts:
        yield begun, " ".join(parts)


def bytes_of(value: str) -> int | None:
    """A size in bytes, with an optional suffix K, M, G or T to base 1024 (systemd.link(5), MTUBytes=)."""
    match = _BYTES.match(value)
    return int(match[1]) * _FACTORS[match[2]] if match else None


@lru_cache(maxsize=256)
def module_options(path: str, text: str) -> Unit:
    """``options MODULE KEY=VALUE...`` of a modprobe.d file (modprobe.d(5)); the module becomes the
    section."""
    found = []
    for number, line in _joined(text):
        match line.split():
            case ["options", module, *stated]:
                pairs = (word.partition("=") for word in stated)
                found += [Setting(module.replace("-", "_"), key, value, number) for key, _, value in pairs]
    return Unit(path, tuple(found))


@lru_cache(maxsize=256)
def modprobe(path: str, text: str) -> tuple[Setting, ...]:
    """Lines of a modprobe.d file (modprobe.d(5)): the command as the section, the module (or the alias),
    the rest."""
    found = []
    for number, line in _joined(text):
        command, *words = line.split()
        module = "".join(words[:1])
        module = module if command == "alias" else module.replace("-", "_")
        found.append(Setting(command, module, " ".join(words[1:]), number))
    return tuple(found)


def modules(text: str) -> dict[str, int]:
    """Module names of a modules-load.d file (modules-load.d(5)), each with its line."""
    return {line.replace("-", "_"): number for number, line in _joined(text)}


@lru_cache(maxsize=256)
def firmware(path: str, text: str) -> Unit:
    """``mlxconfig -d DEVICE set KEY=VALUE...``; the device becomes the section."""
    found, strange = [], []
    for number, line in _joined(text):
        match = _MLXCONFIG.match(line)
        if match is None:
            strange.append(number)
            continue
        pairs = (word.partition("=") for word in match[2].split())
        found += [Setting(match[1], key, value, number) for key, _, value in pairs]
    return Unit(path, tuple(found), tuple(strange))
