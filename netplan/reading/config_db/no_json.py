"""What stands where JSON breaks off: a template, a diff, a placeholder, a character of a page."""

from __future__ import annotations

import re

_MOST = 400
"""Characters of the line that are looked at."""
_OF_LINE = (
    (
        re.compile(r"\{\\?[%#]|[%#]\}|\{\{.*\}\}"),
        "the line is of a Jinja template",
        "render the template first (sonic-cfggen -t TEMPLATE), and check the result",
    ),
    (re.compile(r"[+-](?=[\s\"{}])"), "the line is of a diff", "apply the diff, and check the result"),
)
"""What a line has (the second: begins with) -> what to say, what to do."""
_THERE = (
    (re.compile(r"\{?(?:\.{3}|\u2026)"), "dots stand for what is left out", "check the whole file"),
    (re.compile(r"<{7}|>{7}"), "the line is of a merge conflict", "resolve the conflict"),
    (re.compile(r"<"), "a placeholder or remark in < >", "write the value, or remove the remark"),
    (re.compile("\xa0"), "a no-break space (U+00A0), as pages have it", "write a blank"),
    (re.compile("[\uff1a\uff0c]"), "a full-width colon or comma, as pages have it", "write : or ,"),
    (re.compile("[\u201c\u201d\u201e]"), "a typographic quote, as pages have it", 'write "'),
)
"""What stands at the place -> what to say, what to do."""


def explained(text: str, index: int, message: str, hint: str) -> tuple[str, str]:
    """Message and hint for a place where a text stops being JSON, better than that it does."""
    start = text.rfind("\n", 0, index) + 1
    end = text.find("\n", index)
    line = text[max(start, index - _MOST) : min(end if end >= 0 else len(text), index + _MOST)]
    (template, *of_template), (diff, *of_diff) = _OF_LINE
    if template.search(line):
        return of_template[0], of_template[1]
    if diff.match(line.lstrip()):
        return of_diff[0], of_diff[1]
    there = ((told, advice) for sign, told, advice in _THERE if sign.match(text, index))
    return next(there, (message, hint))
