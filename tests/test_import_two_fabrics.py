"""InfiniBand and RoCE in one cluster: one finding names both, and what to do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from netplan.importing.run import Imported, import_texts
from tests.cli_runs import netplan
from tests.dumped_site import interface, listed, node, node_state
from tests.test_import import data, refused

PORTS = {"0000:18:00.0": 0, "0000:3b:00.0": 1}
MODES = {"ib": ("SriovIBNetwork", "IB"), "roce": ("SriovNetwork", "ETH")}
API = "sriovnetwork.openshift.io/v1"


def fabric(word: str, odd: str = "") -> list[dict[str, Any]]:
    """Two hosts, policies and networks. ``odd``: the link type of one card."""
    kind, link = MODES[word]
    objects: list[dict[str, Any]] = []
    for host in (1, 2):
        rows = [interface(pci, f"{word}{rail}x", 100, 4) | {"linkType": link} for pci, rail in PORTS.items()]
        if odd and host == 2:
            rows[1]["linkType"] = odd
        name = f"{word}-{host}"
        objects += [node(name, {"pool": word}, 8), node_state(name, rows)]
    for pci, rail in PORTS.items():
        nics = {"rootDevices": [pci], "pfNames": [f"{word}{rail}x"]}
        policy = {"resourceName": f"{word}_{rail}", "numVfs": 4, "isRdma": True, "nicSelector": nics}
        network = {"networkNamespace": "ml", "resourceName": f"{word}_{rail}"}
        for own, spec in (("SriovNetworkNodePolicy", policy), (kind, network)):
            meta = {"name": f"{word}-{rail}", "namespace": "operators"}
            objects.append({"apiVersion": API, "kind": own, "metadata": meta, "spec": spec})
    return objects


def imported(*objects: dict[str, Any]) -> Imported:
    return import_texts({"dump.yaml": listed([*objects])}, "site")


def test_one_finding_names_both_and_what_to_do() -> None:
    result = imported(*fabric("ib"), *fabric("roce"))
    told = result.folded.beyond
    lines = result.texts["dump.yaml"].splitlines()
    assert told.startswith("pods get RoCE on roce-[1-2] (dump.yaml:")
    assert "and InfiniBand on ib-[1-2] (dump.yaml:" in told
    places = [int(part.partition(")")[0]) for part in told.split("dump.yaml:")[1:]]
    assert [lines[number - 1].strip() for number in places] == ["linkType: ETH", "linkType: IB"]
    assert "make one of each" in told
    assert (result.conflicts, result.remarks) == ((), ())
    found = data(result)
    assert (found["fabric"]["type"], found["rails"]) == ("TODO", {"count": 2})
    assert not {"networks", "subnets", "vlans"} & found.keys()
    (line,) = (line for line in result.text.splitlines() if "an inventory cannot express this" in line)
    assert result.text.splitlines().index(line) + 1 in refused(result.text)


@pytest.mark.parametrize(("word", "kind"), [("ib", "infiniband"), ("roce", "roce")])
def test_each_alone_has_no_such_finding(word: str, kind: str) -> None:
    result = imported(*fabric(word))
    assert result.folded.beyond == ""
    assert data(result)["fabric"]["type"] == kind
    assert data(result)["networks"][word]["for_each"] == "rails"


def test_a_card_in_the_wrong_mode_is_no_fabric() -> None:
    result = imported(*fabric("roce", odd="IB"))
    assert result.folded.beyond == ""
    assert "TODO: roce or infiniband; the cards are of both" in result.text


STORAGE = "0000:5d:00.0"


def with_storage(asked: bool = True) -> list[dict[str, Any]]:
    """Hosts with InfiniBand on their rails and RoCE for storage, by the SR-IOV operator. ``asked``: by a
    network."""
    objects = fabric("ib")
    for each in objects:
        if each["kind"] == "SriovNetworkNodeState":
            each["status"]["interfaces"].append(interface(STORAGE, "ens9", 25, 4) | {"linkType": "ETH"})
    names = [MODES["roce"][0]] if asked else []
    for kind in ("SriovNetworkNodePolicy", *names):
        spec: dict[str, Any] = {"resourceName": "storage"}
        if kind == "SriovNetworkNodePolicy":
            spec |= {"numVfs": 4, "isRdma": True, "nicSelector": {"rootDevices": [STORAGE]}}
        meta = {"name": "storage", "namespace": "operators"}
        objects.append({"apiVersion": API, "kind": kind, "metadata": meta, "spec": spec})
    return objects


def test_hosts_with_both_are_told_to_leave_one_out() -> None:
    result = imported(*with_storage())
    told = result.folded.beyond
    assert told.startswith("pods get RoCE on ib-[1-2] (dump.yaml:")
    assert "and InfiniBand on ib-[1-2] (dump.yaml:" in told
    assert "leave out the policies and networks of one" in told
    assert not {"networks", "subnets", "vlans"} & data(result).keys()


def test_a_resource_of_the_other_kind_that_no_network_asks_for_is_no_fabric() -> None:
    result = imported(*with_storage(asked=False))
    assert result.folded.beyond == ""
    assert data(result)["fabric"]["type"] == "infiniband"


def test_the_run_fails(tmp_path: Path) -> None:
    (tmp_path / "dump.yaml").write_text(listed([*fabric("ib"), *fabric("roce")]))
    run = netplan("import", str(tmp_path / "dump.yaml"), "-o", str(tmp_path / "site.yaml"), "--quiet")
    assert run[0] == 1
    assert "two fabrics: pods get RoCE on roce-[1-2] (" in "".join(map(str, run[1:]))
