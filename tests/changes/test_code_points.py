"""A changed DSCP: old and new pods run at the same time, so both values must be lossless in between."""

from __future__ import annotations

import pytest

from netplan.changes.commands import form_of
from netplan.changes.nics import sending_as, with_dscps
from netplan.model.nic_text import read_nic_script
from netplan.reading.switches import read_switch
from tests.changes import block_sites, sites, test_blocks
from tests.changes.pairs import course_of
from tests.vendors.sites import PORTS

OLD, NEW, QUEUE = 26, 28, 3
NOSES = {nos: block_sites.files for nos in test_blocks.MODELS if nos != "onyx"}
"""Not Onyx: its profile maps fixed blocks of eight DSCPs, and there is no other map."""
NOSES |= dict.fromkeys(("sonic", "cumulus-nvue", "juniper-junos"), sites.files)


@pytest.mark.parametrize("nos", NOSES)
def test_both_dscps_are_in_the_queue_of_the_class(nos: str) -> None:
    made = NOSES[nos]
    edit = {"fabric__qos__classes": sites.EDITS["dscp"]["fabric__qos__classes"]}
    before, after = made(nos, {}), made(nos, edit)
    form = form_of(nos)
    assert form is not None
    for files in (form.both(before, after, {OLD}), form.both(after, before, {NEW})):
        read = read_switch("leaf-1", nos, files, asic=_asic(nos))
        assert {dscp: {port.qos.queues.get(dscp) for port in read.ports.values()} for dscp in (OLD, NEW)} == {
            OLD: {frozenset({QUEUE})},
            NEW: {frozenset({QUEUE})},
        }
        assert form.change(before, files).parts
        assert form.change(files, after).parts
        assert read.problems == read_switch("leaf-1", nos, after, asic=_asic(nos)).problems


def _asic(nos: str) -> str:
    return PORTS[nos][1] if nos in PORTS else sites.NOSES.get(nos, ("", "spectrum-1"))[1]


SCRIPT = "hosts/gpu/rdma-nic-qos.sh"
TEXT = """\
    mlnx_qos -i "$dev" --trust=dscp
    mlnx_qos -i "$dev" --pfc 0,0,0,1,0,0,0,0
    mlnx_qos -i "$dev" \\
        --dscp2prio set,{old},3 \\
        --dscp2prio set,{new},0

apply ens1f0 "5" "{byte}" "1"
apply "$netdev" "5" "{byte}"
"""


def test_nics_map_both() -> None:
    old = {SCRIPT: TEXT.format(old=OLD, new=NEW, byte=106)}
    new = {SCRIPT: TEXT.format(old=NEW, new=OLD, byte=114), "hosts/gpu/10-a.link": "x"}
    both = with_dscps(new, {OLD}, old)
    said = read_nic_script(both[SCRIPT])
    assert said is not None
    assert said.priorities == {OLD: 3, NEW: 3}
    assert '"114"' in both[SCRIPT]
    sent = sending_as(both, old)
    assert '"106" "1"' in sent[SCRIPT]
    assert '"114"' not in sent[SCRIPT]
    assert with_dscps(new, (), old) == new
    assert sending_as(both, {SCRIPT: "apply other"}) == both, "other ports"


@pytest.mark.parametrize("name", ["iei-rocev2", pytest.param("multi-vendor", marks=pytest.mark.full)])
def test_no_window_is_needed(name: str) -> None:
    found = course_of(name, "another DSCP")
    assert (found.order, found.stopped) == ("outward", ())
    hosts = [wave.kind for wave in found.waves if wave.of_hosts]
    assert hosts == ["hosts-set", "hosts-finish"]
    kinds = [wave.kind for wave in found.waves]
    assert kinds.index("hosts-set") < kinds.index("pods") < kinds.index("hosts-finish")
    assert kinds.index("hosts-finish") < kinds.index("switches-remove")
    words = {row.effect.word for wave in found.waves if wave.of_switches for row in wave.effects}
    assert words <= {"live", "unknown", "by-hand"}, "no pod sends with a DSCP that changes its queue"
