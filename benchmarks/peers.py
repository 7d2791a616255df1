"""Time per switch, compared with generators by others, on one fabric of EOS leaves and spines.

Each peer is installed into its own venv below build/peers; one that cannot be installed is named. All get the
plan that netplan made, so they do only part of the work; netplan's share is everything from the inventory on,
with hosts, pods and checks, divided by the switches.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from inventory import EOS, Shape, inventory
from measure import ROOT, Lines, Sample, alternately, cpu, key, process
from stages import STAGES

HOSTS = 128
PACKAGES = {"pyavd": "pyavd", "netlab": "networklab", "ansible": "ansible-core"}
CANNOT = {
    "pyavd": "validate_structured_config and get_device_config of finished data; eos_designs is not counted",
    "netlab": "netlab create: access ports, VLANs, SVIs, BGP; it has no QoS, PFC, ECN, watchdog, ARP age",
    "ansible": "one template task from finished host_vars, less a play without tasks",
}
"""Peer -> what is measured, and what it does not do."""


def compare(lines: Lines, runs: int, folder: Path) -> None:
    """``folder``: must be empty."""
    path = folder / "peers.yaml"
    path.write_text(inventory(Shape(HOSTS, leaves=(EOS,))), encoding="utf-8")
    process(sys.executable, "benchmarks/peer/fabric.py", path, folder)
    switches = Shape(HOSTS).switches
    lines.section(f"Peers: CPU per switch on one fabric of {switches} EOS switches, whole netplan ÷ peer")
    ready = {name: bin for name in PACKAGES if (bin := _installed(name, lines)) is not None}
    calls: dict[str, Callable[[], Sample]] = {
        "netplan": lambda: process(
            sys.executable, "benchmarks/stages.py", "netplan", path, BENCH_DIR=str(folder)
        )
    }
    for name, bin in ready.items():
        calls |= _calls(name, bin, folder)
    found = alternately(runs, calls)
    own = sum(key(found["netplan"], stage) for stage in STAGES) / switches
    alike = sum(key(found["netplan"], stage) for stage in ("plan", "render", "write")) / switches
    lines.put("netplan: all stages, per switch", own * 1000, "ms")
    lines.put("netplan: plan, render and write, per switch", alike * 1000, "ms")
    for name in ready:
        seconds = (
            key(found[name], "seconds") if name == "pyavd" else cpu(found[name]) - cpu(found[f"{name} idle"])
        )
        lines.put(f"{name}: per switch", seconds / switches * 1000, "ms")
        lines.put(f"netplan ÷ {name}, per switch", f"1/{seconds / switches / own:.1f}")
        lines.put(f"{name}: what it does", CANNOT[name])
    for name, share in _shared(ready, found, folder).items():
        lines.put(f"{name}: lines of netplan's switch files that it writes too", share * 100, "%")


def _installed(name: str, lines: Lines) -> Path | None:
    """The folder of the peer's commands."""
    venv = ROOT / "build" / "peers" / name
    bin = venv / "bin"
    marker = venv / "installed"
    if marker.exists():
        return bin
    try:
        subprocess.run([sys.executable, "-m", "venv", venv], check=True, capture_output=True)
        pip = [bin / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check", PACKAGES[name]]
        subprocess.run(pip, check=True, capture_output=True, text=True)
    except subprocess.CalledProcessError as error:
        why = str(error.stderr).strip().splitlines()[-1:] or ["no reason given"]
        lines.put(f"{name}: not measured, {PACKAGES[name]} cannot be installed", why[0])
        return None
    marker.touch()
    return bin


def _calls(name: str, bin: Path, folder: Path) -> dict[str, Callable[[], Sample]]:
    if name == "pyavd":
        return {
            name: lambda: process(
                bin / "python", "benchmarks/peer/avd.py", folder / "avd.json", PYTHONPATH=""
            )
        }
    if name == "netlab":
        create = (
            "sh",
            "-c",
            f"cd {folder}/netlab && rm -rf node_files && {bin}/netlab create -q topology.yml",
        )
        idle = ("sh", "-c", f"cd {folder}/netlab && {bin}/netlab version")
        return {f"{name} idle": lambda: _peer(bin, *idle), name: lambda: _peer(bin, *create)}
    own = f"ansible_python_interpreter={bin / 'python'}"
    play = (bin / "ansible-playbook", "-f", "2", "-e", own, "-i", folder / "ansible" / "hosts.ini")
    return {
        f"{name} idle": lambda: _peer(bin, *play, folder / "ansible" / "nothing.yml"),
        name: lambda: _again(bin, folder, *play, folder / "ansible" / "render.yml"),
    }


def _peer(bin: Path, *command: str | Path) -> Sample:
    path = f"{bin}:{os.environ['PATH']}"
    return process(*command, PYTHONPATH="", PATH=path, LC_ALL="C.UTF-8", ANSIBLE_LOCALHOST_WARNING="false")


def _again(bin: Path, folder: Path, *command: str | Path) -> Sample:
    for old in (folder / "ansible").glob("*.cfg"):
        old.unlink()
    return _peer(bin, *command)


def _shared(ready: dict[str, Path], found: dict[str, list[Sample]], folder: Path) -> dict[str, float]:
    """Share of the lines that netplan writes for its switches which the peer writes in the same place."""
    sys.path.insert(0, str(ROOT))
    from tests.eos_site import lines_of

    own = json.loads((folder / "netplan.json").read_text(encoding="utf-8"))
    texts: dict[str, dict[str, str]] = {}
    if "pyavd" in ready:
        texts["pyavd"] = found["pyavd"][0].data["texts"]
    if "ansible" in ready:
        files = (folder / "ansible").glob("*.cfg")
        texts["ansible"] = {file.stem: file.read_text(encoding="utf-8") for file in files}
    shares = {}
    for name, theirs in texts.items():
        pairs = [(set(map(tuple, lines)), set(lines_of(theirs[switch]))) for switch, lines in own.items()]
        shares[name] = sum(len(ours & others) for ours, others in pairs) / sum(len(ours) for ours, _ in pairs)
    return shares
