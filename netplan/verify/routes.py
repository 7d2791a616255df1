"""NP918: routing tables and rule priorities in the routes.yaml of workloads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

LOCAL, MAIN, UNSPEC, DEFAULT, COMPAT = 255, 254, 0, 253, 252
TABLE_MAX = 1023  # busybox networking/libiproute/rt_names.c, RT_TABLE_MAX (1.35 refuses 1024)
RULE_MAX = 32765  # the rule of table main has 32766
OTHERS = (range(100, 200), range(500, 501), range(1000, 2000))
"""Tables that others assign by themselves: sbr (containernetworking/plugins v1.9.1
plugins/meta/sbr/main.go, firstTableID), Spiderpool (spidernet-io/spiderpool v1.2.2
cmd/coordinator/cmd/utils.go and cni_types.go), DRANET (kubernetes-sigs/dranet v1.4.0
pkg/apis/defaults.go, pkg/cloudprovider/azure/azure.go)."""


def tables(data: Mapping[str, Any]) -> Iterator[str]:
    """Each rail has its own routing table and rule priority, in a range that nothing else uses.

    **Why.** Two rails with the same table both send on the rail configured last. If a CNI plugin uses the
    same table, it fails or mixes its routes with these; busybox supports no table above 1023.
    **Fix.** This is a bug in netplan: report it with the inventory.
    **Source.** containernetworking/plugins 3d27709f plugins/meta/sbr/main.go; spidernet-io/spiderpool
    a7fbd3b2 cmd/coordinator/cmd/utils.go; kubernetes-sigs/dranet v1.4.0 pkg/apis/defaults.go; busybox
    networking/libiproute/rt_names.c, RT_TABLE_MAX (1.35 refuses table 1024).
    """
    entries = [e for e in data.get("interfaces", ()) if "table" in e]
    for family in sorted({e["family"] for e in entries}):
        mine = [e for e in entries if e["family"] == family]
        for table, times in _twice(e["table"] for e in mine):
            yield f"{times} interfaces have {family} table {table}"
        for priority, times in _twice(e["rule"]["priority"] for e in mine if "priority" in e["rule"]):
            yield f"{times} {family} rules have priority {priority}"
    for entry in entries:
        yield from (f"{entry['interface']}: {text}" for text in _out_of_range(entry))


def _twice(values: Iterable[int]) -> Iterator[tuple[int, int]]:
    """(value, count) of each value that occurs more than once."""
    yield from ((value, times) for value, times in Counter(values).items() if times > 1)


def _out_of_range(entry: Mapping[str, Any]) -> Iterator[str]:
    table, priority = entry["table"], entry["rule"].get("priority", 1)
    if table in (UNSPEC, COMPAT, DEFAULT, MAIN, LOCAL) or not 0 < table <= TABLE_MAX:
        yield f"table {table} is the kernel's own or above {TABLE_MAX}"
    if entry["back_end"] != "sbr" and any(table in numbers for numbers in OTHERS):
        yield f"table {table} is one that CNI plugins number by themselves"
    if not 0 < priority <= RULE_MAX:
        yield f"rule priority {priority} is not before that of table main"
