"""The last stage, and the only one that writes: artifacts onto the disk, or a comparison with what is there.

netplan owns the files that ``DIR/manifest.json`` lists and touches no other. Reading order: ``tree`` (looking
at the directory), ``claim`` (directories that it must be told to use), ``manifest`` (what is owned),
``memory`` (what needs no second look), ``survey`` (what would change), ``apply``, ``diff``.
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
