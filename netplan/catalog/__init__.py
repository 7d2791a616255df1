"""Built-in models of HCAs and switches, each row with its source; an inventory extends them under
``catalog``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from netplan.model.document import Places, SourceMap
from netplan.yaml12 import parse


@cache
def _read(name: str) -> Mapping[str, Any]:
    text = (Path(__file__).parent / name).read_text(encoding="utf-8")
    parsed = parse(name, text, Places(SourceMap()))
    data: Mapping[str, Any] = parsed.data
    return data


def hca_rows() -> Mapping[str, Any]:
    return _read("hcas.yaml")


def switch_rows() -> Mapping[str, Any]:
    return _read("switches.yaml")


def optic_rows() -> Mapping[str, Any]:
    return _read("optics.yaml")
