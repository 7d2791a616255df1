"""Whether a path is there, by the same rule on every Python."""

from __future__ import annotations

import errno
from pathlib import Path

_ABSENT = {errno.ENOENT, errno.ENOTDIR, errno.EBADF, errno.ELOOP}


def exists(path: str | Path) -> bool:
    """Raises OSError if the system does not tell, as for a folder without permission or a name too long:
    from Python 3.14 on ``Path.exists`` says False there."""
    try:
        Path(path).stat()
    except OSError as error:
        if error.errno in _ABSENT:
            return False
        raise
    except ValueError:  # a null byte
        return False
    return True
