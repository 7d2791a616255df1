"""An Ansible role that installs ``hosts/``, its variables, an inventory and a playbook.

Modules of ansible.builtin only (docs.ansible.com, collections/ansible/builtin), from ansible-core 2.14 on.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from netplan.model.delivery import STATE, DeliveryPlan, HostFile, HostSet
from netplan.render.dump import written

_ROLE = "netplan_hosts"
_GROUP = "netplan_nodes"
_ROOT = "{{ netplan_root }}"
_STATE = f"{_ROOT}{STATE}"


def ansible_files(plan: DeliveryPlan) -> Iterator[tuple[str, str, list[object]]]:
    entity = "cluster.host_delivery"
    yield "ansible/site.yml", entity, [_playbook()]
    yield "ansible/inventory.yml", entity, [_inventory(plan)]
    yield f"ansible/roles/{_ROLE}/defaults/main.yml", entity, [_DEFAULTS]
    yield f"ansible/roles/{_ROLE}/meta/main.yml", entity, [_META]
    yield f"ansible/roles/{_ROLE}/tasks/main.yml", entity, [_tasks()]
    for kind in plan.types:
        yield f"ansible/group_vars/{kind.group}.yml", kind.files.entity, [_variables(kind.files)]
        for own in kind.own:
            yield f"ansible/host_vars/{own.name}.yml", own.entity, [_variables(own)]


_DEFAULTS = {
    "netplan_source": "{{ playbook_dir }}/../../hosts",
    "netplan_root": "",
    "netplan_disruptive": False,
    "netplan_files": [],
}

_META = {
    "galaxy_info": {
        "author": "netplan",
        "description": "Installs the files that netplan writes for RDMA hosts",
        "license": "Apache-2.0",
        "min_ansible_version": "2.14",
    },
    "dependencies": [],
}


def _playbook() -> list[dict[str, Any]]:
    return [
        {
            "name": "Install the files of hosts/",
            "hosts": _GROUP,
            "become": True,
            "gather_facts": False,
            "roles": [_ROLE],
        }
    ]


def _inventory(plan: DeliveryPlan) -> dict[str, Any]:
    types = {k.group: written({"hosts": {name: {} for name in k.hosts}}) for k in plan.types}
    return {_GROUP: {"children": types}}


def _variables(files: HostSet) -> dict[str, Any]:
    return {"netplan_files": [_entry(path, f) for path, f in files.files]}


def _entry(path: str, file: HostFile) -> dict[str, Any]:
    """Commands are there for every file, empty where there is none, so that the role can join them."""
    return {
        "src": path,
        "dest": file.destination,
        "mode": "0755" if file.executable else "0644",
        "safe": [list(c) for c in file.safe],
        "disruptive": [list(c) for c in file.disruptive],
    }


def _commands(of: str) -> str:
    """Of the files that changed, each once."""
    changed = "netplan_copied.results | selectattr('changed')"
    return f"{{{{ {changed} | map(attribute='item.{of}') | flatten(levels=1) | unique }}}}"


def _tasks() -> list[dict[str, Any]]:
    return [*_removal(), *_installation(), *_effects()]


def _removal() -> list[dict[str, Any]]:
    return [
        {
            "name": "Read which files an earlier run installed",
            "ansible.builtin.slurp": {"src": f"{_STATE}/files"},
            "register": "netplan_before",
            "failed_when": False,
        },
        {
            "name": "Tell which of them are wanted no more",
            "ansible.builtin.set_fact": {
                "netplan_stale": "{{ ((netplan_before.content | default('')) | b64decode).splitlines()"
                " | difference(netplan_files | map(attribute='dest')) }}"
            },
        },
        {
            "name": "Stop the units among them",
            "ansible.builtin.command": {"argv": ["systemctl", "disable", "--now", "{{ item | basename }}"]},
            "loop": "{{ netplan_stale | select('search', '^/etc/systemd/system/[^/]+[.]service$') }}",
            "changed_when": True,
            "failed_when": False,
        },
        {
            "name": "Remove them",
            "ansible.builtin.file": {"path": f"{_ROOT}{{{{ item }}}}", "state": "absent"},
            "loop": "{{ netplan_stale }}",
        },
    ]


def _installation() -> list[dict[str, Any]]:
    folders = "{{ netplan_files | map(attribute='dest') | map('dirname') | unique | sort"
    return [
        {
            "name": "Make their folders",
            "ansible.builtin.file": {"path": f"{_ROOT}{{{{ item }}}}", "state": "directory", "mode": "0755"},
            "loop": f"{folders} + ['{STATE}'] }}}}",
        },
        {
            "name": "Install the files",
            "ansible.builtin.copy": {
                "src": "{{ netplan_source }}/{{ item.src }}",
                "dest": f"{_ROOT}{{{{ item.dest }}}}",
                "mode": "{{ item.mode }}",
            },
            "loop": "{{ netplan_files }}",
            "loop_control": {"label": "{{ item.dest }}"},
            "register": "netplan_copied",
        },
        {
            "name": "Note which files are installed",
            "ansible.builtin.copy": {
                "content": "{{ netplan_files | map(attribute='dest') | join('\n') }}\n",
                "dest": f"{_STATE}/files",
                "mode": "0644",
            },
        },
    ]


def _effects() -> list[dict[str, Any]]:
    command = {"ansible.builtin.command": {"argv": "{{ item }}"}, "changed_when": True}
    label = {"loop_control": {"label": "{{ item | join(' ') }}"}}
    return [
        {"name": "Run what disrupts nothing", **command, "loop": _commands("safe"), **label},
        {
            "name": "Run what interrupts traffic or pods",
            **command,
            "loop": _commands("disruptive"),
            **label,
            "when": "netplan_disruptive | bool",
        },
        {
            "name": "Say what is left: run these on the drained node, or reboot it",
            "ansible.builtin.debug": {"msg": "{{ item | join(' ') }}"},
            "loop": _commands("disruptive"),
            **label,
            "when": "not netplan_disruptive | bool",
        },
    ]
