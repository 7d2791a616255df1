"""The built wheel, installed in an empty environment and run from ``/``."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from netplan.model.inventory_schema import inventory_schema
from tests.inventories import compiled, outputs

ROOT = Path(__file__).resolve().parent.parent

pytestmark = [pytest.mark.wheel, pytest.mark.xdist_group("wheel")]


@pytest.fixture(scope="module")
def python(tmp_path_factory) -> Path:
    """The interpreter of an empty environment with the wheel and its dependencies."""
    folder = tmp_path_factory.mktemp("wheel")
    succeed(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", str(folder), str(ROOT))
    (wheel,) = folder.glob("rdma_netplan-*.whl")
    succeed(sys.executable, "-m", "venv", str(folder / "venv"))
    interpreter = folder / "venv/bin/python"
    succeed(str(interpreter), "-m", "pip", "install", "--quiet", str(wheel))
    return interpreter


def succeed(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True, text=True, timeout=300)


def netplan(python: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the console script from ``/``, outside any checkout."""
    command = [str(python.parent / "netplan"), *arguments]
    return subprocess.run(command, cwd="/", capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize("name", ["iei-rocev2", "vsphere-pvrdma"])
def test_the_wheel_renders_what_the_checkout_renders(python, tmp_path, name):
    done = netplan(python, "render", str(ROOT / f"inventories/{name}.yaml"), "-o", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    root = tmp_path / "out"
    found = {str(p.relative_to(root)): p.read_text() for p in root.rglob("*") if p.is_file()}
    del found["manifest.json"]
    assert found == outputs(compiled(name))


def test_the_wheel_carries_its_data(python):
    done = netplan(python, "init", "--from", "eks-efa")
    _modeline, _advice, written = done.stdout.split("\n", 2)
    assert written == (ROOT / "inventories/eks-efa.yaml").read_text().split("\n", 1)[1]
    assert json.loads(netplan(python, "schema").stdout) == inventory_schema()


def test_both_console_scripts_are_the_same_program(python):
    command = [str(python.parent / "rdma-netplan"), "--version"]
    other = subprocess.run(command, cwd="/", capture_output=True, text=True, check=True)
    assert other.stdout == netplan(python, "--version").stdout


def test_the_wheel_carries_the_page(python):
    done = netplan(python, "report", str(ROOT / "inventories/eks-efa.yaml"), "-o", "-")
    assert (done.returncode, done.stdout.count("<script")) == (0, 2), done.stderr
