"""Where files of ``hosts/`` go on a host, and how Ansible, Butane and a DaemonSet install them."""

from __future__ import annotations

from netplan.model.cluster import HostDelivery
from netplan.model.hardware import Labels
from netplan.records import dataclass

Command = tuple[str, ...]
"""A program and its arguments."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostFile:
    """One file of ``hosts/<folder>/``.

    ``path``: below that folder; ``shown``: name in tables, shared by similar files. ``template`` prints it;
    ``about``: the part of the HostPlan it prints: (link, network or script; HCA or file name), None for the
    whole plan. ``destination``: on the host, None for files that people read. ``effect``: when it takes
    effect, in words. ``safe``: commands that activate it without disruption; ``disruptive``: commands that
    interrupt traffic or pods.
    """

    path: str
    shown: str
    template: str
    about: tuple[str, str] | None = None
    destination: str | None
    effect: str
    executable: bool = False
    safe: tuple[Command, ...] = ()
    disruptive: tuple[Command, ...] = ()

    @property
    def folder(self) -> str:
        return f"{(self.destination or '').rpartition('/')[0]}/"

    @property
    def unit(self) -> str | None:
        """The systemd unit, if the file is one."""
        name = (self.destination or "").removeprefix(UNITS)
        return name if self.destination != name and "/" not in name else None

    @property
    def drop_in(self) -> tuple[str, str] | None:
        """(systemd unit, name of the drop-in), if the file is a drop-in."""
        folder, _, name = (self.destination or "").removeprefix(UNITS).partition(".d/")
        return (folder, name) if folder.endswith(".service") and name else None


UNITS = "/etc/systemd/system/"

STATE = "/var/lib/netplan-hosts"
"""Where Ansible and the DaemonSet record what they installed on a host."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostSet:
    """The files of a host type, or all files of a host that has some of its own.

    ``files``: (path below ``hosts/``, file), those of the type, replaced by the host's own if there are any.
    ``entity``: inventory path.
    """

    name: str
    host_type: str
    entity: str
    files: tuple[tuple[str, HostFile], ...]

    @property
    def without_networkd(self) -> tuple[tuple[str, HostFile], ...]:
        return tuple((path, f) for path, f in self.files if not of_networkd(f))

    @property
    def disruptive(self) -> tuple[Command, ...]:
        """Each command once, in the order of the files."""
        return tuple(dict.fromkeys(c for _, f in self.files for c in f.disruptive))


def of_networkd(file: HostFile) -> bool:
    return file.path.endswith(".network") or file.path.startswith("networkd.conf.d/")


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeDelivery:
    """A host type: its files, its hosts with names, and those of them with files of their own.

    ``group``: its Ansible group. ``selector``: labels that only its nodes have, empty if there are none.
    """

    files: HostSet
    group: str
    hosts: tuple[str, ...]
    own: tuple[HostSet, ...]
    selector: Labels

    @property
    def name(self) -> str:
        return self.files.name


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryPlan:
    """``types``: those with a file to install on a host."""

    by: HostDelivery
    types: tuple[TypeDelivery, ...]
