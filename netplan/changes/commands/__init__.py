"""Commands that change a switch: what is set, and what has to be removed.

The rules of a NOS (what a line replaces, how it is removed, in which order) are data: ``change.yaml`` beside
its ``nos.yaml``. ``form_of`` gives the form of a NOS.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from netplan.changes.commands.blocks import block_form
from netplan.changes.commands.config_db import ConfigDbForm
from netplan.changes.commands.data import Rules, rules_of
from netplan.changes.commands.model import Change, Files, Form, InPlace, Part, Running, Stated
from netplan.changes.commands.nvue import NvueForm
from netplan.changes.commands.set_lines import SetForm
from netplan.nos import NosLibrary, shipped

__all__ = ["Change", "Files", "Form", "InPlace", "Part", "Running", "Stated", "form_of"]

_FORMS: Mapping[str, Callable[[Rules], Form]] = {
    "blocks": block_form,
    "config_db": ConfigDbForm,
    "nvue": NvueForm,
    "set": SetForm,
}
"""``syntax`` of change.yaml -> the function that builds its form."""


def form_of(nos: str, library: NosLibrary | None = None) -> Form | None:
    """None for a NOS without ``change.yaml``, whose changes a person has to write. Raises InputError for a
    file of ``--nos-dir`` that cannot be used."""
    rules = rules_of(nos, library or shipped())
    return None if rules is None else _FORMS[rules.syntax](rules)
