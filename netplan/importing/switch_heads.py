"""What the head of a running configuration says of its switch: name, model and release."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from netplan.diagnostics import Source
from netplan.importing.bare.rows import host_of
from netplan.importing.facts import Fact, Remark
from netplan.importing.switch_forms import HEAD, Form
from netplan.importing.switches import model_of
from netplan.reading.switches.junos_groups import JUNOS
from netplan.reading.switches.nvue_list import Listed

_DEFAULTS = frozenset({"", "cumulus", "localhost", "switch"})
"""Hostnames of Cumulus Linux (CumulusNetworks/docs 7c6e375b, Running-the-Playbooks.md), EOS and NX-OS as they
are installed: many switches have them."""

_ENGINE = re.compile(
    r"^set groups (re[01]) system host-name ([A-Za-z0-9][A-Za-z0-9._-]{0,62})$", re.MULTILINE
)
_APPLY = re.compile(r"^set apply-groups ([^\n]+)$", re.MULTILINE)
_PART = re.compile(r"\bre[01]\b")
_OFF = re.compile(r"^deactivate (?:groups|apply-groups)\b", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Head:
    """``name``: by its file where it does not say; empty if neither does. ``model``: as it is stated."""

    name: str
    model: str
    file: str
    form: Form
    text: str
    given: Listed

    def facts(self, typical: bool) -> Iterator[Fact | Remark]:
        """``typical``: the text has ports or VLANs; a DPU or a switch of InfiniBand has a model too."""
        named = self.form.hostname.search(self.text)
        if named is not None and named[1] != self.name:
            why = f"hostname {named[1]} is the default of its NOS, the file's name is taken"
            yield Remark(self._at(named), f"{self.name}: {why}", alike=why)
        yield from self._engines()
        rows = (("device_type", self.form.model), ("nos_version", self.form.release))
        for field, pattern in rows if typical else rows[1:]:
            found = pattern.search(self.text[:HEAD])
            if found is not None:
                said = found[1].strip()
                value = said if field == "nos_version" else model_of(said, "") or said  # MSN2700 is SN2700
                yield Fact("switch", (self.name,), field, value, self._at(found))

    def _engines(self) -> Iterator[Remark]:
        """Where they have several names."""
        names = [*_of_engines(self.form, self.text)]
        if len(names) > 1 and self.form.hostname.search(self.text) is None:
            found = _ENGINE.search(self.text)
            why = f"Routing Engines are named {' and '.join(names)}, the file's name is taken"
            yield Remark(
                self._at(found) if found else Source(self.file, 1, 1), f"{self.name}: {why}", alike=why
            )

    def _at(self, found: re.Match[str]) -> Source:
        line = self.text.count("\n", 0, found.start(1)) + 1
        return Source(self.file, line if self.given.exact else 1, 1)


def head_of(form: Form, file: str, text: str, given: Listed) -> Head:
    """``text``: as it is in the file; ``given``: as it is read."""
    text = text if given.exact else given.text
    named, model = form.hostname.search(text), form.model.search(text[:HEAD])
    engines = [*_of_engines(form, text)]
    stated = named[1] if named else engines[0] if len(engines) == 1 else ""
    name = host_of(file) or stated if stated in _DEFAULTS else stated
    return Head(name, model[1].strip() if model else "", file, form, text, given)


def _of_engines(form: Form, text: str) -> dict[str, None]:
    """Names that the groups of Routing Engines have, where they are applied (juniper.net, Junos CLI User
    Guide, Configuration Groups Overview: ``re0`` holds on that Routing Engine)."""
    if form.nos != JUNOS or _OFF.search(text):
        return {}
    applied = {found[0] for line in _APPLY.findall(text) for found in _PART.finditer(line)}
    return {found[2]: None for found in _ENGINE.finditer(text) if found[1] in applied}
