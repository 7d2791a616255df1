"""Selects the files to read: named files; from a folder those with a text suffix, tars from collect.sh, and
what a reader knows among the others, such as running configurations in ``leaf-1.cfg``. The rest is named.

UTF-16 and UTF-32 are read by their byte order mark: Windows PowerShell 5.1 writes UTF-16 with a mark where
output is redirected (learn.microsoft.com, PowerShell, about_Character_Encoding). Another byte that is not
UTF-8 is left to the readers, which name its place.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from netplan.importing.packed import form, unpacked, unzipped
from netplan.importing.recognise import is_known
from netplan.importing.rendered import is_below, rendered_below
from netplan.load import InputError
from netplan.reading.kubernetes.files import COPIES, MAX_BYTES, SUFFIXES, read_input
from netplan.reading.printed import printed
from netplan.report import count, few

WANTED = (*SUFFIXES, ".txt", ".csv")
"""Suffixes of files in a folder; tables of switches are text."""
_LIMIT = f"{MAX_BYTES // 2**20} MiB"
_LARGE = "dump the pods, or each kind, into a file of its own, or nodes by name"
_NAMED = 8
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""The mark of UTF-32 begins with that of UTF-16."""
Known = Callable[[str, str], bool]
"""(name, text)"""


@dataclass(frozen=True, slots=True)
class Sources:
    """``texts``: by name, in the order given. ``broken``: why others were not read, one sentence each.
    ``skipped``: files of folders that are of no known kind, one sentence for each folder that was given."""

    texts: dict[str, str]
    broken: tuple[str, ...]
    skipped: tuple[str, ...] = ()


def read_sources(inputs: Sequence[str]) -> dict[str, str]:
    """Text by name, in the order given. Raises InputError for what is unreadable or too large."""
    found = sources(inputs)
    if found.broken:
        raise InputError(found.broken[0])
    return found.texts


def sources(inputs: Sequence[str], known: Known = lambda _, text: is_known(text)) -> Sources:
    """A tar that cannot be read leaves the others, and so does a text that is not in the encoding of its
    mark. ``known``: whether to read a file of a folder with another suffix. Raises InputError for other
    files."""
    texts: dict[str, str] = {}
    broken: list[str] = []
    skipped: list[str] = []
    for given in inputs:
        for name, text in _read(given, broken, skipped, known).items():
            if (decoded := _decoded(name, text, broken)) is not None:
                texts.setdefault(name, decoded)
    return Sources(texts, tuple(broken), tuple(skipped))


def _read(given: str, broken: list[str], skipped: list[str], known: Known) -> dict[str, str]:
    packed = dict.fromkeys(_packed(given))
    texts: dict[str, str] = {}
    others: list[str] = []
    if given not in packed:
        found = read_input(given, WANTED)
        if found.large:
            raise InputError(f"{found.large[0]} is larger than {_LIMIT}; {_LARGE}")
        own, texts = rendered_below(given), dict(found.texts)
        others = [
            each for each in _others(given, packed, texts, known) if not is_below(f"{given}/{each}", own)
        ]
        texts = {name: text for name, text in texts.items() if not is_below(name, own) and name not in packed}
        skipped += [f"{each}: rendered by netplan, which says nothing of what runs; not read" for each in own]
        skipped += [f"{given}: {each}" for each in found.skipped]
    for each in packed:
        texts |= _unpacked(each, broken)
    if not texts and not packed:
        raise InputError(f"{given} holds no file such as *.yaml, *.json, *.txt or *.tar{_and(others)}")
    if others:
        skipped.append(f"{given}: {count(len(others), 'file')} of no known kind not read{_and(others)}")
    return texts


def _unpacked(name: str, broken: list[str]) -> dict[str, str]:
    try:
        return unpacked(name) if form(Path(name)) == "tar" else {name: unzipped(name, MAX_BYTES)}
    except InputError as error:
        broken.append(str(error))
        return {}


def _and(names: Sequence[str]) -> str:
    return f": {few(names, _NAMED)}" if names else ""


def _others(given: str, packed: Collection[str], texts: dict[str, str], known: Known) -> list[str]:
    """Adds the files with other suffixes that a reader knows; returns those that none does. Nothing hidden,
    and no link is followed."""
    root, unknown = Path(given), list[str]()
    if given == "-" or not root.is_dir():
        return unknown
    for path in sorted(root.rglob("*")):
        inner = path.relative_to(root).parts
        if path.name.endswith(WANTED) or _is_left_out(inner) or str(path) in packed:
            continue
        if path.is_file() and not path.is_symlink():
            text = _text(path)
            if text is not None and known(path.name, printed(text).text):
                texts[str(path)] = text
            else:
                unknown.append("/".join(inner))
    return unknown


def _is_left_out(inner: Sequence[str]) -> bool:
    return any(part in COPIES or part[0] == "." for part in inner)


def _text(path: Path) -> str | None:
    """None for a file that is too large for a text, that nobody may read, or that has bytes of none."""
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except OSError:
        return None
    marked = raw.startswith(tuple(mark for mark, _ in _MARKS))
    if len(raw) > MAX_BYTES or (b"\0" in raw and not marked):
        return None
    return raw.decode("utf-8", "surrogateescape")


def _decoded(name: str, text: str, broken: list[str]) -> str | None:
    """By its mark; None if it is not what the mark says. ``text``: as UTF-8, other bytes as surrogates."""
    head = text[:4].encode("utf-8", "surrogateescape")
    encoding = next((encoding for mark, encoding in _MARKS if head.startswith(mark)), "")
    if not encoding:
        return text
    try:
        return text.encode("utf-8", "surrogateescape").decode(encoding)
    except UnicodeDecodeError as error:
        what = f"byte {error.start + 1:,} is not {encoding.upper()}, which the file's first bytes announce"
        broken.append(f"{name}: {what}; save it as UTF-8")
        return None


def _packed(given: str) -> list[str]:
    """The tar or gzip file itself, or those of a folder; links are not followed."""
    path = Path(given)
    if given == "-" or not given:
        return []
    try:
        if not path.is_dir():
            return [given] if form(path) else []
        files = (each for each in sorted(path.rglob("*")) if each.is_file() and not each.is_symlink())
        return [str(each) for each in files if not _is_left_out(each.relative_to(path).parts) and form(each)]
    except (OSError, ValueError):
        return []  # the reader reports why
