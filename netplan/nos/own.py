"""A site's NOS folders: each ``DIR/<nos>/`` of ``--nos-dir DIR`` replaces the NOS of that name or adds one.

Files are read once and within size limits; symbolic links out of DIR are not followed. Errors are findings.
"""

from __future__ import annotations

import re
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path as FilePath

from netplan.diagnostics import Diagnostic, Severity, Source
from netplan.model.document import SourceMap
from netplan.model.nos import NosProfile
from netplan.model.nos_folder import NosFolder
from netplan.nos.faults import Around
from netplan.nos.library import NosLibrary, load_nos, shipped, switch_folder
from netplan.nos.profile import profile_of
from netplan.nos.read import FILE, read_nos
from netplan.printable import printable

NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")
"""Names that switch_types.<type>.nos accepts, see schemas/inventory.schema.json."""
TEMPLATE = ".j2"
SUFFIXES = (".yaml", TEMPLATE)
MAX_BYTES = 2**20
"""Limit per file; the largest built-in one has 21 KiB."""
MAX_FILES = 200
MAX_FOLDERS = 500
_READABLE = "make it a UTF-8 text file inside the folder given with --nos-dir"


class NosDirError(Exception):
    """The given folder cannot be opened or contains no NOS folder; the message says what to do."""


def with_own(given: str, sources: SourceMap) -> tuple[NosLibrary, list[Diagnostic]]:
    """The built-in NOSes overridden by the folders in ``given``, and the problems of the latter.

    Adds the texts read to ``sources``. Raises NosDirError.
    """
    problems: list[Diagnostic] = []
    try:
        folders = [_read(path, FilePath(given).resolve(), problems) for path in _folders(given)]
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise NosDirError(f"{given!r} cannot be read ({reason}); check path and permissions") from error
    every = {**shipped().folders, **{folder.name: folder for folder in folders}}
    library = NosLibrary(
        folders={name: every[name] for name in sorted(every)}, own=_profiles(folders, sources, problems)
    )
    return library, problems


def _profiles(
    folders: Sequence[NosFolder], sources: SourceMap, problems: list[Diagnostic]
) -> Mapping[str, NosProfile]:
    """Profiles of the usable folders. Titles must be unique, since READMEs refer to a NOS by its title."""
    others = set(shipped().names) - {folder.name for folder in folders}
    titles = {p.title: name for name, p in load_nos(dict.fromkeys(others, ()))[0].items()}
    shared = {path.name for path in switch_folder().glob(f"*{TEMPLATE}")}
    own: dict[str, NosProfile] = {}
    for folder in folders:
        for file, text in (folder.texts or {}).items():
            if file.endswith(TEMPLATE):
                sources.add(folder.file(file), text)
        if not folder.texts or FILE not in folder.texts:
            continue
        data, found = read_nos(
            folder.file(FILE), folder.texts[FILE], sources, Around(titles, shared | set(folder.texts))
        )
        problems += found
        if not found:
            own[folder.name] = profile_of(folder, data)
            titles[data["title"]] = folder.name
    return own


def _folders(given: str) -> list[FilePath]:
    """The NOS folders, sorted, without hidden ones and those that begin with an underscore."""
    root = FilePath(given)
    if not given or not root.is_dir():
        raise NosDirError(f"{given!r} is not a directory; name the one that contains the NOS folders")
    found = sorted(path for path in root.iterdir() if path.is_dir() and not path.name.startswith((".", "_")))
    if (root / FILE).is_file():
        raise NosDirError(f"{given!r} is a NOS folder itself; name the directory above it")
    if not found:
        raise NosDirError(f"{given!r} contains no folder; each NOS is a folder with a {FILE}")
    if len(found) > MAX_FOLDERS:
        raise NosDirError(
            f"{given!r} contains more than {MAX_FOLDERS} folders; name the directory of the NOS folders"
        )
    return found


def _read(path: FilePath, root: FilePath, problems: list[Diagnostic]) -> NosFolder:
    texts: dict[str, str] = {}

    def wrong(file: str, what: str, hint: str, line: int = 1, column: int = 1) -> None:
        source = Source(printable(file), line, column)
        problems.append(Diagnostic("NP020", Severity.ERROR, (), what, hint, source))

    if not NAME.fullmatch(path.name):
        what = f"folder {printable(path.name)} has a name that switch_types.<type>.nos does not take"
        wrong(path.as_posix(), what, "use lower-case letters, digits and dashes, at most 63")
        return NosFolder(name=printable(path.name), path=path, texts={})
    if not path.resolve().is_relative_to(root):
        wrong(path.as_posix(), f"folder {path.name} is a link out of the directory", "copy the folder")
        return NosFolder(name=path.name, path=path, texts={})
    names = sorted(one for one in path.iterdir() if one.name.endswith(SUFFIXES) and one.name[0] != ".")
    if len(names) > MAX_FILES:
        wrong(path.as_posix(), f"folder {path.name} holds more than {MAX_FILES} files", "remove some")
    for one in names[:MAX_FILES]:
        raw, why = _bytes(one, root)
        if one.name.endswith(TEMPLATE):
            texts[one.name] = ""  # an unreadable template still exists: do not report it as missing too
        if why:
            wrong(one.as_posix(), f"{printable(one.name)} {why}", _READABLE)
            continue
        try:
            texts[one.name] = raw.decode("utf-8").removeprefix("\ufeff").replace("\r\n", "\n")
        except UnicodeDecodeError as error:
            before = raw[: error.start]
            column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8")) + 1
            wrong(
                one.as_posix(),
                f"{printable(one.name)} is not UTF-8",
                _READABLE,
                before.count(b"\n") + 1,
                column,
            )
    if not any(one.name == FILE for one in names):
        what = f"folder {path.name} has no {FILE}, so the NOS cannot be used"
        wrong(path.as_posix(), what, f"add {FILE}, or begin the folder's name with an underscore")
    return NosFolder(name=path.name, path=path, texts=texts)


def _bytes(path: FilePath, root: FilePath) -> tuple[bytes, str]:
    """The content, and why it cannot be used, or ""."""
    try:
        if not path.resolve().is_relative_to(root):
            return b"", "is a link out of the directory"
        if not stat.S_ISREG(path.stat().st_mode):
            return b"", "is not a file"
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except (OSError, RuntimeError) as error:
        return b"", f"cannot be read: {getattr(error, 'strerror', None) or error}"
    return raw, f"is larger than {MAX_BYTES // 2**10} KiB" if len(raw) > MAX_BYTES else ""
