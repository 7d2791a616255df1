"""An address passes from an ended pod to a new one on another device: its peers must learn the new MAC.

``exchange`` waits one second.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.inventories import compiled
from tests.netns.flows import Exchange, Leg, exchange
from tests.netns.lab import Lab, Pod, attached, plug
from tests.netns.namespaces import Namespace

pytestmark = [pytest.mark.netns, pytest.mark.xdist_group("netns-reuse")]


@contextmanager
def successor(lab: Lab, old: Pod) -> Iterator[Pod]:
    """A pod on the same node with the same leases, on other devices, after ``old`` is gone."""
    for nic in reversed(old.nics):
        old.delete(nic)
    with Namespace() as namespace:
        new = Pod(len(lab.pods), old.node, old.host, namespace, old.nics, old.leases)
        for nic in new.nics:
            plug(new, nic, lab.leaves[lab.leaf(nic)])
            new.add(nic)
        yield new


def reached(lab: Lab, new: Pod) -> dict[str, Exchange]:
    """Exchanges from the other pod, whose node still has the old MAC, with each rail."""
    peer = lab.pods[1]
    return {
        name: exchange(peer.namespace, new.namespace, own, peer.addresses[name], name)
        for name, own in new.addresses.items()
    }


def known(lab: Lab, old: Pod) -> None:
    """Make the other pod and the leaves know the old pod's MACs."""
    assert all(found.answer for found in reached(lab, old).values())


def test_with_the_scripts_announcement_the_new_pod_is_reached_within_a_second():
    with attached(compiled("iei-rocev2"), "large-model") as lab:
        old = lab.pods[0]
        known(lab, old)
        with successor(lab, old) as new:
            assert new.addresses
            new.routes(str(lab.script), arping=str(shutil.which("busybox")))
            assert reached(lab, new) == {name: Exchange(Leg(name, 0), Leg(name, 0)) for name in new.addresses}


def test_without_it_the_old_entry_stays():
    with attached(compiled("iei-rocev2"), "large-model") as lab:
        old = lab.pods[0]
        known(lab, old)
        with successor(lab, old) as new:
            new.routes(str(lab.script))
            assert {found.error for found in reached(lab, new).values()} == {"timed out"}
