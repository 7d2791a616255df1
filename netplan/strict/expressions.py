"""Regular expressions in data that a site may bring."""

from __future__ import annotations

import re


def not_expression(text: str, flags: re.RegexFlag = re.NOFLAG) -> str:
    """Why a text is not a valid regular expression; empty if it is one."""
    try:
        re.compile(text, flags)
    except (re.error, OverflowError, RecursionError) as error:
        return f"is not a regular expression: {error}"
    return ""
