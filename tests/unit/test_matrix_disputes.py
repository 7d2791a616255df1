"""A matrix walks hosts alike once: a cable that two files state differently sets its host apart."""

from __future__ import annotations

import json
import re

import pytest

from netplan.trace import Tabulator, TraceError, Verdict, workloads_named
from netplan.trace.matrix import _DISPUTES
from tests.edits.judges import site_of
from tests.edits.site import rendered

TREE = "iei-rocev2"
CABLES = "switches/leaf-1/cabling.csv"


def verdicts(text: str) -> tuple[Verdict, list[str]]:
    """Of the workload that is on all hosts of its type, with another cabling table of leaf-1."""
    site = site_of({**rendered(TREE), CABLES: text})
    (workload,) = workloads_named(site, "training")
    found = Tabulator(site, sampled=True).matrix(workload)
    return found.verdict, [fault.text for cell in found.cells for fault in cell.faults]


def rows() -> list[str]:
    """Of hosts on leaf-1, without the first and the last."""
    return [line for line in rendered(TREE)[CABLES].splitlines() if ",gpu-0" in line][1:-1]


@pytest.mark.parametrize("row", rows()[::5])
def test_a_row_less_at_any_host_is_refuted(row: str) -> None:
    verdict, said = verdicts(rendered(TREE)[CABLES].replace(f"{row}\n", ""))
    assert verdict is Verdict.LOST
    port = row.split(",")[1]
    assert any(f"{CABLES} has no cable at leaf-1 {port}, site.json has gpu-" in text for text in said)


def test_another_length_at_two_hosts_is_told_of_both() -> None:
    """Each is a class of its own."""
    text = rendered(TREE)[CABLES]
    for row in rows()[2:4]:
        text = text.replace(row, re.sub(r",5$|,5,", lambda found: found[0].replace("5", "7"), row))
    verdict, said = verdicts(text)
    assert verdict is Verdict.LOST
    assert len({each for each in said if ", 7 m at leaf-1 " in each}) == 2


def test_many_disputes_are_one_class() -> None:
    assert len(rows()) < _DISPUTES
    tree = rendered(TREE)
    site = site_of(tree)
    (workload,) = workloads_named(site, "training")
    hosts = site.hosts_of(workload)
    every = {(hca.switch, hca.port): f"{hca.switch} {hca.port}" for host in hosts for hca in host.hcas}
    assert len(every) < _DISPUTES
    usual = len(Tabulator(site)._classes(hosts))
    site.fabric.cables.disputed = every
    assert len(Tabulator(site)._classes(hosts)) == len(hosts)
    site.fabric.cables.disputed = {**every, **{("x", str(port)): "" for port in range(_DISPUTES)}}
    assert len(Tabulator(site)._classes(hosts)) == usual


def test_a_nos_that_is_unknown_ends_the_trace() -> None:
    facts = json.loads(rendered(TREE)["site.json"])
    for name in ("leaf-1", "leaf-2"):
        facts["switches"][name]["nos"] = "acme"
    site = site_of({**rendered(TREE), "site.json": json.dumps(facts)})
    with pytest.raises(TraceError) as error:
        Tabulator(site)
    assert str(error.value) == "leaf-1 and 1 more: NOS acme is unknown; give its folder with --nos-dir"
