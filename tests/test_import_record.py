"""``netplan import`` from a source of truth: NetBox, Nautobot, and cable tables.

Objects have the structure of the serializers named in ``netplan/importing/netbox``, with the keys of exports
of demo.netbox.dev; values are our own, from the rendered cables of a site.
"""

from __future__ import annotations

import json
import re
import uuid
from functools import cache
from typing import Any

import pytest
import yaml

from netplan.importing.netbox.cables import metres_of
from netplan.importing.recognise import recognised
from netplan.importing.run import Imported, import_texts
from tests.dumped_site import cables, cluster_dumps, config_dbs
from tests.inventories import compiled, outputs, text_of
from tests.test_import import ODD, spots, with_odd

FILES = outputs(compiled("iei-rocev2"))
Object = dict[str, Any]
API = "https://netbox.example.com/api"


class NetBox:
    """Objects of each model; ids as in NetBox (numbers) or Nautobot (UUIDs)."""

    def __init__(self, nautobot: bool = False) -> None:
        self.nautobot = nautobot
        self.models: dict[str, list[Object]] = {}
        self.known: dict[tuple[str, ...], Object] = {}

    def new(self, model: str, /, *key: str, **fields: Any) -> Object:
        number = len(self.known) + 1
        ident = str(uuid.UUID(int=number)) if self.nautobot else number
        thing = {"id": ident, "url": f"{API}/{model}/{ident}/", "display": key[-1], **fields}
        self.models.setdefault(model, []).append(thing)
        self.known[(model, *key)] = thing
        return thing

    def brief(self, thing: Object, *fields: str) -> Object:
        """A reference to an object; with Nautobot's ``?depth=0``, it contains no name."""
        names = () if self.nautobot else ("display", *fields)
        return {name: thing[name] for name in ("id", "url", *names)}

    def pages(self) -> dict[str, str]:
        return {
            f"{model.replace('/', '-')}.json": json.dumps(
                {"count": len(things), "next": None, "previous": None, "results": things}, indent=1
            )
            for model, things in self.models.items()
        }


def recorded(nautobot: bool = False, panel: bool = False) -> NetBox:
    """The site's devices, interfaces and cables. ``panel``: cables end on patch panels."""
    box = NetBox(nautobot)
    leaf, spine, server = (
        box.new("extras/roles" if nautobot else "dcim/device-roles", name, name=name, slug=name)
        for name in ("leaf", "spine", "gpu-server")
    )
    sn, box_type = (
        box.new("dcim/device-types", model, model=model, slug=model.lower())
        for model in ("SN2700", "NF5468M5")
    )
    vlan = [box.new("ipam/vlans", str(vid), vid=vid, name=f"rail-{vid}") for vid in range(100, 104)]
    for row in cables(FILES):
        ends = [(row["switch"], row["port"], leaf, sn)]
        far = (row["peer"], row["netdev"] or row["peer_port"])
        ends.append((*far, server, box_type) if row["peer_kind"] == "host" else (*far, spine, sn))
        for device, name, role, kind in ends:
            if ("dcim/devices", device) not in box.known:
                status = {"value": "active", "label": "Active"}
                fields = {"name": device, "role": box.brief(role, "name", "slug"), "status": status}
                box.new("dcim/devices", device, **fields, device_type=box.brief(kind, "model", "slug"))
            if ("dcim/interfaces", device, name) not in box.known:
                of = box.brief(box.known["dcim/devices", device], "name")
                made = box.new(
                    "dcim/interfaces", device, name, name=name, device=of, type={"value": "100gbase-x-qsfp28"}
                )
                made |= {
                    "enabled": True,
                    "speed": 100000000,
                    "mtu": 9216 if device == row["switch"] or row["peer_kind"] == "switch" else 9000,
                    "custom_fields": {"rail": row["rail"]},
                }
        one, other = (box.known["dcim/interfaces", device, name] for device, name, *_ in ends)
        if ("dcim/cables", *sorted([str(one["id"]), str(other["id"])])) in box.known:
            continue
        if row["peer_kind"] == "host":
            one["tagged_vlans"] = [box.brief(vlan[int(row["rail"])], "vid", "name")]
        connect(box, one, other, int(row["cable_m"]), panel)
    return box


def connect(box: NetBox, one: Object, other: Object, metres: int, panel: bool) -> None:
    key = sorted([str(one["id"]), str(other["id"])])
    cable = box.new(
        "dcim/cables", *key, status={"value": "connected"}, length=float(metres), length_unit={"value": "m"}
    )
    briefs = [
        box.brief(one, "name") | {"device": one["device"]},
        box.brief(other, "name") | {"device": other["device"]},
    ]
    for mine, far in ((one, briefs[1]), (other, briefs[0])):
        mine["cable"] = box.brief(cable)
        if box.nautobot:
            mine |= {"connected_endpoint": box.brief(far), "connected_endpoint_type": "dcim.interface"}
        elif panel:
            mine |= {
                "connected_endpoints": [far],
                "connected_endpoints_type": "dcim.interface",
                "link_peers": [],
            }
    if box.nautobot:
        cable |= {"termination_a": briefs[0], "termination_a_type": "dcim.interface"}
        cable |= {"termination_b": briefs[1], "termination_b_type": "dcim.interface"}
    else:
        kind = "dcim.frontport" if panel else "dcim.interface"
        for side, end in zip("ab", briefs, strict=True):
            cable[f"{side}_terminations"] = [{"object_type": kind, "object_id": end["id"], "object": end}]


@cache
def links() -> Any:
    """Links from config_db and DEVICE_NEIGHBOR, those of the four leaves to a spine folded."""
    found = yaml.safe_load(text_of("iei-rocev2"))["links"]
    wide = {"switches": "leaf-[1-4]", "to_ports": "Ethernet[0-60/4]"}
    rows = [
        row | wide if "switches" in row else row for row in found if row.get("switches", "leaf-1") == "leaf-1"
    ]
    return [{key: value for key, value in row.items() if key != "admin_status"} for row in rows]


def data(result: Imported) -> Any:
    return yaml.safe_load(result.text)


def own_links(result: Imported) -> Any:
    return [{k: v for k, v in row.items() if k != "speed_gbps"} for row in data(result)["links"]]


@pytest.mark.parametrize(("nautobot", "panel"), [(False, False), (False, True), (True, False)])
def test_links_of_record(nautobot: bool, panel: bool) -> None:
    """With the HCAs of the cluster: the same links, with lengths, and the models of the switches."""
    result = import_texts({**cluster_dumps(FILES), **recorded(nautobot, panel).pages()}, "site")
    assert (result.conflicts, result.remarks, result.problems) == ((), (), ())
    assert own_links(result) == links()
    assert data(result)["switch_types"]["msn2700"]["model"] == "msn2700"
    assert data(result)["rails"]["vlan_ids"] == "100-103"


@pytest.mark.parametrize(
    ("length", "unit", "metres"),
    [(250, "cm", 3), (300, "cm", 3), (2.5, "m", 3), (4.5, "m", 5), (10, "ft", 4), (20, "cm", 1)],
)
def test_a_cable_is_never_taken_for_a_shorter_one(length: float, unit: str, metres: int) -> None:
    assert metres_of({"length": length, "length_unit": {"value": unit}}) == metres


def test_what_is_planned_or_deprecated_is_not_there() -> None:
    """A cable that is planned: NetBox names the far end, and that it cannot be reached."""
    box = recorded()
    one, leaf = ("dcim/interfaces", "leaf-1", "Ethernet0"), ("dcim/devices", "leaf-1")
    for thing in box.models["dcim/interfaces"]:
        thing["connected_endpoints_reachable"] = thing is not box.known[one]
        if thing["cable"] == box.known[one]["cable"] and thing is not box.known[one]:
            thing["connected_endpoints_reachable"] = False
    number = box.known[one]["cable"]["id"]
    next(each for each in box.models["dcim/cables"] if each["id"] == number)["status"] = {"value": "planned"}
    vlan = box.known["ipam/vlans", "100"]
    lag = box.new("dcim/interfaces", "x", device=box.brief(box.known[leaf], "name"), name="Vlan100", type={})
    box.new(
        "ipam/prefixes",
        "o",
        prefix="10.9.0.0/24",
        vlan=box.brief(vlan, "vid"),
        status={"value": "deprecated"},
    )
    held = box.brief(lag, "name") | {"device": box.brief(box.known[leaf], "name")}
    old = {"address": "10.9.0.1/24", "assigned_object": held, "status": {"value": "deprecated"}}
    box.new("ipam/ip-addresses", "o", **old)
    result = import_texts({**cluster_dumps(FILES), **box.pages()}, "site")
    assert result.site.said("port", ("leaf-1", "Ethernet0"), "peer") is None
    assert result.site.said("port", ("leaf-1", "Ethernet4"), "peer") is not None
    assert "10.9.0" not in result.text
    (remark,) = result.remarks
    assert remark.text == (
        "leaf-1 Ethernet0: cable with status planned, not taken; import again once connected"
    )


def _with_status(box: NetBox, word: str) -> Object:
    """As NetBox states it, or as Nautobot with ``?depth=0``: a reference into extras/statuses."""
    if not box.nautobot:
        return {"value": word, "label": word.capitalize()}
    key = ("extras/statuses", word)
    thing = box.known.get(key) or box.new("extras/statuses", word, name=word.capitalize())
    return box.brief(thing)


@pytest.mark.parametrize("nautobot", [False, True])
@pytest.mark.parametrize("word", ["planned", "decommissioning"])
def test_cables_that_are_not_connected_are_named(nautobot: bool, word: str) -> None:
    """Also where the interfaces name the far end without saying that it cannot be reached."""
    box = recorded(nautobot, panel=not nautobot)
    for port in ("Ethernet0", "Ethernet4"):
        number = box.known["dcim/interfaces", "leaf-1", port]["cable"]["id"]
        cable = next(each for each in box.models["dcim/cables"] if each["id"] == number)
        cable["status"] = _with_status(box, word)
    result = import_texts({**cluster_dumps(FILES), **box.pages()}, "site")
    for port in ("Ethernet0", "Ethernet4"):
        assert result.site.said("port", ("leaf-1", port), "peer") is None
    assert result.site.said("port", ("leaf-1", "Ethernet8"), "peer") is not None
    (remark,) = result.remarks
    expected = f"leaf-1 Ethernet[0-4/4]: 2 cables with status {word}, not taken; "
    assert remark.text == f"{expected}import again once connected"
    assert remark.at.file == ("dcim-cables.json" if nautobot else "dcim-interfaces.json")


@pytest.mark.parametrize("nautobot", [False, True])
def test_a_far_end_that_cannot_be_reached_is_named(nautobot: bool) -> None:
    """Interfaces alone, without the cables: by connected_endpoint(s)_reachable."""
    box = recorded(nautobot, panel=not nautobot)
    key = "connected_endpoint_reachable" if nautobot else "connected_endpoints_reachable"
    box.known["dcim/interfaces", "leaf-1", "Ethernet0"][key] = False
    texts = {name: text for name, text in box.pages().items() if "cables" not in name}
    result = import_texts({**cluster_dumps(FILES), **texts}, "site")
    assert result.site.said("port", ("leaf-1", "Ethernet0"), "peer") is None
    (remark,) = result.remarks
    assert remark.text.startswith("leaf-1 Ethernet0: cable whose path is not connected, not taken")


def test_a_length_without_a_unit_counts_once() -> None:
    """Both ends, and the interfaces, name the same cable."""
    box = recorded()
    for cable in box.models["dcim/cables"][:3]:
        cable["length_unit"] = None
    result = import_texts({**cluster_dumps(FILES), **box.pages()}, "site")
    (remark,) = result.remarks
    assert remark.text.endswith("not a length in m, cm, km, ft or in (and 2 more)")


def test_devices_that_are_not_in_service_are_named() -> None:
    """A host that the cluster has is there, whatever NetBox says."""
    box = recorded()
    for name in ("gpu-001", "leaf-4"):
        box.known["dcim/devices", name]["status"] = {"value": "staged"}
    result = import_texts({**cluster_dumps(FILES), **box.pages()}, "site")
    (remark,) = result.remarks
    assert remark.text == "leaf-4 with status staged, not taken, nor are its cables"
    assert result.site.said("port", ("leaf-1", "Ethernet0"), "peer") is not None
    assert ("leaf-4",) not in result.site.every("switch")


def test_the_record_and_what_runs_are_held_against_each_other() -> None:
    box = recorded()
    interface = box.known["dcim/interfaces", "leaf-1", "Ethernet0"]
    interface["mtu"] = 1500
    result = import_texts({**cluster_dumps(FILES), **config_dbs(FILES), **box.pages()}, "site")
    conflict, *tags = map(str, result.conflicts)
    assert conflict.startswith("port leaf-1 Ethernet0, mtu: 9216 (leaf-1.json:")
    assert "or 1500 (dcim-interfaces.json:" in conflict
    told = re.compile(r"leaf-[1-4] Ethernet64 has VLAN 10[0-3] untagged \(.* and tagged \(.* \(and 3 more\)")
    assert [bool(told.fullmatch(each)) for each in tags] == [True] * 4  # the record tags every port


def test_models_are_compared_by_what_the_catalog_calls_them() -> None:
    """MSN2700 in the head of NVUE, SN2700 in NetBox."""
    nvue = "- header:\n    model: MSN2700\n- set:\n    system:\n      hostname: leaf-1\n"
    nvue += "    interface:\n      swp1:\n        type: swp\n        link:\n          mtu: 9216\n"
    box = recorded()
    result = import_texts({"leaf-1.yaml": nvue, **box.pages()}, "site")
    assert result.conflicts == ()
    assert data(result)["switch_types"]["msn2700"]["model"] == "msn2700"
    for model in (thing for thing in box.models["dcim/device-types"] if thing["model"] == "SN2700"):
        model["model"] = "SN4700"
    (conflict,) = import_texts({"leaf-1.yaml": nvue, **box.pages()}, "site").conflicts
    assert str(conflict).startswith("switch leaf-1, device_type: msn2700 (leaf-1.yaml:2) or msn4700 (dcim-")
    found = import_texts({**config_dbs(FILES), **box.pages()}, "site").conflicts
    assert str(found[0]).startswith("switch leaf-1, model: ")
    assert str(found[0]).partition(" or ")[2].startswith("msn4700 (dcim-devices.json:")


def test_a_part_of_the_pages_is_not_taken() -> None:
    pages = recorded().pages()
    page = json.loads(pages["dcim-interfaces.json"])
    half = len(page["results"]) // 2
    whole = {**cluster_dumps(FILES), **pages}
    first, second = (
        page | {"results": page["results"][:half], "next": "?offset=50"},
        page | {"results": page["results"][half:]},
    )
    result = import_texts({**whole, "dcim-interfaces.json": json.dumps(first)}, "site")
    assert [r.text for r in result.remarks] == [
        f"{half} of {page['count']} dcim/interfaces: not taken; "
        "ask for all of them (?limit=0), or save every page"
    ]
    both = {"dcim-interfaces.json": json.dumps(first), "more.json": json.dumps(second)}
    assert own_links(import_texts({**whole, **both}, "site")) == links()
    bare = {name: json.dumps(json.loads(text)["results"]) for name, text in pages.items()}  # pynetbox
    assert own_links(import_texts({**cluster_dumps(FILES), **bare}, "site")) == links()


@pytest.mark.parametrize("form", ["assigned_object", "interfaces", "ip_addresses", "links"])
def test_addresses_and_prefixes_of_record(form: str) -> None:
    """Gateways of VLAN interfaces and loopbacks; without them, the prefixes of the rails' VLANs."""
    texts = {n: t for n, t in cluster_dumps(FILES).items() if "ipam" not in n}
    nautobot = form != "assigned_object"
    box = recorded(nautobot)
    for rail in range(4):
        vlan = box.known["ipam/vlans", str(100 + rail)]
        box.new("ipam/prefixes", str(rail), prefix=f"10.1.{rail}.0/24", vlan=box.brief(vlan, "vid", "name"))
    found = data(import_texts({**texts, **box.pages()}, "site"))["rails"]
    assert (found["supernets"], found["rail_prefixes"], found["gateway"]) == (["10.1.0.0/22"], [24], "TODO")
    for rail in range(4):
        device = box.brief(box.known["dcim/devices", f"leaf-{rail + 1}"], "name")
        svi = box.new(
            "dcim/interfaces",
            f"leaf-{rail + 1}",
            "Vlan",
            name=f"Vlan{100 + rail}",
            device=device,
            type={"value": "virtual"},
        )
        loop = box.new(
            "dcim/interfaces",
            f"leaf-{rail + 1}",
            "lo",
            name="Loopback0",
            device=device,
            type={"value": "virtual"},
        )
        for end, address in ((svi, f"10.1.{rail}.1/24"), (loop, f"10.255.0.{rail + 1}/32")):
            held = box.brief(end, "name") | ({} if nautobot else {"device": device})
            assigned: Object = {"interfaces": [held]} if form == "interfaces" else {"assigned_object": held}
            if form in ("ip_addresses", "links"):
                assigned = {}
            made = box.new("ipam/ip-addresses", address, address=address, **assigned)
            if form == "ip_addresses":
                end["ip_addresses"] = [box.brief(made)]
            elif form == "links":
                row = {"ip_address": box.brief(made), "interface": held}
                box.new("ipam/ip-address-to-interface", address, **row)
    result = import_texts({**texts, **box.pages()}, "site")
    assert data(result)["rails"]["gateway"] == "first"
    assert data(result)["rails"]["supernets"] == ["10.1.0.0/22"]


def test_devices_of_another_kind_are_told() -> None:
    box = NetBox()
    role = box.new("dcim/device-roles", "pdu", name="PDU", slug="pdu")
    for name in ("pdu-1", "pdu-2"):
        box.new(
            "dcim/devices",
            name,
            name=name,
            device_role=box.brief(role, "name", "slug"),
            device_type={"model": "AP8941"},
        )
    (remark,) = import_texts(box.pages()).remarks
    assert remark.text == "pdu-1 and 1 more of role pdu: neither switch nor host"


def tables() -> dict[str, str]:
    return {path.replace("/", "_"): text for path, text in FILES.items() if path.endswith("cabling.csv")}


def test_a_table_of_cables() -> None:
    """The columns of our own cabling.csv: links, lengths and rails."""
    result = import_texts({**cluster_dumps(FILES), **tables()}, "site")
    assert (result.conflicts, result.remarks, result.problems) == ((), (), ())
    assert own_links(result) == links()
    nodes = {name: text for name, text in cluster_dumps(FILES).items() if "kubernetes" not in name}
    assert "as stated, switches_leaf-1_cabling.csv:2" in import_texts({**nodes, **tables()}, "site").text


@pytest.mark.parametrize(
    ("row", "wanted"),
    [
        ("leaf-1,swp1,pod,x,y,,,,,", "peer_kind 'pod' is neither host nor switch; the row is left out"),
        ("leaf-1,,host,x,y,,,,,", "no port; the row is left out"),
        (
            "leaf-1,swp1,host,x,y,,,,1234,",
            "'1234' is not a PCI address such as 0000:18:00.0; the card is left out",
        ),
    ],
)
def test_rows_that_say_nothing_are_told(row: str, wanted: str) -> None:
    head = "switch,port,peer_kind,peer,peer_port,rail,speed_gbps,cable_m,pci,netdev"
    remark, *_ = import_texts({"c.csv": f"{head}\n{row}\n"}).remarks
    assert str(remark) == f"c.csv:2: {wanted}"


@pytest.mark.sample(1)
@pytest.mark.parametrize("model", ["dcim/devices", "dcim/interfaces", "dcim/cables", "ipam/prefixes"])
def test_any_value_anywhere_is_no_crash(model: str) -> None:
    box = recorded()
    box.new("ipam/prefixes", "x", prefix="10.1.0.0/24", vlan={"vid": 100})
    small = {name: things[:3] for name, things in box.models.items()}
    for number, spot in enumerate(spots(small[model])):
        odd = with_odd(small[model], spot, ODD[number % len(ODD)])
        text = json.dumps([*odd, *small["dcim/devices"]] if isinstance(odd, list) else odd)
        texts = {f"{n}.json": json.dumps(t) for n, t in small.items() if n != model}
        assert data(import_texts({**texts, "x.json": text}))["version"] == 1


CABLES = """\
switch,port,peer_kind,peer,peer_port,rail,speed_gbps,cable_m,pci,netdev
leaf-1,Ethernet0,host,gpu-001,roce0,0,100,5,0000:18:00.0,ens1f0
leaf-1,Ethernet4,host,gpu-002,roce0,0,100,5,0000:18:00.0,ens1f0
"""


def recorded_rows(text: str) -> Any:
    """What is read of a table: far ends, speeds and lengths of ports, and rails of cards."""
    result = import_texts({"c.csv": text}, "site")
    assert all("neither a card nor a switch" in remark.text for remark in result.remarks)
    values = ("record/csv", "speed", "cable_m")
    ports = {of: [result.site.said("port", of, v).value for v in values] for of in result.site.every("port")}  # type: ignore[union-attr]
    assert {result.site.number("card", of, "rail") for of in result.site.every("card")} == {0}
    return ports


@pytest.mark.parametrize("mark", [",", ";", "\t"])
@pytest.mark.parametrize("above", ["", "\ufeff", "\n\n", "\ufeffsep=,\n"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_separators_marks_and_line_ends(mark: str, above: str, end: str) -> None:
    """As spreadsheets write them."""
    wanted = recorded_rows(CABLES)
    assert len(wanted) == 2
    assert recorded_rows((above + CABLES).replace(",", mark).replace("\n", end)) == wanted


def test_other_names_of_columns() -> None:
    head = "Switch Name;Switch Port;Server;NIC;Rail;speed_gbps;Length-m;PCI Address;Host Interface;Colour"
    rows = [line.split(",") for line in CABLES.splitlines()[1:]]
    rest = "\n".join(";".join([*row[:2], *row[3:], "blue"]) for row in rows)
    text = f"{head}\n{rest}\n"
    first, *_ = import_texts({"c.csv": text}).remarks
    assert str(first) == "c.csv:1: columns Colour: not read"
    assert recorded_rows(text.replace(";Colour", "").replace(";blue", "")) == recorded_rows(CABLES)


@pytest.mark.parametrize(
    ("head", "lacking"),
    [
        ("Switch;Port;Far;Interface;Colour", "peer_kind, peer, peer_port"),
        ("a,b,c,d,e", "switch, port, peer_kind, peer, peer_port"),
        ("switch\tswitch_port\tswitch_interface\thost\tnic", "port"),
        ("switch,switch,port,host,nic", "switch"),
    ],
)
def test_a_table_without_the_columns_says_which_it_has(head: str, lacking: str) -> None:
    row = "leaf-1;Ethernet0;gpu-001;ens1f0;blue".replace(";", next(m for m in ",;\t" if m in head))
    result = import_texts({"c.csv": f"{head}\n{row}\n"})
    (remark,) = result.remarks
    shown = ", ".join(head.replace(";", ",").replace("\t", ",").split(","))
    assert str(remark) == (
        f"c.csv:1: no {lacking} among the columns {shown}: a table of cables has switch, port, peer_kind, "
        "peer, peer_port; rename the columns"
    )
    assert result.empty


def test_what_is_no_record() -> None:
    assert recognised('{"url": "https://example.com/api/x/"}') == "kubernetes"
    assert recognised("switch,port\n1,2\n") == "kubernetes"
