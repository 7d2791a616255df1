"""What the attachments of pods amount to in files that anybody wrote: a chain of steps for each interface.

There are no hosts, cables or switches in such files, so no path is proved; each step is proved, not proved
or refuted by itself. What is wrong with a step is what the rules of ``netplan.rules.kubernetes`` say of its
objects. Reading order: ``model``, ``steps``, ``pods``, ``findings``, ``tree``.
"""

from netplan.trace.chains.compare import Comparison, compared
from netplan.trace.chains.data import chains_data
from netplan.trace.chains.draw import lines_of
from netplan.trace.chains.ends import chain_at
from netplan.trace.chains.model import Chains, PodChain
from netplan.trace.chains.tree import chains_of, read_chains

__all__ = [
    "Chains",
    "Comparison",
    "PodChain",
    "chain_at",
    "chains_data",
    "chains_of",
    "compared",
    "lines_of",
    "read_chains",
]
