"""What a terminal shows around an output is not part of it, for every command that reads outputs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from netplan.changes.ran import running_files
from netplan.importing.run import import_texts
from netplan.reading.printed import printed

ROWS = {
    "lldp-neighbor-information": [
        {
            "lldp-local-port-id": [{"data": "et-0/0/0"}],
            "lldp-remote-system-name": [{"data": "gpu-001"}],
            "lldp-remote-port-id": [{"data": "ens1f0np0"}],
            "lldp-remote-port-id-subtype": [{"data": "Interface name"}],
        }
    ]
}
NEIGHBOURS = json.dumps({"lldp-neighbors-information": [ROWS]}, indent=2)
COMMAND = "show lldp neighbors | display json"


@pytest.mark.parametrize(
    ("above", "below", "name", "line"),
    [
        ("", "", "", 1),
        ("", "\n\n{master:0}\n", "", 1),
        (f"{{master:0}}\nadmin@leaf-1> {COMMAND} \n", "\n{master:0}\nadmin@leaf-1> ", "leaf-1", 3),
        (f"{{primary:node0}}\na@leaf-1> {COMMAND}\n", "\n\n{primary:node0}\na@leaf-1> exit\n", "leaf-1", 3),
        (f"{{linecard:1}}[edit]\na@leaf-1# run {COMMAND}\n", "\n{linecard:1}[edit]\na@leaf-1#", "leaf-1", 3),
        (f"[edit interfaces]\nroot@leaf-1# run {COMMAND}\n", "\n[edit interfaces]\n", "leaf-1", 3),
        ("leaf-1#show lldp neighbors detail | json\n", "\nleaf-1#", "leaf-1", 2),
        ("leaf-1(config)# show lldp neighbors | json\r\n", "\r\nleaf-1(config)# \r\n", "leaf-1", 2),
        ("admin@leaf-1:~$ sudo cat /etc/sonic/config_db.json\n", "\nadmin@leaf-1:~$ ", "leaf-1", 2),
        ("a@leaf-1:~$ show runningconfiguration all\n", "\na@leaf-1:~$ exit\nlogout\n", "leaf-1", 2),
        ("leaf-1#show x\n", "\nleaf-1#exit\nConnection to leaf-1 closed.\n", "leaf-1", 2),
    ],
)  # fmt: skip
def test_prompts_and_lines_about_the_routing_engine(above: str, below: str, name: str, line: int) -> None:
    """The output keeps the numbers of its lines."""
    shown = printed(f"{above}{NEIGHBOURS}{below}")
    assert shown.name == name
    assert json.loads(shown.text) == json.loads(NEIGHBOURS)
    assert shown.text.split("\n")[line - 1] == "{"


@pytest.mark.parametrize(
    "text",
    [
        "admin@leaf-1:~$ show lldp table\nLocalPort\nadmin@leaf-1:~$ show version\nSONiC\n",
        "hostname leaf-1\ninterface Ethernet1\n",
        "apiVersion: v1\nkind: Node\n",
        "apiVersion: v1\nkind: Node\n\n\n",
        "[\n  {}\n]\n",
        "",
    ],
)
def test_other_texts_stay_as_they_are(text: str) -> None:
    """Also a session with several commands: each part has a prompt of its own."""
    assert printed(text).text == text
    assert printed(text).name == ""


@pytest.mark.parametrize("file", ["leaf-1.json", "neighbours.json"])
def test_import_takes_neighbours_with_the_prompt(file: str) -> None:
    """The prompt names the switch, whatever the file is called."""
    text = f"{{master:0}}\nadmin@leaf-1> {COMMAND}\n{NEIGHBOURS}\n\n{{master:0}}\nadmin@leaf-1> \n"
    host = json.dumps(
        [{"ifindex": 2, "ifname": "ens1f0np0", "parentdev": "0000:18:00.0", "parentbus": "pci"}]
    )
    card = "Slot:\t0000:18:00.0\nClass:\tEthernet controller [0200]\nVendor:\tM [15b3]\nDevice:\tC [1021]\n"
    found = import_texts({file: text, "gpu-001.ip.json": host, "gpu-001.lspci.txt": card})
    assert found.problems == ()
    said = found.site.said("card", ("gpu-001", "0000:18:00.0"), "port")
    assert said is not None
    assert (said.value, said.at.file) == (("leaf-1", "et-0/0/0"), file)
    assert "lldp-local-port-id" in text.splitlines()[said.at.line - 1]


SESSIONS = {
    "show runningconfiguration all": (
        '{"DEVICE_METADATA": {"localhost": {"hostname": "sw-7",\n"bgp_asn": "65001"}},\n"PORT": {}}'
    ),
    "show running-config": "! device: sw-7 (x, EOS-4.33.1F)\n!\nhostname sw-7\nrouter bgp 65001",
    "nv config show -o yaml": (
        "- header:\n    model: MSN3700\n    nvue-api-version: nvue_v1\n- set:\n    system:\n"
        "      hostname: sw-7\n    router:\n      bgp:\n        autonomous-system: 65001"
    ),
}


@pytest.mark.parametrize("command", SESSIONS)
def test_import_takes_a_session_that_ended_with_exit(command: str) -> None:
    """Each value is at the line that the file has it in."""
    text = f"admin@sw-7:~$ {command}\n{SESSIONS[command]}\nadmin@sw-7:~$ exit\nlogout\n"
    found = import_texts({"x.txt": text})
    assert (found.problems, found.unread) == ((), ())
    said = found.site.said("switch", ("sw-7",), "asn")
    assert said is not None
    assert (said.value, "65001" in text.splitlines()[said.at.line - 1]) == (65001, True)


def test_what_runs_is_compared_without_the_prompt(tmp_path: Path) -> None:
    file = tmp_path / "leaf-1.json"
    file.write_text('admin@leaf-1:~$ cat /etc/sonic/config_db.json\n{"PORT": {}}\nadmin@leaf-1:~$ ')
    assert json.loads(running_files((f"leaf-1={file}",))["leaf-1"].text) == {"PORT": {}}
