"""Delivery of hosts/, executed: the Ansible role by Ansible, the DaemonSet's script by a shell."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from netplan.diagnostics import Severity
from netplan.load import load_texts
from netplan.pipeline import compile_texts
from netplan.render import delivery_daemonset
from tests import openapi
from tests.factories import merged
from tests.inventories import outputs
from tests.overlay import CHECKS

IMAGE = "example.com/busybox:1"
MODPROBE = "modprobe -a ib_umad ib_uverbs rdma_ucm rdma_cm"
ALL = {"ansible": True, "butane": "fcos", "daemonset": {"image": IMAGE, "namespace": "netplan-hosts"}}
MOVED = {
    "gpu-[1-2]": None,
    "gpu-1": {"type": "gpu", "id": 1},
    "gpu-2": {"type": "gpu", "id": 2, "hcas": {"roce0": {"pci": "0000:19:00.0", "netdev": "ens9f0"}}},
}


def tree(**over: Any) -> dict[str, str]:
    base = load_texts({"base.yaml": (CHECKS / "base.yaml").read_text()}).data
    cluster = {"memlock": "runtime", "host_delivery": ALL} | over.pop("cluster", {})
    data = merged(base, {"cluster": cluster, "hosts": MOVED, **over})
    result = compile_texts({"case.yaml": json.dumps(data)})
    assert [d for d in result.diagnostics if d.severity is Severity.ERROR] == []
    return outputs(result)


def wanted(files: dict[str, str], host: str) -> dict[str, str]:
    """Destination -> text of the files for a host, from the tables of ``hosts/*/README.md``."""
    found = {}
    table = [
        line.split(" | ") for line in files["hosts/gpu/README.md"].splitlines() if line.startswith("| `")
    ]
    folders = {name.strip("| `"): folder.strip(" `") for name, folder, _ in table if folder.startswith("`/")}
    for folder in ("gpu", host):
        for path in files:
            top, _, name = path.removeprefix("hosts/").partition("/")
            shown = name if name in folders else f"{name[:3]}*.{name.rpartition('.')[2]}"
            if path.startswith("hosts/") and top == folder and shown in folders:
                found[folders[shown] + name.rpartition("/")[2]] = files[path]
    return found


def test_the_table_of_a_host_is_read():
    files = wanted(tree(), "gpu-2")
    assert len(files) == 10
    assert "ens9f0" in files["/etc/systemd/network/10-roce0.link"]
    assert "/etc/systemd/system/containerd.service.d/10-rdma-memlock.conf" in files


def write(files: dict[str, str], folder: Path) -> None:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


def installed(root: Path) -> dict[str, str]:
    """Files below ``root`` by absolute path, without netplan's own state files."""
    found = (p for p in root.rglob("*") if p.is_file())
    return {f"/{p.relative_to(root)}": p.read_text() for p in found if "var/lib/netplan-hosts" not in str(p)}


def fake(folder: Path, *names: str) -> dict[str, str]:
    """An environment in which these programs only record their calls."""
    folder.mkdir(exist_ok=True)
    for name in names:
        (folder / name).write_text(f'#!/bin/sh\necho {name} "$@" >> "{folder}/called"\n')
        (folder / name).chmod(0o755)
    return {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}


def called(folder: Path) -> list[str]:
    log = folder / "called"
    lines = log.read_text().splitlines() if log.exists() else []
    log.unlink(missing_ok=True)
    return lines


# --- Ansible


class Role:
    """The role, run on hosts that are folders of this machine."""

    def __init__(self, folder: Path, files: dict[str, str]) -> None:
        self.folder, self.bin = folder, folder / "bin"
        self.env = fake(self.bin, "systemctl", "sysctl", "networkctl", "modprobe")
        self.env |= {"ANSIBLE_LOCAL_TEMP": str(folder / "tmp"), "ANSIBLE_REMOTE_TEMP": str(folder / "tmp")}
        self.env |= {"ANSIBLE_NOCOLOR": "1", "LC_ALL": "C.UTF-8"}
        write(files, folder / "tree")

    def play(self, host: str, *more: str, code: int = 0) -> str:
        root = f"netplan_root={self.folder}/{host}"
        command = ["ansible-playbook", "-i", "inventory.yml", "site.yml", "-c", "local", "--limit", host]
        command += ["-e", root, "-e", "ansible_become=false", *more]
        cwd = self.folder / "tree/delivery/ansible"
        done = subprocess.run(command, cwd=cwd, env=self.env, capture_output=True, text=True, timeout=120)
        assert done.returncode == code, done.stdout + done.stderr
        assert "WARN" not in done.stderr, done.stderr
        return done.stdout


@pytest.mark.ansible
def test_the_role_installs_and_the_second_run_changes_nothing(tmp_path: Path):
    files = tree()
    role = Role(tmp_path, files)
    role.play("gpu-2")
    assert installed(tmp_path / "gpu-2") == wanted(files, "gpu-2")
    script = tmp_path / "gpu-2/usr/local/sbin/rdma-nic-qos.sh"
    assert script.stat().st_mode & 0o777 == 0o755
    assert sorted(called(role.bin)) == [
        MODPROBE,
        "sysctl --system",
        "systemctl daemon-reload",
        "systemctl enable rdma-nic-qos.service",
    ]
    assert "changed=0" in role.play("gpu-2")
    assert called(role.bin) == []


DISRUPTIVE = [
    "networkctl reload",
    "systemctl restart containerd",
    "systemctl restart rdma-nic-qos.service",
    "systemctl restart systemd-networkd",
]


@pytest.mark.nightly
@pytest.mark.ansible
def test_what_disrupts_is_left_to_a_later_run(tmp_path: Path):
    """The documented sequence: install, then run with netplan_disruptive on the drained node."""
    role = Role(tmp_path, tree())
    assert "systemctl restart containerd" in role.play("gpu-1")
    assert set(called(role.bin)).isdisjoint(DISRUPTIVE)
    assert "systemctl restart containerd" in role.play("gpu-1"), "it is still left"
    assert called(role.bin) == []
    role.play("gpu-1", "-e", "netplan_disruptive=true")
    assert sorted(called(role.bin)) == DISRUPTIVE
    assert "systemctl restart containerd" not in role.play("gpu-1", "-e", "netplan_disruptive=true")
    assert called(role.bin) == []


@pytest.mark.nightly
@pytest.mark.ansible
def test_a_boot_settles_what_disrupts(tmp_path: Path):
    role = Role(tmp_path, tree())
    role.play("gpu-1")
    due = tmp_path / "gpu-1/var/lib/netplan-hosts/due"
    due.write_text(json.dumps(json.loads(due.read_text()) | {"boot": "another"}))
    assert "systemctl restart containerd" not in role.play("gpu-1")


@pytest.mark.nightly
@pytest.mark.ansible
def test_a_command_that_failed_is_due_in_the_next_play(tmp_path: Path):
    role = Role(tmp_path, tree())
    working = (role.bin / "modprobe").read_text()
    (role.bin / "modprobe").write_text("#!/bin/sh\nexit 1\n")
    assert f"failed: {MODPROBE}" in role.play("gpu-1", code=2)
    assert "systemctl enable rdma-nic-qos.service" in called(role.bin)
    (role.bin / "modprobe").write_text(working)
    role.play("gpu-1")
    assert called(role.bin) == [MODPROBE]


@pytest.mark.nightly
@pytest.mark.ansible
def test_the_role_removes_what_is_wanted_no_more(tmp_path: Path):
    Role(tmp_path, tree()).play("gpu-1")
    shutil.rmtree(tmp_path / "tree")
    less = tree(cluster={"memlock": "pod"}, fabric={"qos": None})
    role = Role(tmp_path, less)
    called(role.bin)
    role.play("gpu-1")
    assert installed(tmp_path / "gpu-1") == wanted(less, "gpu-1")
    assert "/usr/local/sbin/rdma-nic-qos.sh" not in installed(tmp_path / "gpu-1")
    assert "systemctl disable --now rdma-nic-qos.service" in called(role.bin)


# --- DaemonSet


class Node:
    """The script of the DaemonSet's pods on a host that is a folder."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder, self.name, self.bin = folder, name, folder / "bin"
        self.env = fake(self.bin, "nsenter")

    def run(self, files: dict[str, str]) -> list[str]:
        """Output of the script; its calls are in ``called``."""
        volume = self.folder / "files"
        shutil.rmtree(volume, ignore_errors=True)
        for part, text in mounted(files).items():
            (volume / part).parent.mkdir(parents=True, exist_ok=True)
            (volume / part).write_text(text)
        env = {**self.env, "ROOT": str(self.folder / "root"), "FILES": str(volume), "NODE_NAME": self.name}
        command = ["sh", str(volume / "install.sh")]
        done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout.splitlines()

    def called(self) -> list[str]:
        prefix = "nsenter --target 1 --mount --net -- "
        return [line.removeprefix(prefix) for line in called(self.bin)]


def objects(files: dict[str, str]) -> list[dict[str, Any]]:
    names = [p for p in files if p.startswith("delivery/daemonset/") and "kustomization" not in p]
    return [o for path in sorted(names) for o in yaml.safe_load_all(files[path])]


def mounted(files: dict[str, str]) -> dict[str, str]:
    """Content of the DaemonSet's projected volume."""
    found = {}
    data = {o["metadata"]["name"]: o["data"] for o in objects(files) if o["kind"] == "ConfigMap"}
    (pods,) = (o for o in objects(files) if o["kind"] == "DaemonSet")
    (volume, _) = pods["spec"]["template"]["spec"]["volumes"]
    for source in volume["projected"]["sources"]:
        for item in source["configMap"]["items"]:
            assert item["path"] not in found
            found[item["path"]] = data[source["configMap"]["name"]][item["key"]]
    return found


@pytest.mark.parametrize("name", ["gpu-1", "gpu-2", "unknown-node"])
def test_the_script_installs_and_the_second_run_changes_nothing(name: str, tmp_path: Path):
    files, node = tree(), Node(tmp_path, name)
    said = node.run(files)
    assert installed(tmp_path / "root") == wanted(files, name)
    assert "not run, it disrupts: systemctl restart containerd" in " ".join(" ".join(said).split())
    assert sorted(node.called()) == [
        MODPROBE,
        "sysctl --system",
        "systemctl daemon-reload",
        "systemctl enable rdma-nic-qos.service",
    ]
    assert node.run(files) == [f"files of {name} are in place"]
    assert node.called() == []


def test_the_script_removes_what_is_wanted_no_more(tmp_path: Path):
    node = Node(tmp_path, "gpu-2")
    node.run(tree())
    node.called()
    less = tree(cluster={"memlock": "pod"}, fabric={"qos": None})
    node.run(less)
    assert installed(tmp_path / "root") == wanted(less, "gpu-2")
    assert node.called() == ["systemctl disable --now rdma-nic-qos.service", "systemctl daemon-reload"]


def test_a_command_that_failed_is_due_again(tmp_path: Path):
    files, node = tree(), Node(tmp_path, "gpu-1")
    broken = tmp_path / "bin/nsenter"
    working = broken.read_text()
    broken.write_text(working + '\ncase "$*" in *sysctl*) exit 1 ;; esac\n')
    with pytest.raises(AssertionError, match="failed: "):
        node.run(files)
    assert {"systemctl daemon-reload", "systemctl enable rdma-nic-qos.service"} < set(node.called())
    broken.write_text(working)
    node.run(files)
    assert "sysctl --system" in node.called()
    assert node.run(files) == ["files of gpu-1 are in place"]
    assert node.called() == []


def test_a_file_with_another_mode_is_written_again(tmp_path: Path):
    files, node = tree(), Node(tmp_path, "gpu-1")
    node.run(files)
    script = tmp_path / "root/usr/local/sbin/rdma-nic-qos.sh"
    script.chmod(0o644)
    assert "wrote /usr/local/sbin/rdma-nic-qos.sh" in node.run(files)
    assert script.stat().st_mode & 0o777 == 0o755


@pytest.mark.crd
@pytest.mark.parametrize("version", [openapi.OLDEST, openapi.NEWEST])
def test_the_objects_are_those_of_the_release(version: str):
    found = objects(tree())
    assert {o["kind"] for o in found} == {"Namespace", "ConfigMap", "DaemonSet"}
    assert [e for o in found for e in openapi.validate(o, version)] == []


def test_a_change_of_a_file_starts_the_pods_again():
    def digest(files: dict[str, str]) -> str:
        (pods,) = (o for o in objects(files) if o["kind"] == "DaemonSet")
        return str(pods["spec"]["template"]["metadata"]["annotations"]["checksum/files"])

    assert digest(tree()) == digest(tree())
    assert digest(tree()) != digest(tree(fabric={"mtu": 4200}))


def test_config_maps_stay_below_what_the_api_server_takes(monkeypatch: pytest.MonkeyPatch):
    hosts = {f"gpu-{i}": {"type": "gpu", "id": i, "hcas": {"roce0": {"netdev": f"ens{i}f9"}}} for i in (1, 2)}
    own = [p for p in mounted(tree(hosts={"gpu-[1-2]": None, **hosts})) if p.startswith("hosts/")]
    monkeypatch.setattr(delivery_daemonset, "LIMIT", 2000)
    files = tree(hosts={"gpu-[1-2]": None, **hosts})
    maps = [o for o in objects(files) if o["kind"] == "ConfigMap"]
    assert [o["metadata"]["name"] for o in maps] == [
        "netplan-hosts-gpu",
        "netplan-hosts-gpu-own-1",
        "netplan-hosts-gpu-own-2",
    ]
    assert [p for p in mounted(files) if p.startswith("hosts/")] == own


# --- Butane

TEXT = {"type": "string"}
FILE = {
    "path": {**TEXT, "pattern": "^/"},
    "mode": {"enum": [0o644, 0o755]},
    "overwrite": {"const": True},
    "contents": {
        "type": "object",
        "properties": {"local": TEXT},
        "required": ["local"],
        "additionalProperties": False,
    },
}
DROP_IN = {"name": {**TEXT, "pattern": "[.]conf$"}, "contents_local": TEXT}


def closed(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def listing(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items, "minItems": 1}


# The part of coreos/butane base/v0_5/schema.go and config/openshift/v4_14/schema.go that netplan writes.
UNIT = {
    "name": {**TEXT, "pattern": "[.]service$"},
    "enabled": {"const": True},
    "contents_local": TEXT,
    "dropins": listing(closed(DROP_IN, *DROP_IN)),
}
BUTANE = {
    "fcos": closed(
        {
            "variant": {"const": "fcos"},
            "version": {"const": "1.5.0"},
            "storage": closed({"files": listing(closed(FILE, *FILE))}),
            "systemd": closed({"units": listing(closed(UNIT, "name"))}),
        },
        "variant",
        "version",
    )
}
BUTANE["openshift"] = closed(
    {
        **BUTANE["fcos"]["properties"],
        "variant": {"const": "openshift"},
        "version": {"const": "4.14.0"},
        "metadata": closed({"name": TEXT, "labels": {"type": "object"}}, "name", "labels"),
    },
    "variant",
    "version",
    "metadata",
)


def butane(files: dict[str, str]) -> dict[str, Any]:
    found = {p.rpartition("/")[2]: yaml.safe_load(t) for p, t in files.items() if p.endswith(".bu")}
    for config in found.values():
        jsonschema.validate(config, BUTANE[config["variant"]])
    return found


def test_a_butane_configuration_has_every_file_but_those_of_networkd():
    files = tree()
    configs = butane(files)
    assert set(configs) == {"gpu.bu", "gpu-2.bu"}
    for name, config in configs.items():
        units = config["systemd"]["units"]
        found = {f["path"]: f["contents"]["local"] for f in config["storage"]["files"]}
        found |= {
            f"/etc/systemd/system/{u['name']}": u["contents_local"] for u in units if "dropins" not in u
        }
        for unit in units:
            for part in unit.get("dropins", ()):
                found[f"/etc/systemd/system/{unit['name']}.d/{part['name']}"] = part["contents_local"]
        texts = {destination: files[f"hosts/{path}"] for destination, path in found.items()}
        host = name.removesuffix(".bu")
        assert texts == {
            destination: text
            for destination, text in wanted(files, host).items()
            if not destination.endswith(".network") and "networkd.conf.d" not in destination
        }


def test_openshift_gets_a_machine_config_of_the_pool():
    cluster = {"distribution": "openshift", "host_delivery": {"butane": "openshift"}, "memlock": "pod"}
    configs = butane(
        tree(cluster=cluster, hosts={"gpu-[1-2]": {"type": "gpu"}, "gpu-1": None, "gpu-2": None})
    )
    assert configs["gpu.bu"]["metadata"] == {
        "name": "99-gpu-netplan",
        "labels": {"machineconfiguration.openshift.io/role": "gpu"},
    }
