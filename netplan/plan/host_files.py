"""Files of a HostPlan: where each goes on the host and what makes it take effect."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.model.delivery import UNITS, Command, HostFile
from netplan.model.hosts import HostPlan

NIC_UNIT = "rdma-nic-qos.service"

_RELOAD: Command = ("systemctl", "daemon-reload")
_NEW_NAME = "at the next boot. A new name breaks everything that uses the old one"
_RECONFIGURED = (
    "`networkctl reload`; the interfaces are reconfigured. No effect where NetworkManager or another "
    "program owns them: leave exactly one owner"
)
_NETWORKD = (
    "restart of systemd-networkd. Install it **before** the `.network` files, else networkd removes the "
    "CNI's rules and routes"
)
_SYSCTL = "`sysctl --system`; disrupts nothing"
_PAGES = (
    ". Reboot for huge pages: later the kernel may not find that much free memory in one piece, and the "
    "kubelet counts pages when it starts"
)
_OPTIONS = "reboot, after rebuilding the initramfs where it holds ib_core; check: `rdma system`"
_MODULES = "at boot, or `modprobe -a` of what it names; disrupts nothing"
_SCRIPT = (
    "when it runs: changing PFC or buffers drops packets in flight, so do it without jobs. Again after every "
    "driver reload"
)


def plan_files(plan: HostPlan) -> tuple[HostFile, ...]:
    """All files but the READMEs, in installation order."""
    return (*_network_files(plan), *_kernel_files(plan), *_units(plan))


def _network_files(plan: HostPlan) -> Iterator[HostFile]:
    for link in plan.links:
        yield HostFile(
            path=f"10-{link.hca}.link",
            shown="10-*.link",
            template="link.j2",
            about=("link", link.hca),
            destination=f"/etc/systemd/network/10-{link.hca}.link",
            effect=_NEW_NAME,
        )
    if plan.keep_foreign_routes:
        restart = ("systemctl", "restart", "systemd-networkd")
        name = "networkd.conf.d/10-netplan.conf"
        yield _one(name, "/etc/systemd/", "networkd.conf.j2", _NETWORKD, disruptive=(restart,))
    for network in plan.networks:
        yield HostFile(
            path=f"20-{network.hca}.network",
            shown="20-*.network",
            template="network.j2",
            about=("network", network.hca),
            destination=f"/etc/systemd/network/20-{network.hca}.network",
            effect=_RECONFIGURED,
            disruptive=(("networkctl", "reload"),),
        )


def _kernel_files(plan: HostPlan) -> Iterator[HostFile]:
    if plan.sysctl is not None:
        effect = _SYSCTL + (_PAGES if plan.sysctl.hugepages else "")
        yield _one("sysctl.d/90-rdma.conf", "/etc/", "sysctl.conf.j2", effect, safe=(("sysctl", "--system"),))
    if plan.netns_mode is not None:
        yield _one("modprobe.d/rdma.conf", "/etc/", "modprobe.conf.j2", _OPTIONS)
    if plan.modules:
        # not systemd-modules-load, which also fails for modules that other files of the host name
        probe = ("modprobe", "-a", *plan.modules)
        yield _one("modules-load.d/rdma.conf", "/etc/", "modules-load.conf.j2", _MODULES, safe=(probe,))


def _units(plan: HostPlan) -> Iterator[HostFile]:
    if plan.memlock is not None and plan.memlock.unit is not None:
        unit = plan.memlock.unit
        name = f"{unit}.service.d/10-rdma-memlock.conf"
        effect = f"`systemctl daemon-reload`, then a restart of {unit}; pods that run keep their old limit"
        again = ("systemctl", "restart", unit)
        yield _one(name, UNITS, "memlock.conf.j2", effect, safe=(_RELOAD,), disruptive=(again,))
    if plan.qos is not None:
        restart: Command = ("systemctl", "restart", NIC_UNIT)
        for script in plan.qos.scripts:
            yield HostFile(
                path=script.file,
                shown=script.file,
                template=f"nic/{script.driver}.sh.j2",
                about=("script", script.file),
                destination=f"/usr/local/sbin/{script.file}",
                effect=_SCRIPT,
                executable=True,
                disruptive=(restart,),
            )
        enable = ("systemctl", "enable", NIC_UNIT)
        effect = "`systemctl enable --now rdma-nic-qos`"
        yield _one(
            NIC_UNIT, UNITS, "nic-qos.service.j2", effect, safe=(_RELOAD, enable), disruptive=(restart,)
        )
    if plan.firmware is not None:
        yield HostFile(
            path="firmware-commands.txt",
            shown="firmware-commands.txt",
            template="firmware-commands.txt.j2",
            destination=None,
            effect="reboot of the drained node",
        )


def _one(
    path: str,
    folder: str,
    template: str,
    effect: str,
    *,
    safe: tuple[Command, ...] = (),
    disruptive: tuple[Command, ...] = (),
) -> HostFile:
    """A file with the same ``path`` in its folder of ``hosts/`` and below ``folder`` on the host."""
    return HostFile(
        path=path,
        shown=path,
        template=template,
        destination=f"{folder}{path}",
        effect=effect,
        safe=safe,
        disruptive=disruptive,
    )
