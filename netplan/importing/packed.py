"""Reads a tar, or a text that gzip packed, from somebody else: texts of a tar's members by label, in memory
and bounded; nothing is extracted to disk.

A member's name is a label for messages and tells the host; it is never used as a path.
"""

from __future__ import annotations

import gzip
import io
import tarfile
import zlib
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Literal

from netplan.load import InputError
from netplan.printable import printable

_TARS = (".tar", ".tar.gz", ".tgz")
_ZIPPED = ".gz"
"""One text, as backups of switches keep it."""
_GZIP = b"\x1f\x8b"
_BLOCK = 512
_MAGIC = slice(257, 262)
_USTAR = b"ustar"
"""POSIX.1-2017, pax, ustar Interchange Format: magic of the header block; GNU tar and BusyBox have it too."""
MAX_MEMBERS = 2_000
MAX_MEMBER = 16 * 2**20
MAX_TOTAL = 128 * 2**20
"""Limit in bytes after decompression; lshw of a large host prints less than 1 MiB."""


class _Bounded(io.RawIOBase):
    """Reads at most ``MAX_TOTAL`` bytes of a tar: 1 kB can decompress to 1 TB."""

    def __init__(self, inner: gzip.GzipFile | BinaryIO, name: str) -> None:
        self._inner, self._name, self._left = inner, name, MAX_TOTAL

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        data = self._inner.read(min(size, self._left + 1) if size >= 0 else self._left + 1)
        self._left -= len(data)
        if self._left < 0:
            raise InputError(f"{self._name} unpacks to more than {MAX_TOTAL // 2**20} MiB")
        return data


def form(path: Path) -> Literal["tar", "gzip", ""]:
    """By suffix, else by the first bytes; empty for any other file, and for one that cannot be read."""
    if path.name.endswith(_TARS):
        return "tar"
    head = _head(path)
    zipped = head.startswith(_GZIP)
    try:
        block = gzip.GzipFile(fileobj=io.BytesIO(head)).read1(_BLOCK) if zipped else head
    except (OSError, EOFError, zlib.error):
        block = b""
    if block[_MAGIC] == _USTAR:
        return "tar"
    return "gzip" if zipped or path.name.endswith(_ZIPPED) else ""


def _head(path: Path) -> bytes:
    """Nothing of a pipe, which can be read once."""
    try:
        with path.open("rb") as file:
            return file.read(8 * _BLOCK) if path.is_file() else b""
    except OSError:
        return b""


def unpacked(name: str) -> dict[str, str]:
    """Label -> text of each regular file. Raises InputError if it is not a tar, or too large."""
    try:
        with Path(name).open("rb") as file:
            start = file.read(2)
            file.seek(0)
            packed = start == _GZIP
            bounded = _Bounded(gzip.GzipFile(fileobj=file) if packed else file, name)
            with tarfile.open(fileobj=bounded, mode="r|") as tar:
                texts = _members(tar, name)
                if _goes_on(tar):
                    raise InputError(f"{name} is one tar behind another: save each in a file of its own")
                return texts
    except (tarfile.TarError, OSError, EOFError, zlib.error, ValueError, ArithmeticError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error) or "it ends too soon"
        raise InputError(f"{name} cannot be read as a tar ({printable(reason)})") from error


def _goes_on(tar: tarfile.TarFile) -> bool:
    """Whether another one begins behind its end, as ``>>`` leaves it."""
    rest = iter(lambda: tar.fileobj.read(_BLOCK) if tar.fileobj is not None else b"", b"")
    return any(block[_MAGIC] == _USTAR for block in rest)


def unzipped(name: str, most: int) -> str:
    """The text of a gzip file. Raises InputError if it is none, or larger than ``most`` bytes."""
    try:
        with gzip.open(name, "rb") as file:
            raw = file.read(most + 1)
    except (OSError, EOFError, zlib.error, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error) or "it ends too soon"
        raise InputError(f"{name} cannot be read as a gzip file ({printable(reason)})") from error
    if len(raw) > most:
        raise InputError(f"{name} unpacks to more than {most // 2**20} MiB")
    return raw.decode("utf-8", "surrogateescape")


def _members(tar: tarfile.TarFile, name: str) -> dict[str, str]:
    texts: dict[str, str] = {}
    for number, member in enumerate(tar):
        if number >= MAX_MEMBERS:
            raise InputError(f"{name} has more than {MAX_MEMBERS:,} members")
        if not member.isreg() or member.issparse():
            continue
        if member.size > MAX_MEMBER:
            limit = f"{MAX_MEMBER // 2**20} MiB"
            raise InputError(f"{name}: {printable(member.name)} is larger than {limit}")
        body = tar.extractfile(member)
        if body is not None:
            texts.setdefault(_label(name, member.name), body.read().decode("utf-8", "surrogateescape"))
    return texts


def _label(name: str, member: str) -> str:
    """``gpu-001.tar/gpu-001/lspci.txt``: the last two parts of the member's name."""
    parts = [part for part in PurePosixPath(member).parts if part not in ("/", "..", ".")]
    return "/".join([name, *map(printable, parts[-2:])])
