"""Checks what readers found against the inventory keys it would be written to.

A value that the schema rejects there is wrong or cannot be expressed: it is reported with its place and
left out. The rule applies to every reader.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from jsonschema import Draft202012Validator

from netplan.importing.facts import WORDS, Fact, Kind, Remark, Value, not_taken
from netplan.importing.kubernetes.workloads import SIZES
from netplan.model.inventory_schema import schema_at

_HCA = ("host_types", "*", "hcas", "*")
_NET = ("networks", "*")
KEYS: Mapping[tuple[Kind, str], tuple[str, ...]] = {
    ("card", "vfs"): (*_HCA, "vfs"),
    ("card", "netdev"): (*_HCA, "netdev"),
    ("card", "rdma_device"): (*_HCA, "rdma_device"),
    ("card", "speed_gbps"): (*_HCA, "speed_gbps"),
    ("card", "numa"): (*_HCA, "numa"),
    ("card", "rail"): (*_HCA, "rail"),
    ("card", "mtu"): ("fabric", "mtu"),
    ("network", "mtu"): ("fabric", "mtu"),
    ("resource", "pod_mtu"): ("fabric", "mtu"),
    ("resource", "vfs"): (*_HCA, "vfs"),
    ("resource", "share_max"): (*_NET, "share_max"),
    ("pool", "block_size"): (*_NET, "block_size"),
    ("port", "cable_m"): ("links", "[]", "cable_m"),
    ("port", "headroom_m"): ("links", "[]", "cable_m"),
    ("switch", "nos_version"): ("switch_types", "*", "nos_version"),
    ("class", "kmin_bytes"): ("fabric", "qos", "classes", "*", "ecn", "kmin_bytes"),
    ("class", "kmax_bytes"): ("fabric", "qos", "classes", "*", "ecn", "kmax_bytes"),
    ("class", "probability_percent"): ("fabric", "qos", "classes", "*", "ecn", "probability_percent"),
    ("cluster", "watchdog/poll_ms"): ("fabric", "qos", "pfc_watchdog", "poll_ms"),
    ("cluster", "watchdog/detection_ms"): ("fabric", "qos", "pfc_watchdog", "detection_ms"),
    ("cluster", "watchdog/restoration_ms"): ("fabric", "qos", "pfc_watchdog", "restoration_ms"),
    ("cluster", "maintenance/max_unavailable"): ("cluster", "maintenance", "max_unavailable"),
    ("cluster", "images_repository"): ("cluster", "network_operator", "repository"),
    ("cluster", "images_version"): ("cluster", "network_operator", "version"),
    ("cluster", "ofed_version"): ("cluster", "network_operator", "ofed_version"),
    ("cluster", "sriov_namespace"): ("cluster", "sriov_operator", "namespace"),
    ("cluster", "pod_cidr"): ("cluster", "primary_network", "pod_cidr"),
    ("cluster", "service_cidr"): ("cluster", "primary_network", "service_cidr"),
    ("cluster", "operator_namespace"): ("cluster", "network_operator", "namespace"),
    **{("workload", name): ("workloads", "*", name) for name in SIZES},
}
"""Subject and field of a fact -> where an inventory has it."""
_NONE: Mapping[tuple[Kind, str], Value] = {("card", "vfs"): 0}
"""Values that mean none and are not written."""
_MOST_AS = 2**32 - 2
"""The last AS number is reserved (RFC 7300)."""


def misfit(fact: Fact) -> Remark | None:
    """Why no inventory can have the value; None if it can."""
    at = (fact.kind, fact.field)
    path = KEYS.get(at) or _of_image(fact)
    if at == ("switch", "asn"):
        wrong = "" if isinstance(fact.value, int) and 0 < fact.value <= _MOST_AS else "not a valid AS number"
    elif path is None or _NONE.get(at) == fact.value:
        return None
    else:
        wrong = refusal(path, fact.value)
    return not_taken(fact.at, f"{WORDS[fact.kind]} {fact.field}", fact.value, wrong) if wrong else None


def _of_image(fact: Fact) -> tuple[str, ...] | None:
    """``image/nvIpam/version``, such as a digest."""
    part, _, key = fact.field.rpartition("/")
    own = fact.kind == "cluster" and part.startswith("image/")
    return ("cluster", "network_operator", "images", "*", key) if own else None


@lru_cache(maxsize=65536)
def refusal(path: tuple[str, ...], value: Value) -> str:
    """Why the schema refuses a value of a key; empty if it does not."""
    schema = schema_at(*path)
    if Draft202012Validator(schema).is_valid(list(value) if isinstance(value, tuple) else value):
        return ""
    if "enum" in schema:
        return f"the inventory allows {', '.join(map(str, schema['enum']))}"
    if isinstance(value, int) and "maximum" in schema:
        return f"the inventory allows {schema.get('minimum', 0):,} to {schema['maximum']:,}"
    return "not valid in an inventory"
