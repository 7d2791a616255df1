"""CPU time of ``netplan diff`` ÷ ``netplan validate`` of the old side: ``python benchmarks/diff.py``.

One change in each of three shipped inventories: compiles both sides, makes effects and waves, traces states.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from netplan import resources
from netplan.changes.compare import difference, ends_of
from netplan.changes.sides import Side
from netplan.changes.waves import course
from netplan.pipeline import compile_texts

CHANGES = {
    "superpod-h100": ("  mtu: 9000", "  mtu: 4200"),
    "iei-rocev2": ("vlan_ids: 100-103", "vlan_ids: 300-303"),
    "multi-vendor": ("\n  mtu: 4200", "\n  mtu: 4000"),
}


def measured(call: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    found = call()
    return time.process_time() - start, found


def side(name: str, text: str) -> Side:
    result = compile_texts({f"{name}.yaml": text})
    return Side(name, {a.path: a.text for a in result.artifacts}, result.document)


def main() -> None:
    print(f"{'inventory':<16}{'validate':>10}{'effects':>10}{'waves':>10}{'diff ÷ validate':>18}")
    for name, (old, new) in CHANGES.items():
        text = (resources.inventories() / f"{name}.yaml").read_text(encoding="utf-8")
        validate, before = measured(partial(side, name, text))
        second, after = measured(partial(side, name, text.replace(old, new)))
        both = ends_of(before, after)
        effects, _ = measured(partial(difference, both))
        waves, _ = measured(partial(course, both))
        ratio = (validate + second + effects + waves) / validate
        print(f"{name:<16}{validate:>9.2f}s{effects:>9.2f}s{waves:>9.2f}s{ratio:>18.1f}")


if __name__ == "__main__":
    main()
