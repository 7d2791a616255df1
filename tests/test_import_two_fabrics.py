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


def test_the_run_fails(tmp_path: Path) -> None:
    (tmp_path / "dump.yaml").write_text(listed([*fabric("ib"), *fabric("roce")]))
    run = netplan("import", str(tmp_path / "dump.yaml"), "-o", str(tmp_path / "site.yaml"), "--quiet")
    assert run[0] == 1
    assert "two fabrics: pods get RoCE on roce-[1-2] (" in "".join(map(str, run[1:]))
