"""The last stage, and the only one that writes: puts artifacts on disk, or compares them with what is there.

netplan owns the files listed in ``DIR/manifest.json`` and touches no other. Reading order: ``tree`` (reading
the directory), ``claim`` (directories it must be told to use), ``manifest`` (what it owns), ``memory`` (what
need not be read again), ``survey`` (what would change), ``apply``, ``diff``.
"""

from netplan.write.apply import write
from netplan.write.claim import refuse_unclaimed
from netplan.write.diff import unified_diff
from netplan.write.join import joined
from netplan.write.manifest import manifest_text
from netplan.write.memory import Memory, Said, remembered
from netplan.write.survey import Changes, compare
from netplan.write.tree import WriteError

__all__ = [
    "Changes",
    "Memory",
    "Said",
    "WriteError",
    "compare",
    "joined",
    "manifest_text",
    "refuse_unclaimed",
    "remembered",
    "unified_diff",
    "write",
]
