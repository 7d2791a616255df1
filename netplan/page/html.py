"""The page: one HTML file that loads nothing, with data, style and script inside."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any

from netplan import resources

SCRIPTS = (
    "base", "tables", "model", "search", "colours", "layout", "topology", "details", "bars", "capacity",
    "reach", "sections", "work", "start",
)  # fmt: skip
"""Files of ``templates/page/``, in load order."""
_MARK = re.compile("@(policy|site|style|data|script)@")


def page(data: Mapping[str, Any]) -> str:
    """The same data gives the same bytes."""
    folder = resources.templates() / "page"
    style = _read(folder / "page.css")
    body = "".join(_read(folder / f"{name}.js") for name in SCRIPTS)
    script = f'"use strict";\n(() => {{\n{body}}})();\n'
    texts = {
        "policy": _policy(script, style),
        "site": escape(str(data["site"])),
        "style": style,
        "data": _json(data),
        "script": script,
    }
    return _MARK.sub(lambda mark: texts[mark[1]], _read(folder / "page.html"))


def _policy(script: str, style: str) -> str:
    """Content Security Policy Level 3: nothing is loaded, and only this script and style apply."""
    rules = ("default-src 'none'", f"script-src '{_hash(script)}'", f"style-src '{_hash(style)}'")
    return "; ".join((*rules, "base-uri 'none'", "form-action 'none'"))


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode('ascii')}"


def _json(data: Mapping[str, Any]) -> str:
    """JSON that cannot end the element, begin a comment or contain markup."""
    text = json.dumps(data, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")
