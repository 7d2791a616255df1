"""Cache of netplan's own compiled templates: compiling takes longer than rendering.

The cache holds Python bytecode, so whoever can write to it can run code as the user. It is therefore kept in
the user's cache, and only where `netplan.user_cache` confirms that nobody else can have written it, the same
trust that Python puts in the ``__pycache__`` beside a module. It is never beside the templates, where a user
may lack write access and another may have it. Entries are keyed by a digest of everything they depend on; a
damaged one is compiled again. Templates of a site (``--nos-dir``) are not cached.
"""

from __future__ import annotations

import sys
from hashlib import sha256
from pathlib import Path
from types import CodeType

import jinja2
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket

from netplan import __version__, user_cache

MAX_BYTES = 4 << 20
"""Maximum size of one entry. The largest template that ships takes 40 KiB."""
MOST = 512
"""Maximum number of entries: four releases of netplan. The one compiled longest ago is dropped first."""
_OPTIONS = ("trim_blocks", "lstrip_blocks", "keep_trailing_newline", "autoescape", "optimized")
"""Environment options that affect compilation."""


class CompiledTemplates(BytecodeCache):
    """Only for environments with the same ``finalize``, which is not part of the key."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._readable = folder, user_cache.is_private(folder)
        self._versions = f"{sys.version}\n{_jinja_version()}\n{__version__}"

    @classmethod
    def of_user(cls) -> CompiledTemplates | None:
        """None if the user disabled the cache or has no place for it."""
        folder = user_cache.folder_of("templates")
        return None if folder is None else cls(folder)

    def load_bytecode(self, bucket: Bucket) -> None:
        found = user_cache.load_object(self._place(bucket), MAX_BYTES) if self._readable else None
        bucket.code = found if isinstance(found, CodeType) else None

    def dump_bytecode(self, bucket: Bucket) -> None:
        user_cache.store_object(self._place(bucket), bucket.code, MAX_BYTES, MOST)

    def _place(self, bucket: Bucket) -> Path:
        """File of an entry. ``bucket.key`` is Jinja's digest of the template's name and file, ``checksum`` of
        its text."""
        options = [getattr(bucket.environment, name) for name in _OPTIONS]
        follows_from = f"{self._versions}\n{options}\n{bucket.key}\n{bucket.checksum}"
        return self._folder / sha256(follows_from.encode()).hexdigest()


def _jinja_version() -> str:
    """From 3.2 on the module has no ``__version__``, and reading the package metadata takes ten
    milliseconds."""
    known = vars(jinja2).get("__version__")
    if known is None:
        from importlib.metadata import version

        known = version("jinja2")
    return str(known)
