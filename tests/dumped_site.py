"""What a cluster and its switches would report after a render, built from the rendered files.

``hosts/<type>/*.link`` give cards PCI address, interface name and VFs; ``site.json`` gives nodes their type's
labels, GPUs and speeds; objects are as rendered. Status has the shape of the CRDs:
k8snetworkplumbingwg/sriov-network-operator 249e200 api/v1/sriovnetworknodestate_types.go,
Mellanox/nic-configuration-operator 8bfbeb3 api/v1alpha1/nicdevice_types.go.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Mapping
from typing import Any

import yaml

from netplan.catalog import hca_rows

Object = dict[str, Any]


def listed(items: list[Object]) -> str:
    """Several objects as kubectl get -o yaml prints them."""
    body = {"apiVersion": "v1", "items": items, "kind": "List", "metadata": {"resourceVersion": ""}}
    return yaml.safe_dump(body, sort_keys=False, width=10_000)


def node(name: str, labels: Mapping[str, str], gpus: int, version: str = "v1.32.3") -> Object:
    capacity = {"cpu": "64", "memory": "1056296048Ki", "pods": "110"}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name, **labels}},
        "spec": {},
        "status": {
            "capacity": {**capacity, **({"nvidia.com/gpu": str(gpus)} if gpus else {})},
            "nodeInfo": {"kubeletVersion": version, "osImage": "Ubuntu 24.04.2 LTS"},
        },
    }


def node_state(name: str, interfaces: list[Object]) -> Object:
    return {
        "apiVersion": "sriovnetwork.openshift.io/v1",
        "kind": "SriovNetworkNodeState",
        "metadata": {"name": name, "namespace": "sriov-network-operator"},
        "spec": {},
        "status": {"interfaces": interfaces, "syncStatus": "Succeeded"},
    }


MAC = "b8:59:9f:00:00:01"


def interface(
    pci: str, netdev: str, speed: int, vfs: int = 0, device: str = "1017", mac: str = MAC
) -> Object:
    """An interface of a node state; zero values are omitted there."""
    stated = {
        "deviceID": device,
        "driver": "mlx5_core",
        "linkSpeed": f"{speed * 1000} Mb/s",
        "linkType": "ETH",
        "mac": mac,
        "mtu": 9000,
        "name": netdev,
        "pciAddress": pci,
        "totalvfs": 8,
        "vendor": "15b3",
    }
    return {**stated, **({"numVfs": vfs} if vfs else {})}


def nic_device(name: str, pci: str, netdev: str, device: str = "1017", rail: int | None = None) -> Object:
    template = {} if rail is None else {"interfaceNameTemplate": {"railIndex": rail, "nicIndex": rail}}
    card = pci.rpartition(".")[0].replace(":", "-")
    return {
        "apiVersion": "configuration.net.nvidia.com/v1alpha1",
        "kind": "NicDevice",
        "metadata": {"name": f"{name}-{device}-{card}", "namespace": "nvidia-network-operator"},
        "spec": template,
        "status": {
            "firmwareVersion": "16.35.4030",
            "node": name,
            "partNumber": "mcx555a-ecat",
            "ports": [{"networkInterface": netdev, "pci": pci}],
            "psid": "mt_0000000011",
            "serialNumber": "mt2232t13210",
            "type": device,
        },
    }


def cards(files: Mapping[str, str], kind: str) -> list[tuple[str, str, int]]:
    """(PCI address, name, VFs) from the .link files of a host type."""
    found = []
    for path in sorted(files):
        if re.fullmatch(rf"hosts/{re.escape(kind)}/[0-9]+-[a-z0-9-]+\.link", path):
            values = dict(re.findall(r"^(Path|Name|SR-IOVVirtualFunctions)=(.*)$", files[path], re.MULTILINE))
            vfs = int(values.get("SR-IOVVirtualFunctions", 0))
            found.append((values["Path"].removeprefix("pci-"), values["Name"], vfs))
    return found


def pf_id(hca: Mapping[str, Any]) -> str:
    """PCI device ID of a model."""
    return str(hca_rows()[hca["model"]]["pf_id"])


def site_cards(kind: Mapping[str, Any]) -> list[Object]:
    """Node state rows for a type's HCAs, as far as site.json has addresses; the operator omits empty
    values."""
    found = []
    for at, hca in enumerate(kind["hcas"].values()):
        if "pci" in hca:
            mac = f"b8:59:9f:02:00:{at:02x}"
            row = interface(hca["pci"], hca.get("netdev", ""), hca["speed_gbps"], device=pf_id(hca), mac=mac)
            row["linkType"] = {"ethernet": "ETH", "infiniband": "IB"}[hca["link"]]
            found.append({key: value for key, value in row.items() if value != ""})
    return found


def own_macs(files: Mapping[str, str], host: str) -> dict[str, str]:
    """Interface -> the MAC address that a host's own .link file matches."""
    found = {}
    for path, text in files.items():
        if path.startswith(f"hosts/{host}/") and path.endswith(".link"):
            values = dict(re.findall(r"^(PermanentMACAddress|Name)=(.*)$", text, re.MULTILINE))
            if "PermanentMACAddress" in values:
                found[values["Name"]] = values["PermanentMACAddress"]
    return found


def cluster_dumps(files: Mapping[str, str]) -> dict[str, str]:
    """Name -> what kubectl would print."""
    site = json.loads(files["site.json"])
    speeds = dict.fromkeys(site["hosts"], 0) | {
        c["host"]: c["speed_gbps"] for p in site["cables"].values() for c in p.values() if "host" in c
    }
    nodes, devices = [node("control-1", {}, 0)], []
    states: list[Object] = []
    for name, host in site["hosts"].items():
        kind = site["host_types"][host["type"]]
        own = cards(files, host["type"])
        nodes.append(node(name, {**kind["labels"], **host.get("labels", {})}, kind["gpus"]))
        macs = own_macs(files, name)
        devices_of = {hca["netdev"]: pf_id(hca) for hca in kind["hcas"].values() if "netdev" in hca}
        rows = [
            interface(
                pci,
                netdev,
                speeds[name],
                vfs,
                device=devices_of.get(netdev, "1017"),
                mac=macs.get(netdev, f"b8:59:9f:01:{len(states):02x}:{at:02x}"),
            )
            for at, (pci, netdev, vfs) in enumerate(own)
        ]
        rows = rows or site_cards(kind)
        states.append(node_state(name, rows))
        devices += [nic_device(name, pci, netdev, devices_of.get(netdev, "1017")) for pci, netdev, _ in own]
    objects = {
        path.replace("/", "_"): text
        for path, text in files.items()
        if path.startswith("kubernetes/") and path.endswith(".yaml") and "kustomization" not in path
    }
    return {
        "nodes.yaml": listed(nodes),
        "states.json": json.dumps({"apiVersion": "v1", "kind": "List", "items": states}, indent=4),
        "nicdevices.yaml": listed(devices),
        **objects,
    }


def config_dbs(files: Mapping[str, str], hwsku: str = "ACS-MSN2700") -> dict[str, str]:
    """The config_db.json of each switch: rendered rows, and rows that a switch has of its own."""
    found: dict[str, str] = {}
    for name in sorted(
        {path.split("/")[1] for path in files if path.startswith("switches/")} - {"README.md"}
    ):
        tables: dict[str, dict[str, Any]] = {}
        for part in ("interfaces.json", "roce.json"):
            for table, rows in json.loads(files.get(f"switches/{name}/{part}", "{}")).items():
                for key, fields in rows.items():
                    tables.setdefault(table, {}).setdefault(key, {}).update(fields)
        patch(tables, json.loads(files.get(f"switches/{name}/buffers.patch.json", "[]")))
        local = tables.setdefault("DEVICE_METADATA", {}).setdefault("localhost", {})
        local |= {
            "hostname": name,
            "hwsku": hwsku,
            "platform": "x86_64-mlnx_msn2700-r0",
            "type": "LeafRouter",
        }
        for number in range(32):
            lanes = ",".join(str(4 * number + lane) for lane in range(4))
            own = {"alias": f"etp{number + 1}", "lanes": lanes, "speed": "100000", "index": str(number + 1)}
            tables.setdefault("PORT", {}).setdefault(f"Ethernet{4 * number}", {}).update(own)
        found[f"{name}.json"] = json.dumps(tables, indent=4)
    return found


def patch(tables: dict[str, dict[str, Any]], steps: list[Object]) -> None:
    """Tables after a patch (RFC 6902). A factory row that it removes never existed here."""
    for step in steps:
        table, row, *field = step["path"].removeprefix("/").split("/")
        rows = tables.setdefault(table, {})
        if step["op"] == "remove":
            rows.pop(row, None)
        elif field:
            rows.setdefault(row, {})[field[0]] = step["value"]
        else:
            rows[row] = step["value"]


def nvue(files: Mapping[str, str], switch: str, model: str) -> str:
    """nv config show -o yaml: the rendered settings as one document with the header of a Cumulus switch."""
    whole: Object = {"system": {"hostname": switch}}
    for name in ("interfaces", "roce"):
        for part in yaml.safe_load(files[f"switches/{switch}/{name}.yaml"]):
            _join(whole, part.get("set", {}))
    head = {"model": model.upper(), "nvue-api-version": "nvue_v1", "version": "Cumulus Linux 5.14.0"}
    return yaml.safe_dump([{"header": head}, {"set": whole}], sort_keys=False)


def _join(into: Object, other: Object) -> None:
    for key, value in other.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            _join(into[key], value)
        else:
            into[key] = value


def cables(files: Mapping[str, str]) -> list[dict[str, str]]:
    """The rows of every cabling.csv."""
    texts = [text for path, text in files.items() if path.endswith("/cabling.csv")]
    return [row for text in texts for row in csv.DictReader(text.splitlines())]


def lldp_table(files: Mapping[str, str], switch: str) -> str:
    """SONiC's show lldp table: a host's agent sends its MAC as port ID and the interface as description."""
    heads = ["LocalPort", "RemoteDevice", "RemotePortID", "Capability", "RemotePortDescr"]
    rows = [heads, []]
    for number, row in enumerate(cables(files)):
        if row["switch"] == switch:
            made = f"b8:59:9f:03:{number // 256:02x}:{number % 256:02x}"
            mac = own_macs(files, row["peer"]).get(row["netdev"], made)
            far = (
                [mac, "O", row["netdev"]]
                if row["peer_kind"] == "host"
                else [alias(row), "BR", row["peer_port"]]
            )
            rows.append([row["port"], row["peer"], *far])
    wide = [max(len(row[column]) for row in rows if row) for column in range(5)]
    rows[1] = ["-" * width for width in wide]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, wide, strict=True)).rstrip() for row in rows
    ]
    head = f"admin@{switch}:~$ show lldp table\nCapability codes: (R) Router, (B) Bridge, (O) Other\n"
    return head + "\n".join([*lines, "-" * 50, f"Total entries displayed:  {len(rows) - 2}", ""])


def alias(row: Mapping[str, str]) -> str:
    """The port ID that SONiC sends (sonic-net/sonic-buildimage dockers/docker-lldp/lldpmgrd)."""
    return f"etp{int(row['peer_port'].removeprefix('Ethernet')) // 4 + 1}"


def lldpctl(host: str, files: Mapping[str, str], form: str = "json") -> str:
    """lldpctl -f json, or json0, on a host: each switch port by its alias."""
    interfaces = []
    for row in cables(files):
        if row["peer"] == host:
            port = row["port"]
            sonic = port.removeprefix("Ethernet")
            ident = f"etp{int(sonic) // 4 + 1}" if sonic != port else port
            interfaces.append((row["netdev"], row["switch"], ident, port))
    shape = _json0 if form == "json0" else _json
    return json.dumps({"lldp": shape(interfaces)}, indent=2)


def lldpctl_of_switch(switch: str, files: Mapping[str, str]) -> str:
    """lldpctl -f json0 on a switch that runs lldpd, as Cumulus does: its neighbours by interface."""
    rows = [row for row in cables(files) if row["switch"] == switch]
    seen = [
        (row["port"], row["peer"], row["netdev"] or row["peer_port"], row["netdev"] or row["peer_port"])
        for row in rows
    ]
    return json.dumps({"lldp": _json0(seen)}, indent=2)


Seen = list[tuple[str, str, str, str]]


def _json0(seen: Seen) -> list[Object]:
    rows = [
        {
            "name": netdev,
            "via": "LLDP",
            "chassis": [
                {
                    "id": [{"type": "mac", "value": "1c:34:da:00:00:01"}],
                    "name": [{"value": switch}],
                    "capability": [{"type": "Bridge", "enabled": True}, {"type": "Router", "enabled": True}],
                }
            ],
            "port": [{"id": [{"type": "local", "value": ident}], "descr": [{"value": port}]}],
        }
        for netdev, switch, ident, port in seen
    ]
    return [{"interface": rows}]


def _json(seen: Seen) -> Object:
    """Objects in place of lists of one; the system's name as a key."""
    rows: list[Object] = [
        {
            netdev: {
                "via": "LLDP",
                "chassis": {
                    switch: {
                        "id": {"type": "mac", "value": "1c:34:da:00:00:01"},
                        "capability": [
                            {"type": "Bridge", "enabled": True},
                            {"type": "Router", "enabled": True},
                        ],
                    }
                },
                "port": {"id": {"type": "local", "value": ident}, "descr": port},
            }
        }
        for netdev, switch, ident, port in seen
    ]
    return {"interface": rows[0] if len(rows) == 1 else rows} if rows else {}


def fabric_dumps(files: Mapping[str, str]) -> dict[str, str]:
    """config_db of each switch, LLDP of each switch and host."""
    found = config_dbs(files)
    for name in [path.removesuffix(".json") for path in found]:
        found[f"{name}.txt"] = lldp_table(files, name)
    for number, host in enumerate(json.loads(files["site.json"])["hosts"]):
        found[f"{host}.lldp.json"] = lldpctl(host, files, ("json", "json0")[number % 2])
    return found
