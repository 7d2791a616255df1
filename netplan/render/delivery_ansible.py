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
    """Variables of one file. Both command lists are always present, if empty, so that the role can join
    them."""
    return {
        "src": path,
        "dest": file.destination,
        "mode": "0755" if file.executable else "0644",
        "safe": [list(c) for c in file.safe],
        "disruptive": [list(c) for c in file.disruptive],
    }


def _due(of: str, before: str, more: str = "") -> str:
    """Jinja expression: commands of changed files plus those in ``before``, without duplicates, as far as the
    wanted files still have them."""
    changed = "netplan_differs.results | selectattr('changed')"
    new = f"({changed} | map(attribute='item.{of}') | flatten(levels=1))"
    wanted = f"(netplan_files | map(attribute='{of}') | flatten(levels=1))"
    return f"{{{{ (({before} + {new}) | intersect({wanted}) {more}) | unique }}}}"


def _tasks() -> list[dict[str, Any]]:
    return [*_removal(), *_noting(), *_installation(), *_effects()]


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


_RELOADED = "+ ([['systemctl', 'daemon-reload']] if netplan_stale | select('search', '[.]service$') else [])"


def _noting() -> list[dict[str, Any]]:
    """Notes the due commands before anything is written, so that they stay due if the run is interrupted or a
    command fails. A reboot clears the disruptive ones, whose effect it has itself."""
    left = "(netplan_left_file.content | default('e30=') | b64decode | from_json)"
    boot = "(netplan_boot.content | default('') | b64decode | trim)"
    same = f"{left}.boot | default('') == {boot}"
    folders = "{{ netplan_files | map(attribute='dest') | map('dirname') | unique | sort"
    return [
        {
            "name": "Make their folders",
            "ansible.builtin.file": {"path": f"{_ROOT}{{{{ item }}}}", "state": "directory", "mode": "0755"},
            "loop": f"{folders} + ['{STATE}'] }}}}",
        },
        {
            "name": "Read which commands earlier runs left",
            "ansible.builtin.slurp": {"src": f"{_STATE}/due"},
            "register": "netplan_left_file",
            "failed_when": False,
        },
        {
            "name": "Tell this boot from others",
            "ansible.builtin.slurp": {"src": "/proc/sys/kernel/random/boot_id"},
            "register": "netplan_boot",
            "failed_when": False,
        },
        {
            "name": "Tell which files differ",
            **_COPY,
            "register": "netplan_differs",
            "check_mode": True,
            "diff": False,
        },
        {
            "name": "Tell which commands are due",
            "ansible.builtin.set_fact": {
                "netplan_due": {
                    "boot": f"{{{{ {boot} }}}}",
                    "safe": _due("safe", f"({left}.safe | default([]))", _RELOADED),
                    "disruptive": _due("disruptive", f"({left}.disruptive | default([]) if {same} else [])"),
                }
            },
        },
        _note("Note them", "netplan_due"),
    ]


def _note(name: str, due: str) -> dict[str, Any]:
    copy = {"content": f"{{{{ {due} | to_json }}}}", "dest": f"{_STATE}/due", "mode": "0644"}
    return {"name": name, "ansible.builtin.copy": copy}


_COPY: dict[str, Any] = {
    "ansible.builtin.copy": {
        "src": "{{ netplan_source }}/{{ item.src }}",
        "dest": f"{_ROOT}{{{{ item.dest }}}}",
        "mode": "{{ item.mode }}",
    },
    "loop": "{{ netplan_files }}",
    "loop_control": {"label": "{{ item.dest }}"},
}


def _installation() -> list[dict[str, Any]]:
    return [
        {"name": "Install the files", **_COPY},
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
    """Runs every command even if others fail; failed commands stay due."""
    command = {
        "ansible.builtin.command": {"argv": "{{ item }}"},
        "changed_when": True,
        "failed_when": False,
    }
    label = {"loop_control": {"label": "{{ item | join(' ') }}"}}
    ran = "(netplan_safe.results + netplan_disrupted.results) | rejectattr('skipped', 'defined')"
    done = f"({ran} | selectattr('rc', 'equalto', 0) | map(attribute='item') | list)"
    failed = f"({ran} | rejectattr('rc', 'equalto', 0) | map(attribute='item') | map('join', ' ') | list)"
    return [
        {
            "name": "Run what disrupts nothing",
            **command,
            "loop": "{{ netplan_due.safe }}",
            **label,
            "register": "netplan_safe",
        },
        {
            "name": "Run what interrupts traffic or pods",
            **command,
            "loop": "{{ netplan_due.disruptive }}",
            **label,
            "when": "netplan_disruptive | bool",
            "register": "netplan_disrupted",
        },
        {
            "name": "Tell what is left",
            "ansible.builtin.set_fact": {
                "netplan_left": {
                    "boot": "{{ netplan_due.boot }}",
                    "safe": f"{{{{ netplan_due.safe | difference({done}) }}}}",
                    "disruptive": f"{{{{ netplan_due.disruptive | difference({done}) }}}}",
                }
            },
        },
        _note("Note it", "netplan_left"),
        {
            "name": "Say what is left: run these on the drained node, or reboot it",
            "ansible.builtin.debug": {"msg": "{{ item | join(' ') }}"},
            "loop": "{{ netplan_left.disruptive }}",
            **label,
        },
        {
            "name": "Fail where a command failed; the next run tries it again",
            "ansible.builtin.fail": {"msg": f"failed: {{{{ {failed} | join(', ') }}}}"},
            "when": f"{failed} | length > 0",
        },
    ]
