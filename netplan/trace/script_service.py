"""The unit that runs the NIC script of a host: whether it does so at each boot, between NICs and pods."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from netplan.catalog import nic_drivers
from netplan.graph.hosts import file_of
from netplan.model.site import SiteHca, SiteHost
from netplan.reading.hosts import Unit, read_unit
from netplan.trace.model import Fault, Verdict, unproved
from netplan.trace.unit_settings import unread

_TARGET = re.compile(r"(?:multi-user|graphical|default|network-online)\.target\Z")

_RUNTIME = re.compile(
    r"(?:containerd|crio|cri-o|docker|cri-docker|kubelet|k3s(?:-agent)?|rke2-(?:agent|server))\.service\Z"
)
_SBIN = "/usr/local/sbin"
_PREFIXES = "-@:+!"
"""Prefixes of a command: which user runs it, whether it may fail (systemd.service(5), special executable
prefixes)."""


def service_faults(texts: Mapping[str, str], host: SiteHost, hcas: Sequence[SiteHca]) -> Iterator[Fault]:
    """The unit that runs the NIC script at boot; the settings do not survive a reboot."""
    scripts = [d.script for d in nic_drivers() if d.script and file_of(texts, host, d.script)]
    if not scripts:
        return
    found = file_of(texts, host, "rdma-nic-qos.service")
    if found is None:
        yield unproved(f"nothing runs {scripts[0]} when {host.name} boots: it has no rdma-nic-qos.service")
        return
    unit = read_unit(*found)
    yield from unread(unit, "service")
    run = unit.all("Service", "ExecStart")
    for script in scripts:
        said = [each for each in run if each.value.lstrip(_PREFIXES).split()[:1] == [f"{_SBIN}/{script}"]]
        for each in said:
            if not each.value.startswith("/"):
                text = f"{unit.at(each)} runs {each.value.split()[0]}"
                yield unproved(f"{text}: what the mark before the path changes is not followed")
        if not said:
            at = unit.at(next(iter(run), None))
            yield Fault(Verdict.LOSSY, f"{at} does not run /usr/local/sbin/{script} on {host.name}")
    yield from _starts(unit, host)
    yield from _needs(unit, host)
    yield from _in_order(unit, hcas)


def _starts(unit: Unit, host: SiteHost) -> Iterator[Fault]:
    """Enabling a unit adds it to the targets named in [Install] (systemd.unit(5))."""
    wanted = {**unit.words("Install", "WantedBy"), **unit.words("Install", "RequiredBy")}
    if not any(_TARGET.match(target) for target in wanted):
        said = f"is wanted by {', '.join(wanted)}" if wanted else "has no WantedBy in [Install]"
        at = unit.at(next(iter(wanted.values()), None))
        yield Fault(Verdict.LOSSY, f"{at} {said}: it is not started when {host.name} boots")
    kind = unit.last("Service", "Type")
    if kind is None or kind.value != "oneshot":
        said = f"is {kind.value}" if kind is not None else "is not stated"
        yield unproved(
            f"Type {said} ({unit.at(kind)}): units after it do not wait until the script has ended"
        )


def _needs(unit: Unit, host: SiteHost) -> Iterator[Fault]:
    """A unit does not start without what it requires; systemd drops a job from an ordering cycle
    (systemd.unit(5), Requires=, Before=; systemd.special(7))."""
    for name, setting in unit.words("Unit", "Requires").items():
        if not _THERE.match(name):
            text = f"{unit.at(setting)} requires {name}, which no file of {host.name} has"
            yield unproved(f"{text}: without it the script does not run")
    after, before = unit.words("Unit", "After"), unit.words("Unit", "Before")
    late = [name for name in after if name in before or _RUNTIME.match(name) or _LATE.match(name)]
    if late and before:
        until = unit.at(next(iter(before.values())))
        text = f"{unit.at(after[late[0]])} is after {late[0]}, {until} before"
        yield unproved(f"{text} {', '.join(before)}: systemd leaves out a unit of a cycle")


_THERE = re.compile(
    r"(?:sys-subsystem-net-devices-.*\.device|systemd-[a-z-]+\.(?:service|socket)|(?:sysinit|basic|network"
    r"(?:-pre|-online)?|local-fs|multi-user)\.target)\Z"
)
_LATE = re.compile(r"(?:multi-user|graphical|default)\.target\Z")
"""Targets reached after the services that start pods."""


def _in_order(unit: Unit, hcas: Sequence[SiteHca]) -> Iterator[Fault]:
    """The unit must run after its NICs appear and before pods start."""
    after, wants = unit.words("Unit", "After"), unit.words("Unit", "Wants") | unit.words("Unit", "Requires")
    for hca in hcas:
        device = f"sys-subsystem-net-devices-{(hca.netdev or '').replace('-', chr(92) + 'x2d')}.device"
        if hca.netdev is not None and (device not in after or device not in wants):
            key = "Wants" if device in after else "After"
            yield unproved(f"{unit.path} may run before {hca.netdev} is there; {key}={device} would prove it")
    if not any(_RUNTIME.match(name) for name in unit.words("Unit", "Before")):
        at = unit.at(unit.last("Unit", "Before"))
        yield unproved(
            f"the script may run after pods have started; Before=, of what starts them, would prove it ({at})"
        )
