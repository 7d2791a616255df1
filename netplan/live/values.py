"""Values that an output can have in a place: any other is damaged, as on a serial console, or of a form that
nobody knows, and neither right nor wrong.

States of a link: ifOperStatus of RFC 2863, as EOS, Junos and the kernel (RFC 2863 operational state) name
them; of sessions: RFC 4271, 8.2.2, and FRRouting/frr fbfc8222 bgpd/bgp_vty.c (bgp_show_summary: Clearing,
Deleted, the reason behind Idle; (Policy), NoNeg); Shut and Closing of NX-OS and states of a family of EOS:
unconfirmed; the others: sonic-net/sonic-utilities 691b1bbc and the sources of the reader of each command.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from netplan.live.model import Reading
from netplan.model.values import parse_network

_NUMBER = r"[0-9]{1,10}"
_LINK = r"up|down|testing|unknown|dormant|not ?present|lower ?layer ?down"
_SESSION = (
    r"idle(?: ?\([a-z]+\))?|connect|active|opensent|openconfirm|established|clearing|deleted|closing"
    r"|shut(?:down)?(?: ?\([a-z]+\))?|noneg|\(?policy\)?"
    r"|not ?negotiated|negotiated|advertised|received|configured"
)
_MODE = (
    r"routed|bridged|trunk|access|native|dot1q-tunnel|fex-fabric|datalink|recirc|quietdiscard|unauthorized"
    r"|member of \S+|(?:port-?channel|po|ae|bond)[0-9]\S*|[0-9]+"
)
_FORMS: Mapping[str, str] = {
    "oper": _LINK,
    "admin": _LINK,
    "mtu": _NUMBER,
    "speed": r"[0-9.]+[GM]",
    "asym pfc": "on|off",
    "AS": _NUMBER,
    "session": _SESSION,
    "router id": r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}",
    "action": "drop|forward|alert",
    "detection": _NUMBER,
    "restoration": rf"{_NUMBER}|infinite",
    "interval": _NUMBER,
    "times": _NUMBER,
    "age": _NUMBER,
    "tagging": r"tagged|untagged|priority_tagged|untagged without PVID|tagged with PVID",
}
"""By field; those of a card, a rail and a cable, of other fields too, may be anything."""
_BY_KIND: Mapping[tuple[str, str], str] = {
    ("interfaces", "mode"): _MODE,
    ("fec", "oper"): "rs|fc|none|auto|off",
    ("fec", "admin"): "rs|fc|none|auto|off",
    ("interfaces", "fec"): "rs|fc|none|auto|off",
    ("pfc mode", "oper"): "on|off|auto",
    ("storm", "status"): "operational|stormed",
    ("storm", "detected"): _NUMBER,
    ("watchdog", "status"): "enable|disable",
    ("sysctl", "value"): _NUMBER,
    ("ecn", "ecn"): r"ecn_(?:none|all|green|yellow|red|green_yellow|green_red|yellow_red)",
}
_OF_WRED = {"_enable": "true|false", "_threshold": _NUMBER, "_probability": _NUMBER}
_ANY = frozenset({"card", "rails", "lldp"})


def is_value(one: Reading) -> bool:
    if one.kind in _ANY or not one.found:
        return True
    if one.field == "addresses":
        return all(map(parse_network, one.found.split()))
    of_wred = (form for end, form in _OF_WRED.items() if one.kind == "ecn" and one.field.endswith(end))
    form = _BY_KIND.get((one.kind, one.field)) or next(of_wred, _FORMS.get(one.field, ""))
    return not form or re.fullmatch(form, one.found, re.IGNORECASE) is not None
