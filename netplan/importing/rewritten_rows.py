"""What netplan writes where no key of an inventory has the value, by NOS: templates/switch/<nos>.

Lines are patterns of ``netplan.reading.switches``. Where their own source is not named, it is that of
``nos.yaml``. NVUE's profiles: CumulusNetworks/docs 3041e59c, Quality of Service. SONiC:
sonic-net/sonic-buildimage 086b03bd src/sonic-yang-models/yang-models. BGP timers: NVUE CumulusNetworks/docs
05e49539, Optional BGP Configuration; EOS pyavd 6.4.0, router_bgp.timers and neighbors.timers; NX-OS
ansible-collections/cisco.nxos 154aa540, nxos_bgp_global, timers; Junos Juniper/yang 24.4R1,
junos-qfx-conf-protocols, bgp hold-time and local-as.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

NO_KEY = "the inventory has no key for it"


@dataclass(frozen=True, slots=True)
class Rewritten:
    """``line``: its columns ``now...`` are the value. ``what``: its name in messages; of SONiC the table and
    the field. ``writes``: what netplan writes first, then what is no less than that; ``<column>`` of the
    line, or ``{word}``, a value of the switch; none if any value is told. ``why``: in place of that.
    ``beside``: lines that belong to it, joined by their common columns; without them it has no effect."""

    line: str
    what: str = ""
    writes: tuple[str, ...] = ()
    why: str = ""
    beside: tuple[str, ...] = ()


_MTU = "netplan writes the MTU of the ports"
_SEEDS = ("10", "20", "30")
_SEED_WHY = "netplan writes 10 on leaves and 20 on spines"
_TIMERS = "BGP keepalive and hold time"
_USUAL = ("60 180",)
"""Seconds, as shipped."""
_NXOS_BGP = r"router bgp [0-9]+ / "
_NXOS_NETWORK = ("system qos / service-policy type network-qos <policy>",)
_NXOS_OUT = ("system qos / service-policy type queuing output <policy>",)
_NXOS_QUEUE = "policy-map type queuing <policy> / class type queuing c-out-8q-q"
_COS = "set class-of-service "
_CNP = f"{_COS}congestion-notification-profile <profile> "
_CNP_USED = (f"{_COS}interfaces <port> congestion-notification-profile <profile>",)
_SCHEDULER = f"{_COS}schedulers <scheduler> "
_SCHEDULED = (rf"{_COS}scheduler-maps \S+ forwarding-class \S+ scheduler <scheduler>",)
_QUEUE_WRED = (r"QUEUE / .+ / wred_profile = <row>",)
_QUEUE_SCHEDULER = (r"QUEUE / .+ / scheduler = <row>",)
_DYNAMIC = ("DEVICE_METADATA / localhost / buffer_model = dynamic",)
_PROFILES = "netplan leaves priority groups to the profiles that the switch works out itself"
_RANGES = "buffers.patch.json is for the image's rows 0-2, 3-4 and 5-6, and for rows of one number"
_STOCK = r"[^|]+\|(?!(?:[0-9]+|3-4|0-2|5-6)$)<now>"
"""Another range of queues and priority groups than the image's own rows have, which buffers.patch.json
divides (files/build_templates/buffers_config.j2 there)."""


def _sonic_timers() -> tuple[Rewritten, ...]:
    tables = ("BGP_GLOBALS", "BGP_NEIGHBOR", "BGP_PEER_GROUP")
    usual = {"keepalive": "60", "holdtime": "180"}
    return tuple(
        Rewritten(f"{table} / .+ / {field} = <now>", writes=(seconds,), why=NO_KEY)
        for table in tables
        for field, seconds in usual.items()
    )


def _nvue_qos() -> tuple[Rewritten, ...]:
    """Of the profile of all ports, what belongs to no class; and profiles of single ports."""
    profiles = "pfc|congestion-control|egress-queue-mapping|egress-scheduler|egress-shaper|mapping|remark"
    pfc, of_class = "nv set qos pfc default-global ", "[0-9,-]+ [a-z-]+"
    limits = f"{pfc}(port-buffer|xoff-threshold|xon-threshold) <now>"
    return (
        Rewritten(f"{pfc}tx <now>", "qos pfc tx", ("enable",), NO_KEY),
        Rewritten(f"{pfc}rx <now>", "qos pfc rx", ("enable",), NO_KEY),
        Rewritten(f"{pfc}cable-length <now>", "qos pfc cable-length", why=NO_KEY),
        Rewritten(limits, "buffer of qos pfc", why=NO_KEY),
        Rewritten(f"{limits} <now_unit>", "buffer of qos pfc", why=NO_KEY),
        Rewritten(
            f"nv set qos remark default-global (rewrite|switch-priority {of_class}) <now>",
            "qos remark",
            why=NO_KEY,
        ),
        Rewritten(
            f"nv set qos egress-shaper default-global (port-max-rate|traffic-class {of_class}) <now>",
            "qos egress-shaper",
            why=NO_KEY,
        ),
        Rewritten(
            f"nv set interface <port> qos ({profiles}) profile (?!default-global$)<now>",
            "qos profile of ports",
            why="classes are those of the profile default-global",
        ),
    )


def _sonic_colours() -> tuple[Rewritten, ...]:
    """netplan writes the thresholds of green packets for yellow and red ones."""
    return tuple(
        Rewritten(
            f"WRED_PROFILE / <row> / {colour}_{part} = <now>",
            writes=("<green>",),
            beside=(*_QUEUE_WRED, f"WRED_PROFILE / <row> / green_{part} = <green>"),
        )
        for colour in ("yellow", "red")
        for part in ("min_threshold", "max_threshold", "drop_probability")
    )


ROWS: Mapping[str, tuple[Rewritten, ...]] = {
    "sonic": (
        Rewritten("PFC_WD / .+ / action = <now>", writes=("drop",)),
        Rewritten(
            "SCHEDULER / <row> / type = <now>", writes=("DWRR", "STRICT"), beside=_QUEUE_SCHEDULER
        ),
        Rewritten(
            "WRED_PROFILE / <row> / ecn = <now>", writes=("ecn_all", "ecn_none"), beside=_QUEUE_WRED
        ),
        *(
            Rewritten(
                f"WRED_PROFILE / <row> / wred_{colour}_enable = <now>", writes=("true",), beside=_QUEUE_WRED
            )
            for colour in ("green", "yellow", "red")
        ),
        Rewritten("BGP_NEIGHBOR / .+ / admin_status = <now>", writes=("up", "true")),  # true: of frrcfgd
        Rewritten(
            "BGP_NEIGHBOR / .+ / local_addr = <now:ip>",
            writes=("{addresses}",),
            why="netplan writes the address of the port to the neighbour",
        ),
        Rewritten("VLAN_INTERFACE / .+ / grat_arp = <now>", writes=("enabled",)),
        Rewritten("LLDP / .+ / enabled = <now>", writes=("true",)),
        Rewritten(
            "SCHEDULER / <row> / (?!type |weight ).+ = <now>",
            why="netplan's SCHEDULER rows have none",
            beside=_QUEUE_SCHEDULER,
        ),
        *_sonic_colours(),
        Rewritten("MAP_PFC_PRIORITY_TO_QUEUE / .+ / <priority> = <now>", writes=("<priority>",)),
        Rewritten("TC_TO_QUEUE_MAP / .+ / <queue> = <now>", writes=("<queue>", "0")),
        Rewritten("TC_TO_PRIORITY_GROUP_MAP / .+ / <pg> = <now>", writes=("<pg>", "0")),
        Rewritten("PFC_PRIORITY_TO_PRIORITY_GROUP_MAP / .+ / <priority> = <now>", writes=("<priority>", "0")),
        Rewritten(
            "DEFAULT_LOSSLESS_BUFFER_PARAMETER / .+ / default_dynamic_th = <now>",
            writes=("{dynamic_th}",),
            beside=_DYNAMIC,
        ),
        Rewritten(
            "LOSSLESS_TRAFFIC_PATTERN / .+ / mtu = <now>", writes=("{lossless_mtu}",), beside=_DYNAMIC
        ),
        Rewritten(f"BUFFER_PG / {_STOCK}", why=_RANGES),
        Rewritten(f"BUFFER_QUEUE / {_STOCK}", why=_RANGES),
        # of the image and of buffermgrd (sonic-net/sonic-swss cfgmgr/buffermgr.cpp)
        Rewritten(
            "BUFFER_PG / .+ / profile = (?!pg_lossless_|ingress_lossy_|NULL)<now>", why=_PROFILES
        ),
        Rewritten("VLAN / .+ / mtu = <now>", writes=("{mtu}",), why=_MTU),
        *_sonic_timers(),
    ),
    "cumulus-nvue": (
        Rewritten("nv set bridge domain br_default type <now>", "type of br_default", ("vlan-aware",)),
        Rewritten("nv set interface vlan<vlan> vlan <now:number>", "vlan of its interface", ("<vlan>",)),
        Rewritten("nv set interface <port> lldp dcbx-pfc-tlv <now>", "lldp dcbx-pfc-tlv", ("on", "enabled")),
        Rewritten("nv set system forwarding hash-seed <now:number>", "hash-seed", _SEEDS, _SEED_WHY),
        Rewritten("nv set qos mapping default-global trust <now>", "qos mapping trust", ("both", "l2")),
        Rewritten(
            "nv set qos egress-queue-mapping default-global switch-priority 0 traffic-class <now:number>",
            "traffic-class of switch-priority 0", ("0",),
        ),
        Rewritten(
            r"nv set vrf \S+ router bgp ((neighbor|peer-group) \S+ )?timers keepalive <now:number>",
            "BGP timers keepalive", ("60",), NO_KEY,
        ),
        Rewritten(
            r"nv set vrf \S+ router bgp ((neighbor|peer-group) \S+ )?timers hold <now:number>",
            "BGP timers hold", ("180",), NO_KEY,
        ),
        *_nvue_qos(),
    ),
    "arista-eos": (
        Rewritten("interface <port> / dcbx mode <now>", "dcbx mode", why="netplan writes no dcbx mode"),
        Rewritten("no lldp run", "no lldp run", why="netplan writes lldp run"),
        Rewritten(
            "qos map traffic-class 0 to (uc-)?tx-queue <now:number>", "tx-queue of traffic-class 0", ("0",)
        ),
        Rewritten(
            "qos profile <profile> / (uc-)?tx-queue [0-9]+ / bandwidth guaranteed <now>( <now_last>)?",
            "bandwidth guaranteed", why=NO_KEY, beside=("interface <port> / service-profile <profile>",),
        ),
        Rewritten(
            "router bgp [0-9]+ / maximum-paths <now:number>( ecmp [0-9]+)?",
            "maximum-paths", ("{neighbours}",), "netplan writes as many as the switch has neighbours",
        ),
        Rewritten(
            "router bgp [0-9]+ / timers bgp <now:number> <now_hold:number>( .+)?", _TIMERS, _USUAL, NO_KEY
        ),
        Rewritten(
            r"router bgp [0-9]+ / neighbor \S+ timers <now:number> <now_hold:number>( .+)?",
            _TIMERS, _USUAL, NO_KEY,
        ),
    ),
    "cisco-nxos": (
        Rewritten("system jumbomtu <now:number>", "system jumbomtu", ("{mtu}",), _MTU),
        Rewritten(
            r"policy-map type network-qos <policy> / class type network-qos \S+ / mtu <now:number>",
            "mtu of a network-qos class", ("{mtu}",), _MTU, _NXOS_NETWORK,
        ),
        *(
            Rewritten(
                f"{_NXOS_QUEUE}{queue} / priority level <now:number>",
                f"priority level of queue {queue}", (f"{8 - queue}",),
                beside=_NXOS_OUT if queue == 7 else (*_NXOS_OUT, f"{_NXOS_QUEUE}7 / priority level [1-8]"),
            )
            for queue in range(8)
        ),
        Rewritten(
            f"{_NXOS_QUEUE}([0-7]|-default) / shape <now> <now_a> <now_b> <now_c> <now_d> <now_e>",
            "shape of a queue", why=NO_KEY, beside=_NXOS_OUT,
        ),
        Rewritten(
            "class-map type qos match-any <class> / match cos <now>", "match cos",
            why="beside match dscp an inventory has classes by DSCP alone",
            beside=("class-map type qos match-any .+ / match dscp <dscp*>",),
        ),
        Rewritten(
            f"{_NXOS_QUEUE}([0-7]|-default) / bandwidth percent <now:number>", "bandwidth percent of a queue",
            why="netplan writes bandwidth remaining percent; state bandwidth_percent of the class",
            beside=_NXOS_OUT,
        ),
        Rewritten(
            f"{_NXOS_QUEUE}([0-7]|-default) / queue-limit <now>( <now_size>)?", "queue-limit of a queue",
            why=NO_KEY, beside=_NXOS_OUT,
        ),
        Rewritten(
            rf"{_NXOS_QUEUE}[0-7] / random-detect minimum-threshold <now:number> .+(?<! ecn)",
            "random-detect minimum-threshold",
            why="without ecn it drops packets; netplan writes ecn or nothing", beside=_NXOS_OUT,
        ),
        Rewritten(
            f"{_NXOS_BGP}address-family .+ unicast / maximum-paths <now:number>", "maximum-paths", ("64",)
        ),
        Rewritten(
            "ip load-sharing address .+ universal-id <now:number>( .+)?", "universal-id", _SEEDS, _SEED_WHY
        ),
        Rewritten(
            "interface Vlan<vlan> / no ip arp gratuitous update", "no ip arp gratuitous update",
            why="netplan writes ip arp gratuitous update",
        ),
        Rewritten(f"{_NXOS_BGP}timers bgp <now:number> <now_hold:number>", _TIMERS, _USUAL, NO_KEY),
        Rewritten(
            rf"{_NXOS_BGP}neighbor .+ / timers <now:number> <now_hold:number>", _TIMERS, _USUAL, NO_KEY
        ),
        Rewritten(
            rf"{_NXOS_BGP}template peer \S+ / timers <now:number> <now_hold:number>", _TIMERS, _USUAL, NO_KEY
        ),
    ),
    "juniper-junos": (
        Rewritten(
            rf"{_CNP}input (dscp|ieee-802\.1) code-point [01]+ pfc mru <now:number>",
            "pfc mru", ("{mtu}",), _MTU, _CNP_USED,
        ),
        Rewritten(
            rf"{_CNP}input (dscp|ieee-802\.1) code-point [01]+ pfc", "pfc without mru", (), _MTU, _CNP_USED
        ),
        Rewritten(
            rf"{_CNP}output ieee-802\.1 code-point <priority:bits> flow-control-queue <now:number>",
            "flow-control-queue", ("<priority>",), beside=_CNP_USED,
        ),
        Rewritten(
            f"{_CNP}pfc-watchdog watchdog-action <now>", "watchdog-action", ("drop",),
            "netplan's watchdog drops the packets of a stuck queue", _CNP_USED,
        ),
        Rewritten(
            f"{_SCHEDULER}buffer-size (percent |temporal )?<now>( exact)?", "buffer-size of a scheduler",
            why="netplan's schedulers have none", beside=_SCHEDULED,
        ),
        Rewritten(
            f"{_SCHEDULER}priority <now>", "priority of a scheduler", ("strict-high", "low"),
            "netplan writes strict-high or none", _SCHEDULED,
        ),
        Rewritten(
            f"{_SCHEDULER}transmit-rate (percent )?<now> exact", "transmit-rate exact",
            why="netplan's schedulers have no exact rate", beside=_SCHEDULED,
        ),
        Rewritten(
            f"{_SCHEDULER}transmit-rate <now>", "transmit-rate",
            why="netplan writes percent; state bandwidth_percent of the class", beside=_SCHEDULED,
        ),
        Rewritten(
            f"{_SCHEDULER}drop-profile-map loss-priority <now> .+", "loss-priority of a drop profile",
            ("any",), beside=_SCHEDULED,
        ),
        Rewritten(
            rf"{_COS}classifiers <kind> <map> forwarding-class \S+ loss-priority <now> .+",
            "loss-priority of a classifier", ("low",),
            beside=(f"{_COS}interfaces <port> unit 0 classifiers <kind> <map>",),
        ),
        Rewritten(r"set protocols bgp (group \S+ (neighbor \S+ )?)?local-as <now>( .+)?",
                  "local-as of BGP", why=NO_KEY),
        Rewritten(
            r"set protocols bgp (group \S+ (neighbor \S+ )?)?hold-time <now:number>", "hold-time of BGP",
            ("90",), NO_KEY,
        ),
    ),
    "onyx": (
        Rewritten(
            r"router bgp [0-9]+ vrf default router-id <now>( force)?", "router-id", ("{loopback}",),
            "netplan writes the loopback, or router_id of the switch",
        ),
        Rewritten(
            r"router bgp [0-9]+ vrf \S+ neighbor \S+ timers <now:number> <now_hold:number>",
            _TIMERS, _USUAL, NO_KEY,
        ),
    ),
}  # fmt: skip
"""Lines that a rollout replaces, or that stay although no inventory states them."""
