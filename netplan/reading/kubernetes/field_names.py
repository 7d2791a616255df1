"""Names that are in no list of fields: which field was probably meant."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from typing import Any

_NEAR = 0.85
"""Similarity ratio from which a name is taken for a misspelling: pfName and pfNames score 0.92."""

_SHORT = 8
"""A name of more letters that goes on differently is taken for a misspelling: rdmaHcaMaximum, rdmaHcaMax."""

_KNOWN_WRONG: Mapping[tuple[str, str], str] = {
    ("SriovNetworkNodePolicy", "spec.nicSelector.pfName"): "pfNames, a list",
    ("SriovNetworkNodePolicy", "spec.nicSelector.pciAddress"): "rootDevices, a list",
    ("SriovNetworkNodePolicy", "spec.spoofChk"): "spoofChk of the SriovNetwork",
    ("SriovNetworkNodePolicy", "spec.trust"): "trust of the SriovNetwork",
    ("SriovNetworkNodePolicy", "spec.linkState"): "linkState of the SriovNetwork",
    ("SriovNetworkNodePolicy", "spec.vlan"): "vlan of the SriovNetwork",
    ("SriovNetwork", "spec.metaPluginsConfig"): "metaPlugins",
    ("SriovIBNetwork", "spec.metaPluginsConfig"): "metaPlugins",
    ("SriovNetwork", "spec.mtu"): "mtu of the SriovNetworkNodePolicy, or of a tuning plugin in metaPlugins",
    ("SriovIBNetwork", "spec.pkey"): "pkey of an ib-sriov plugin in a NAD written by hand",
    ("SriovIBNetwork", "spec.rdmaIsolation"): "rdmaIsolation of an ib-sriov plugin in a NAD written by hand",
    ("IPoIBNetwork", "spec.mtu"): "no field here: the child takes the MTU of its master",
    ("sriov", "mtu"): "mtu of a tuning plugin chained after it",
    ("host-device", "mtu"): "mtu of a tuning plugin chained after it",
    ("macvlan", "device"): "master",
    ("ipvlan", "device"): "master",
    ("macvlan", "vlan"): "a master that is the VLAN's interface",
    ("ipvlan", "vlan"): "a master that is the VLAN's interface",
    ("ipoib", "pkey"): "a master that is the PKey's interface",
    ("ib-sriov", "vlan"): "pkey",
    ("ib-sriov", "spoofchk"): "no key: InfiniBand has no spoof check",
    ("ib-sriov", "trust"): "no key: InfiniBand has no trust",
    ("host-local", "range"): "subnet, or ranges",
    ("whereabouts", "subnet"): "range",
    ("whereabouts", "ranges"): "ipRanges",
    **{(ipam, "routes.gateway"): "gw" for ipam in ("host-local", "static", "whereabouts")},
    ("device-plugin-selectors", "pfName"): "pfNames, a list",
    ("device-plugin-selectors", "ifNames"): "pfNames",
    ("device-plugin-selectors", "deviceIDs"): "devices",
    ("rdma-shared", "selectors.devices"): "deviceIDs",
    ("rdma-shared", "selectors.pfNames"): "ifNames",
}
"""Names from outdated docs (k8snetworkplumbingwg/sriov-network-operator 249e200 README.md and doc/ have
some that its CRDs do not) and from related kinds of the same projects."""
_OF_METADATA = {key: f"metadata.{key}" for key in ("name", "namespace", "labels", "annotations")}
"""Fields that every object has in its metadata, and none next to apiVersion and kind."""


def instead_of(kind: str, path: str, in_object: bool) -> str:
    """What to write in place of a field that is known to be wrong; empty if it is not. ``in_object``: an
    object of the kind has it, not a JSON text."""
    return _KNOWN_WRONG.get((kind, path), _OF_METADATA.get(path, "") if in_object else "")


def nearest(key: str, known: list[str]) -> str:
    """The known name that was probably meant, the likeliest slip first; empty if there is none."""
    slips = (
        (k for k in known if _bare(k) == _bare(key)),
        (k for k in known if sorted(k) == sorted(key)),
        iter(difflib.get_close_matches(key, known, cutoff=_NEAR)),
        (k for k in known if len(k) > _SHORT and key.startswith(k)),
    )
    return next((name for slip in slips for name in slip), "")


def home_below(key: str, schema: Mapping[str, Any], stated: Mapping[str, Any]) -> str:
    """The field beside an unknown one that has it below itself, if one alone is stated, perhaps as null, or
    required; empty if there is none: a list indented as its parent is."""
    beside = schema.get("properties") or {}
    required = schema.get("required") or ()
    homes = [name for name, part in beside.items() if key in (part.get("properties") or ())]
    homes = [name for name in homes if name in stated or name in required]
    return homes[0] if len(homes) == 1 and not _has(stated.get(homes[0]), key) else ""


def _has(value: Any, key: str) -> bool:
    return isinstance(value, dict) and key in value


def _bare(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower()).removesuffix("s")
