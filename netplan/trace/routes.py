"""``routes.yaml`` of a workload: what its rails should reach, and the tables that takes.

The file only describes; what plugins and scripts install is compared with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from ipaddress import ip_address, ip_network
from typing import Any

from netplan.reading.kubernetes.objects import Thing
from netplan.records import dataclass
from netplan.trace.linux import MAIN, Address, KernelRoute, Namespace, Owned, Prefix, default_route
from netplan.trace.model import TraceError

_JUDGED = ("sbr", "script", "table", "none")
"""Back ends that are walked; no file says what the others set up."""
_OTHERS = ("claim", "spiderpool")
_OWN = "each address of the interface"


@dataclass(frozen=True, slots=True)
class _Way:
    """A route as it should be. ``via`` is None for an on-link route."""

    dst: Prefix
    via: Address | None
    refused: bool
    at: str

    def __str__(self) -> str:
        how = f"via {self.via}" if self.via is not None else "on the link"
        return f"{self.dst} {'unreachable' if self.refused else how}"

    def same(self, route: KernelRoute, interface: str) -> bool:
        if self.refused:
            return route.dst == self.dst and route.dev is None
        return (route.dst, route.via, route.dev) == (self.dst, self.via, interface)


@dataclass(frozen=True)
class Routes:
    """``thing``: None if the workload has no such file."""

    file: str
    thing: Thing | None

    @cached_property
    def entries(self) -> tuple[Mapping[str, Any], ...]:
        """One for each interface and IP version. Raises TraceError."""
        found = self._of(lambda body: tuple(body.get("interfaces", ())))
        return found if found is not None else ()

    @cached_property
    def rails(self) -> Mapping[str, tuple[int, tuple[str, ...]]]:
        """Interface -> (rail, prefixes to reach through its gateway)."""
        return dict(self._of(lambda _: self._rails()) or {})

    @cached_property
    def unbound(self) -> bool:
        """Whether the pod's processes use unbound sockets."""
        return bool(self._of(lambda body: body.get("unbound_traffic") is True))

    @cached_property
    def outside(self) -> frozenset[str]:
        """Interfaces whose gateway is a router that no file describes."""
        found = self._of(
            lambda _: frozenset(
                str(entry["interface"]) for entry in self.entries if entry.get("gateway_owner") == "external"
            )
        )
        return found if found is not None else frozenset()

    def at(self, interface: str) -> str:
        """File and line of an interface's entry."""
        named = (i for i, entry in enumerate(self.entries) if entry["interface"] == interface)
        return self._at("interfaces", next(named, 0), "interface")

    def _at(self, *path: str | int) -> str:
        if self.thing is None:
            return self.file
        return f"{self.file}:{self.thing.source(path).line}"

    def _of(self, ask: Any) -> Any:
        if self.thing is None:
            return None
        try:
            return ask(self.thing.body)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise TraceError(f"{self.file}: not of the form netplan writes, {error!r}") from error

    def _rails(self) -> dict[str, tuple[int, tuple[str, ...]]]:
        found: dict[str, tuple[int, tuple[str, ...]]] = {}
        for entry in self.entries:
            listed = (r["to"] for r in entry.get("routes", ()) if "/" in r["to"] and "via" in r)
            reached = (*listed, *entry.get("by_default", ()))
            for prefix in reached:
                ip_network(prefix)
            name = str(entry["interface"])
            before = found[name][1] if name in found else ()
            found[name] = (int(entry["rail"]), (*before, *reached))
        return found

    def differences(self, space: Namespace, file: str) -> Iterator[str]:
        """Where plugins and scripts set up something else than this file says. ``file``: where they stand."""
        yield from self._of(lambda _: list(self._differences(space, file))) or ()

    def _differences(self, space: Namespace, file: str) -> Iterator[str]:
        for index, entry in enumerate(self.entries):
            if entry["back_end"] not in (*_JUDGED, *_OTHERS):
                raise ValueError(f"there is no back end {entry['back_end']}")
            owned = space.owned(str(entry["interface"]), _version(entry))
            if entry["back_end"] not in _JUDGED or not owned:
                continue
            if "table" in entry:
                yield from self._rules(index, space, owned, file)
            if owned[0].prefix.num_addresses > 1:
                yield from self._ways(index, "routes", space, int(entry.get("table") or MAIN), file)
                yield from self._ways(index, "main", space, MAIN, file)

    def _rules(self, index: int, space: Namespace, owned: Sequence[Owned], file: str) -> Iterator[str]:
        """Rules that send the interface's packets to its table."""
        entry = self.entries[index]
        table, stated, priority = entry["table"], entry["rule"]["from"], entry["rule"].get("priority")
        sources = {ip_network(o.ip) for o in owned} if stated == _OWN else {ip_network(stated)}
        known = {r.source for r in space.rules if r.table == table and priority in (None, r.priority)}
        for source in sorted(sources - known, key=str):
            said = f"{f'{priority}: ' if priority is not None else ''}from {source} lookup {table}"
            at = self._at("interfaces", index, "rule")
            yield f"{entry['interface']} has no rule {said} ({file}), which {at} states"

    def _ways(self, index: int, key: str, space: Namespace, table: int, file: str) -> Iterator[str]:
        """Missing routes, and routes in the table that the file does not list."""
        entry = self.entries[index]
        interface, version = str(entry["interface"]), _version(entry)
        ways = [self._way(index, key, n, version) for n in range(len(entry.get(key, ())))]
        stated = list(filter(None, ways))
        if len(stated) < len(ways):
            return
        there = space.table(table)
        name = "main" if table == MAIN else table
        for way in stated:
            if not any(way.same(route, interface) for route in there):
                yield f"table {name} lacks {way} for {interface} ({file}), which {way.at} states"
        if key == "routes" and stated:
            for route in there:
                if route.dst.version == version and not any(w.same(route, interface) for w in stated):
                    how = f"via {route.via}" if route.via is not None else "on the link"
                    at = self._at("interfaces", index, key)
                    yield f"table {name} has {route.dst} {how} ({file}), which {at} does not list"

    def _way(self, index: int, key: str, number: int, version: int) -> _Way | None:
        """The route as it should be; None if it depends on the node."""
        row = self.entries[index][key][number]
        to, via = row["to"], row.get("via")
        if "node-prefix" in (to,) or via == "node-gateway":
            return None
        dst = default_route(version) if to == "default" else ip_network(to)
        if not via and row.get("type") != "unreachable" and row.get("scope") != "link":
            raise ValueError(f"{to} is neither via a gateway nor on the link")
        at = self._at("interfaces", index, key, number)
        return _Way(dst, ip_address(via) if via else None, row.get("type") == "unreachable", at)


def _version(entry: Mapping[str, Any]) -> int:
    return {"ipv4": 4, "ipv6": 6}[entry["family"]]
