"""What each marker needs from the machine, tried rather than guessed; a probe returns what is missing."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

from tests import browser, junos_yang, kustomize, sonic_yang, upstream

CNI_BIN = Path(os.environ.get("CNI_BIN", "/usr/lib/cni"))
CNI_PLUGINS = ("host-device", "host-local", "sbr", "static", "tuning")

# In its own namespace, so that a probe leaves nothing behind.
NETNS_TRIAL = """
mount -t tmpfs none /run && mkdir /run/netns && ip netns add npprobe &&
ip link add npprobe0 type veth peer name npprobe1 && ip link set npprobe1 netns npprobe &&
ip link add npprobe2 type bridge
"""


def _crd() -> str | None:
    folders = ("crds", "crds-by-release", "crds-jobs", "chart-values", "kubernetes-openapi")
    return next(filter(None, map(upstream.missing, folders)), None)


def _formats() -> str | None:
    absent = (
        None
        if importlib.util.find_spec("xmlschema")
        else "xmlschema is not installed: pip install -e '.[dev]'"
    )
    return upstream.missing("formats") or absent


def _yang() -> str | None:
    return sonic_yang.missing() or junos_yang.missing()


def _frr() -> str | None:
    return None if shutil.which("vtysh") else "vtysh is not on the PATH (Debian: frr)"


def _netns() -> str | None:
    absent = [name for name in ("busybox", "ip", "unshare") if shutil.which(name) is None]
    absent += [str(CNI_BIN / name) for name in CNI_PLUGINS if not (CNI_BIN / name).is_file()]
    if absent:
        return f"not found: {', '.join(absent)}"
    if os.geteuid() != 0:
        return "not root: run it as unshare -rnm pytest"
    return _failure(["unshare", "--net", "--mount", "sh", "-ec", NETNS_TRIAL])


def _wheel() -> str | None:
    """Building the wheel in isolation and installing it into an empty venv need a package index."""
    trial = "-m pip install --quiet --retries 1 --dry-run --ignore-installed --no-deps hatchling"
    return _failure([sys.executable, *trial.split()])


def _browser() -> str | None:
    absent = (
        None
        if importlib.util.find_spec("axe_core_python")
        else "axe_core_python is not installed: pip install -e '.[dev]'"
    )
    return browser.missing() or absent


def _ansible() -> str | None:
    return (
        None
        if shutil.which("ansible-playbook")
        else "ansible-playbook is not on the PATH (Debian: ansible-core)"
    )


def _avd() -> str | None:
    return None if importlib.util.find_spec("pyavd") else "pyavd is not installed: pip install -e '.[avd]'"


def _failure(command: list[str]) -> str | None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if done.returncode == 0:
        return None
    said = [line for line in done.stderr.splitlines() if line.strip()] or [f"exit {done.returncode}"]
    return f"{command[0]}: {said[-1].strip()}"


PROBES: dict[str, Callable[[], str | None]] = {
    "crd": _crd,
    "yang": _yang,
    "formats": _formats,
    "frr": _frr,
    "kustomize": kustomize.missing,
    "netns": _netns,
    "wheel": _wheel,
    "avd": _avd,
    "ansible": _ansible,
    "browser": _browser,
}


@cache
def missing(marker: str) -> str | None:
    """Why tests with ``marker`` cannot run on this machine; None if they can. Probed once per process."""
    return PROBES[marker]()


def required() -> frozenset[str]:
    """The markers of ``NETPLAN_REQUIRE``, comma-separated: what they need must be available."""
    return frozenset(
        name.strip() for name in os.environ.get("NETPLAN_REQUIRE", "").split(",") if name.strip()
    )


def must_run(marker: str) -> bool:
    """kustomize is available wherever kubectl is, so such a machine has no reason to skip."""
    return marker in required() or (marker == "kustomize" and kustomize.present())
