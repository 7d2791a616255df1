"""What assigns addresses to pods: one row for each value of ``networks.X.ipam``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, cast

from netplan.model.modes import REFERENCE_PLUGINS
from netplan.records import dataclass

IpamName = Literal["nv-ipam", "whereabouts", "host-local", "static", "spiderpool", "none"]

HandsOut = Literal["block", "range", "node", "stated", "nothing"]
"""Where a node's pods get addresses from: the node's own block of a pool; a range that all nodes share; the
same range with separate bookkeeping on each node; what the pod or NAD states; no IPAM."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IpamKind:
    """``pools``: ranges are objects of their own, to which the attachment refers; for blocks routes too.

    ``one_gateway``: it supports a gateway for one IP version only. ``program``: what installs it, by its name
    in ``cluster.present``. ``table_programs``: keys of ``cluster.cni_plugins`` whose release decides whether
    a route can name a table; None if none can. ``reuse``: where and when an address is assigned again.
    """

    hands_out: HandsOut
    pools: bool = False
    one_gateway: bool = False
    program: str = ""
    table_programs: tuple[str, ...] | None = None
    reuse: str = ""

    @property
    def addresses(self) -> bool:
        """Whether pods get addresses from it."""
        return self.hands_out != "nothing"


IPAMS: Mapping[IpamName, IpamKind] = {
    "nv-ipam": IpamKind(
        hands_out="block",
        pools=True,
        program="nv-ipam",
        reuse="a node's own block of its pool, so an address comes back on the same node only",
    ),
    "whereabouts": IpamKind(
        hands_out="range",
        one_gateway=True,
        program="whereabouts",
        table_programs=("whereabouts",),
        reuse="one range for all nodes, the lowest free address first: it may come back on any node",
    ),
    "host-local": IpamKind(
        hands_out="node",
        program=REFERENCE_PLUGINS,
        table_programs=(),
        reuse="a range of the node, in turn, so that an address comes back late and on the same node",
    ),
    "static": IpamKind(
        hands_out="stated",
        program=REFERENCE_PLUGINS,
        table_programs=(),
        reuse="stated in the pod or the NAD",
    ),
    "spiderpool": IpamKind(
        hands_out="range",
        pools=True,
        program="spiderpool",
        reuse="one range for all nodes: it may come back on any node",
    ),
    "none": IpamKind(hands_out="nothing"),
}
"""Reuse: Mellanox/nvidia-k8s-ipam v0.4.0 README.md and pkg/ipam-node/allocator/allocator.go;
k8snetworkplumbingwg/whereabouts v0.9.4 pkg/allocate/allocate.go; containernetworking/plugins v1.9.1
plugins/ipam/host-local/backend/allocator/allocator.go, static/main.go; spidernet-io/spiderpool v1.2.2
pkg/ippoolmanager/ippool_manager.go."""


def ipam_named(word: object) -> IpamName | None:
    """The IPAM with that ``type``; None if netplan does not know it."""
    return cast(IpamName, word) if word in IPAMS else None
