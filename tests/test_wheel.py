"""The built wheel, installed in an empty environment and run from ``/``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.inventories import compiled, outputs

ROOT = Path(__file__).resolve().parent.parent

pytestmark = [pytest.mark.wheel, pytest.mark.xdist_group("wheel")]


@pytest.fixture(scope="module")
def python(tmp_path_factory) -> Path:
    """The interpreter of an empty environment with the wheel and its dependencies."""
    folder = tmp_path_factory.mktemp("wheel")
    run = {"check": True, "capture_output": True, "text": True, "timeout": 300}
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", str(folder), str(ROOT)], **run
    )
    (wheel,) = folder.glob("rdma_netplan-*.whl")
    subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], **run)
    interpreter = folder / "venv/bin/python"
    subprocess.run([str(interpreter), "-m", "pip", "install", "--quiet", str(wheel)], **run)
    return interpreter


def netplan(python: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the console script from ``/``, where no checkout is."""
    command = [str(python.parent / "netplan"), *arguments]
    return subprocess.run(command, cwd="/", capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize("name", ["iei-rocev2", "vsphere-pvrdma"])
def test_the_wheel_renders_what_the_checkout_renders(python, tmp_path, name):
    done = netplan(python, "render", str(ROOT / f"inventories/{name}.yaml"), "-o", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    found = {str(p.relative_to(tmp_path / "out")): p.read_text() for p in (tmp_path / "out").rglob("*") if p.is_file()}
    del found["manifest.json"]
    assert found == outputs(compiled(name))


def test_the_wheel_carries_its_data(python):
    done = netplan(python, "init", "--from", "eks-efa")
    assert done.stdout == (ROOT / "inventories/eks-efa.yaml").read_text()
    assert netplan(python, "schema").stdout == (ROOT / "schemas/inventory.schema.json").read_text()


def test_both_console_scripts_are_the_same_program(python):
    other = subprocess.run([str(python.parent / "rdma-netplan"), "--version"], cwd="/", capture_output=True, text=True)
    assert other.stdout == netplan(python, "--version").stdout.replace("netplan ", "rdma-netplan ") or (
        other.stdout == netplan(python, "--version").stdout
    )
