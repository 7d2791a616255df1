"""netplan's files in the user's cache, one folder per subject. Losing them costs only time.

Cached files must be this user's own: on the whole path from the root, only the user and root may be able to
replace a component. Otherwise nothing is read or stored.
"""

from __future__ import annotations

import marshal
import os
import stat
from hashlib import sha256
from pathlib import Path
from typing import Any

_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_DIGEST = sha256().digest_size
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def folder_of(subject: str) -> Path | None:
    """The cache folder of a subject: below ``$NETPLAN_CACHE_DIR`` if set, None if that is empty; else below
    ``$XDG_CACHE_HOME/netplan``, or ``~/.cache/netplan``.

    A relative ``$XDG_CACHE_HOME`` is ignored (XDG Base Directory). None without a home directory.
    """
    own = os.environ.get("NETPLAN_CACHE_DIR")
    if own is not None:
        return Path(own).absolute() / subject if own else None
    given = os.environ.get("XDG_CACHE_HOME", "")
    try:
        base = Path(given) if Path(given).is_absolute() else Path.home() / ".cache"
    except RuntimeError:  # no HOME, and a user without an entry in passwd
        return None
    return base / "netplan" / subject


def is_private(folder: Path) -> bool:
    """Whether no other user can have created this folder, its content, or a link on the path to it."""
    try:
        real = Path(os.path.realpath(folder))
        on_the_way = {*folder.parents, *real.parents}
        return _is_ours(folder.lstat()) and all(_is_safe(step.lstat()) for step in on_the_way)
    except OSError:
        return False


def _is_ours(info: os.stat_result) -> bool:
    """Whether the user owns it and nobody else may write to it."""
    return info.st_uid == os.geteuid() and not info.st_mode & _OTHERS_WRITE


def _is_safe(info: os.stat_result) -> bool:
    """Whether nobody else can have replaced its entries.

    With the sticky bit, as on /tmp, only an entry's owner can rename or remove it. A symbolic link has all
    mode bits set, so only its owner counts.
    """
    shared = info.st_mode & _OTHERS_WRITE and not info.st_mode & stat.S_ISVTX
    return info.st_uid in (0, os.geteuid()) and (stat.S_ISLNK(info.st_mode) or not shared)


def load(place: Path, limit: int) -> bytes:
    """Read a file from a private folder. Raises OSError if it is missing, not the user's own, or larger than
    ``limit`` bytes."""
    descriptor = os.open(place, _READ)
    with os.fdopen(descriptor, "rb") as stream:
        info = os.fstat(descriptor)
        if not stat.S_ISREG(info.st_mode) or not _is_ours(info) or info.st_size > limit:
            raise OSError(f"{place} is not a file of this user's cache")
        return stream.read(limit)


def store(place: Path, data: bytes) -> bool:
    """Store a file atomically; returns whether that worked. Best effort: a full disk, a read-only home or a
    concurrent run must not fail this one."""
    temporary = place.with_suffix(f".{os.getpid()}")
    try:
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not is_private(place.parent):
            return False
        try:
            with os.fdopen(os.open(temporary, _NEW, 0o600), "wb") as stream:
                stream.write(data)
            temporary.replace(place)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError:
        return False
    return True


def load_object(place: Path, limit: int) -> Any:
    """What `store_object` stored; None where there is nothing, or nothing that may be trusted.

    The folder must be known to be private: marshal may build code objects from what it reads.
    """
    try:
        stored = load(place, limit)
    except OSError:
        return None
    digest, data = stored[:_DIGEST], stored[_DIGEST:]
    if sha256(data).digest() != digest:  # marshal may crash on a damaged file
        return None
    return marshal.loads(data)


def store_object(place: Path, value: Any, limit: int, most: int) -> None:
    """Store what marshal can write, unless it takes more than ``limit`` bytes; ``most`` files of the folder
    stay."""
    data = marshal.dumps(value)
    if _DIGEST + len(data) <= limit and store(place, sha256(data).digest() + data):
        forget(place.parent, most)


def forget(folder: Path, most: int) -> None:
    """Delete all but the ``most`` files stored last."""
    try:
        by_age = sorted(folder.iterdir(), key=lambda path: path.lstat().st_mtime, reverse=True)
        for path in by_age[most:]:
            path.unlink(missing_ok=True)
    except OSError:  # a concurrent run deletes as well
        return
