"""The tree of several clusters on one fabric: ``switches/`` and the clusters' files below
``clusters/<site>/``.

A command that reads a rendered directory may be given such a folder: it then looks like the tree of one
inventory, with all switches and the site.json files of the other clusters.
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
    """A path of the whole tree as it is in one cluster's tree; None for files of another cluster."""
    if path.startswith(prefix):
        return path.removeprefix(prefix)
    return path if path.startswith(_SHARED) or is_other_site(path) else None


def is_other_site(path: str) -> bool:
    """Whether it is another cluster's ``site.json``, in the tree as seen from one cluster."""
    folder, _, name = path.rpartition("/")
    return name == PATH and folder.startswith(f"{CLUSTERS}/")
