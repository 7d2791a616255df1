"""What the text of a switch says of classes that the rules of its NOS do not read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from netplan.diagnostics import Source
from netplan.importing import (
    eos_classes,
    eos_watchdog,
    junos_ecn,
    junos_lossless,
    junos_watchdog,
    nvue_roce,
    nxos_classes,
)
from netplan.importing.facts import Fact, Remark

TOLD: Mapping[str, tuple[Callable[[str, Callable[[int], Source]], Iterator[Fact | Remark]], ...]] = {
    "arista-eos": (eos_classes.told_classes, eos_watchdog.told_watchdog),
    "cisco-nxos": (nxos_classes.told_classes,),
    "cumulus-nvue": (nvue_roce.other_modes,),
    "juniper-junos": (
        junos_ecn.ecn_facts,
        junos_lossless.told_lossless,
        junos_watchdog.told_watchdog,
    ),
}
"""By NOS."""
