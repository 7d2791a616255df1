"""Chains of steps for each pod interface, from manifests that anybody wrote.

Such files have no hosts, cables or switches, so no path as a whole is proved; each step by itself is proved,
not proved or refuted. What is wrong with a step comes from the rules of ``netplan.rules.kubernetes`` about
its objects. Reading order: ``model``, ``steps``, ``pods``, ``findings``, ``tree``.
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
