"""CONFIG_DB of old images in the words of newer ones. Every line keeps its number.

References with table and brackets, ``[WRED_PROFILE|ROCE]``: until database version 3.0.3, whose db_migrator
removes them (sonic-net/sonic-utilities 691b1bb scripts/db_migrator.py, ``version_3_0_2``). A key with several
ports is a row for each (sonic-net/sonic-swss e6b0c5b orchagent/qosorch.cpp and bufferorch.cpp, which split
it at ``list_item_delimiter``).
"""

from __future__ import annotations

import re

_BARE_SINCE = (3, 0, 3)
"""As in ``netplan.rules.config_db.references``."""
_VERSION = re.compile(r'"VERSION"\s*:\s*"version((?:_[0-9]{1,9}){2,3})"')
"""``version_3_0_3``, or on later branches ``version_202411_01``."""
_REFERENCE = re.compile(r'(:\s*)"\[[A-Z][A-Z0-9_]*[|:]([^\[\]"|\\,]+)\]"')
_REFERENCES = re.compile(
    r'(:\s*)"(\[[A-Z][A-Z0-9_]*[|:][^\[\]"|\\,]+\](?:,\[[A-Z][A-Z0-9_]*[|:][^\[\]"|\\,]+\])+)"'
)
_SEVERAL = re.compile(
    r'"([A-Za-z][A-Za-z0-9/.-]*(?: *, *[A-Za-z][A-Za-z0-9/.-]*)+)((?:\|[0-9-]+)?)"(\s*:\s*)(\{[^{}]*\})'
)


def in_new_words(text: str) -> str:
    if '"[' in text and not _is_newer(text):
        text = _REFERENCES.sub(lambda found: f'{found[1]}"{_bare(found[2])}"', text)
        text = _REFERENCE.sub(r'\1"\2"', text)
    return _SEVERAL.sub(_each, text)


def _is_newer(text: str) -> bool:
    found = _VERSION.search(text)
    return found is not None and tuple(map(int, found[1].split("_")[1:])) >= _BARE_SINCE


def _bare(references: str) -> str:
    return ",".join(re.split("[|:]", each[1:-1], maxsplit=1)[1] for each in references.split(","))


def _each(found: re.Match[str]) -> str:
    """The rows of all ports but the last in the line of the key."""
    names, number, colon, row = found.groups()
    ports = [name.strip() for name in names.split(",")]
    flat = " ".join(row.split())
    return ", ".join(
        [*(f'"{port}{number}": {flat}' for port in ports[:-1]), f'"{ports[-1]}{number}"{colon}{row}']
    )
