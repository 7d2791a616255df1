"""The tree of several clusters on one fabric: ``switches/`` and, below ``clusters/<site>/``, what is of one.

Whoever reads a rendered directory may name such a folder: seen from there it is a tree as of one inventory,
with the switches of all, and what the other clusters say of themselves.
"""

from __future__ import annotations

from netplan.model.site import PATH

CLUSTERS = "clusters"
_SHARED = "switches/"


def split_part(path: str) -> tuple[str, str] | None:
    """``build/clusters/train`` -> (``build``, ``clusters/train/``); None where a path has no such end."""
    above, _, site = path.rstrip("/").rpartition("/")
    root, slash, folder = above.rpartition("/")
    if folder != CLUSTERS or not site or site in (".", ".."):
        return None
    return root or ("/" if slash else "."), f"{CLUSTERS}/{site}/"


def seen_from(prefix: str, path: str) -> str | None:
    """A path of the whole tree as it is in the tree of one cluster; None of what is another's."""
    if path.startswith(prefix):
        return path.removeprefix(prefix)
    return path if path.startswith(_SHARED) or is_other_site(path) else None


def is_other_site(path: str) -> bool:
    """Whether it is the ``site.json`` of another cluster, in the tree as it is seen from one."""
    folder, _, name = path.rpartition("/")
    return name == PATH and folder.startswith(f"{CLUSTERS}/")
