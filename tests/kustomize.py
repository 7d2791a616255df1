"""The real kustomize, as ``kubectl kustomize`` or ``kustomize build``.

``NETPLAN_KUSTOMIZE``: more binaries, separated by colons, to test other versions; the oldest supported one is
5.0.1 (kubectl 1.27). ``GOBIN=DIR go install sigs.k8s.io/kustomize/kustomize/v5@v5.0.1`` builds one.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import yaml

OLDEST_KUBECTL = (1, 27)
TIMEOUT_SECONDS = 60


def present() -> bool:
    """Whether one of the binaries is on the PATH, usable or not."""
    return shutil.which("kubectl") is not None or shutil.which("kustomize") is not None


@cache
def missing() -> str | None:
    """Why kustomize cannot be run here; None if it can."""
    return None if _command() else _unusable()


def commands() -> list[tuple[str, ...]]:
    """Every available kustomize: kubectl's, the one on the PATH, those of ``NETPLAN_KUSTOMIZE``."""
    found = [command] if (command := _command()) else []
    if shutil.which("kustomize") and ("kustomize", "build") not in found:
        found.append(("kustomize", "build"))
    named = os.environ.get("NETPLAN_KUSTOMIZE", "").split(":")
    return [*found, *((name, "build") for name in named if name)]


def build(directory: Path, command: tuple[str, ...] | None = None) -> list[dict[str, Any]]:
    """Objects of ``directory/kustomization.yaml``; AssertionError with kustomize's message if it fails."""
    command = command or _command()
    assert command is not None, _unusable()
    done = subprocess.run(
        [*command, str(directory)], capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False
    )
    assert done.returncode == 0, f"{' '.join(command)} {directory}:\n{done.stderr.strip()}"
    return [document for document in yaml.safe_load_all(done.stdout) if document is not None]


def apply_json6902(patches: list[dict[str, Any]], target: dict[str, Any]) -> dict[str, Any]:
    """``target`` after the JSON6902 operations ``patches``, applied by kustomize as a user would."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "target.yaml").write_text(json.dumps(target))
        (folder / "patch.yaml").write_text(json.dumps(patches))
        kustomization = {
            "apiVersion": "kustomize.config.k8s.io/v1beta1",
            "kind": "Kustomization",
            "resources": ["target.yaml"],
            "patches": [{"path": "patch.yaml", "target": {"kind": target["kind"]}}],
        }
        (folder / "kustomization.yaml").write_text(json.dumps(kustomization))
        (patched,) = build(folder)
    return patched


@cache
def _command() -> tuple[str, ...] | None:
    if (version := _kubectl_version()) is not None and version >= OLDEST_KUBECTL:
        return ("kubectl", "kustomize")
    return ("kustomize", "build") if shutil.which("kustomize") else None


@cache
def _kubectl_version() -> tuple[int, int] | None:
    if shutil.which("kubectl") is None:
        return None
    done = subprocess.run(
        ["kubectl", "version", "--client", "-o", "json"],
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )
    # Distributions append to it: "v1.32.4-dispatcher", "v1.29.3+k3s1".
    found = re.search(r'"gitVersion": *"v(\d+)\.(\d+)', done.stdout)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def _unusable() -> str:
    oldest = ".".join(map(str, OLDEST_KUBECTL))
    version = _kubectl_version()
    if version is None:
        return f"neither kubectl (>= {oldest}) nor kustomize is on the PATH"
    return f"kubectl {version[0]}.{version[1]} is older than {oldest} and kustomize is not on the PATH"
