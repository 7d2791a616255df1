"""Settings that nothing else of the drift compares: those that no fact of the NOS's readers is made of, or a
fact that is for other commands. The planned files are compared with what runs setting by setting.

Of a form that leaves defaults out, a planned setting that is not there may be the default: it is a note.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from netplan.changes.commands import Form, InPlace
from netplan.changes.drift_settings import Compared, Differs, Settings, grouped, said_of
from netplan.reading.switches.rules import Rules
from netplan.report import few

COMPARED = frozenset(
    {
        *("port-up", "port-down", "port-mtu", "port-ip-mtu", "port-frame", "port-address"),
        *(
            "vlan",
            "untagged",
            "trunk",
            "native",
            "trunking",
            "trunk-listed",
            "trunk-all",
            "routed",
            "bridged",
        ),
        *("vlan-address", "loopback", "asn", "neighbour", "neighbour-any-as", "network", "paths"),
        *("routing", "vlan-routing", "bgp", "trust", "dscp", "dscp-rest", "group", "pfc", "buffer"),
        *("queue-buffer", "headroom", "ecn", "ecn-off", "ecn-percent", "watchdog", "watchdog-off"),
        *("watchdog-detection", "watchdog-restoration", "strict", "weight", "arp", "arp-ms"),
    }
)
"""Facts whose difference is a step (``netplan.changes.steps``)."""
_NAMED = 12


class Lines:
    """``planned``: the planned files that ``text``, what runs, contains. ``unlike``: whether the readers of
    the NOS see that files differ from the planned ones, and that a text differs from what runs. ``shown``:
    of ``text``, what the running configuration shows; the rest is what a line of it stands for."""

    def __init__(
        self,
        form: Form,
        rules: Rules,
        planned: Mapping[str, str],
        text: str,
        unlike: tuple[Callable[[Mapping[str, str]], bool], Callable[[str], bool]],
        shown: str,
    ) -> None:
        told = frozenset(
            pattern
            for fact, sources in rules.facts.items()
            if fact in COMPARED
            for source in sources
            for pattern in source.patterns
        )
        runs = form.stated({"": text})
        shows = runs if shown == text else form.stated({"": shown})
        ran = Compared(
            form=form,
            rules=rules,
            files=planned,
            text=text,
            planned=form.stated(planned),
            runs=runs,
            shown=shows,
            unlike=unlike,
            told=told,
        )
        in_place = form.in_place(runs, ran.planned, text) or (InPlace({}),)
        self._each = [Settings(ran, beside) for beside in in_place]

    def differing(self) -> Iterator[Differs]:
        """What runs with another value, is not planned in an entry of netplan's own, or is missing."""
        yield from dict.fromkeys(found for each in self._each for found in each.differing())

    def unseen(self) -> str:
        """Planned settings that what runs does not show: defaults, and what a line of it stands for."""
        unseen = dict.fromkeys(one for each in self._each for one in each.unseen())
        return few([said_of(same) for same in grouped(unseen)], _NAMED)
