"""``check-live`` reads what the rendered READMEs of switches tell people to save, in the form they name."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from netplan import resources
from netplan.live.claims import claims_of
from netplan.live.judge import Live, judged
from netplan.live.model import OUTPUTS, Kind
from netplan.live.read import read_outputs
from netplan.live.unread import UNREAD
from netplan.model.plan import Plan
from netplan.model.switching import SwitchPlan
from netplan.pipeline import run
from tests import live_json, live_outputs

GOLDEN = Path(__file__).parent / "golden"
READMES = sorted(str(file.relative_to(GOLDEN)) for file in GOLDEN.glob("*/switches/*/README.md"))
STORED = "of a stored configuration, not what runs"
LOOK = "These it does not read; look yourself:"
PROMPTS = {
    "sonic": "admin@{}:~$",
    "cumulus-nvue": "cumulus@{}:mgmt:~$",
    "arista-eos": "{}#",
    "cisco-nxos": "{}#",
    "juniper-junos": "ops@{}>",
}
FILES: Mapping[Kind, str] = {
    "lldp": "lldp.json",
    "interfaces": "ports.json",
    "member": "vlans.json",
    "tagging": "vlans.json",
    "bgp": "bgp.json",
    "roce": "roce.json",
    "sysctl": "sysctl.txt",
    "mac": "mac.json",
    "pfc mode": "pfc.json",
    "shutdown": "queues.json",
}
"""Kind -> output of ``tests.live_json``."""


@cache
def plan(site: str) -> Plan:
    found = run([str(resources.inventories() / f"{site}.yaml")], upto="plan").plan
    assert found is not None
    return found


def subject(readme: str) -> tuple[Plan, SwitchPlan]:
    site, _, name, _ = readme.split("/")
    return plan(site), next(one for one in plan(site).switches if one.name == name)


def commands(readme: str) -> tuple[set[str], set[str]]:
    """Those to save, and those to look at; of a NOS of which nothing is read all are to look at."""
    text = (GOLDEN / readme).read_text()
    verify = text[text.index("## Verify on the switch") : text.index("## Roll back")]
    save, found, look = verify.partition(LOOK)
    named = set(named_in(save)), set(named_in(look))
    return named if found else (set(), named[0])


def named_in(text: str) -> Iterator[str]:
    for point in re.findall(r"(?m)^- (`.*?`)[:,]? ?(?=[^`]*$|[^`]*:)", text):
        yield from re.findall(r"`([^`]+)`", point)


def printed(switch: SwitchPlan, of: Plan) -> dict[str, str]:
    """Command -> what it prints of a switch as planned."""
    if switch.nos == "sonic":
        return live_outputs.shown(switch, of)
    shown = live_json.of(switch, of)
    texts = {
        file: data if isinstance(data, str) else json.dumps(data, indent=1) for file, data in shown.items()
    }
    by_kind = OUTPUTS[switch.nos].commands
    return {by_kind[kind]: texts[f"{switch.name}-{FILES[kind]}"] for kind in by_kind if kind in FILES}


def live(of: Plan, switch: SwitchPlan, shown: Mapping[str, str]) -> Live:
    """One session."""
    prompt = PROMPTS[switch.nos].format(switch.name)
    text = "".join(f"{prompt} {command}\n{output}\n" for command, output in shown.items())
    return judged(of, read_outputs({"session.log": f"{text}{prompt}\n"}, of))


@pytest.mark.parametrize("readme", READMES)
def test_a_readme_says_to_save_what_is_compared_of_its_switch(readme: str) -> None:
    of, switch = subject(readme)
    save, look = commands(readme)
    outputs = OUTPUTS.get(switch.nos)
    if outputs is None:
        assert (save, bool(look)) == (set(), True)
        return
    claimed = {claim.output for claim in claims_of(of, frozenset({switch.name}), ()) if not claim.if_shown}
    assert save == claimed
    assert look - {*outputs.commands.values()} <= {*outputs.unread}


@pytest.mark.parametrize("nos", sorted(OUTPUTS))
def test_each_command_that_is_known_as_unread_is_in_a_readme(nos: str) -> None:
    own = [readme for readme in READMES if subject(readme)[1].nos == nos]
    assert {*OUTPUTS[nos].unread} == set.union(*(commands(each)[1] for each in own)) & {*OUTPUTS[nos].unread}


READ = [readme for readme in READMES if subject(readme)[1].nos in OUTPUTS]


@pytest.mark.parametrize("readme", READ)
def test_who_saves_what_a_readme_names_gets_a_verdict_of_all(readme: str) -> None:
    of, switch = subject(readme)
    shown = printed(switch, of)
    found = live(of, switch, {command: shown[command] for command in sorted(commands(readme)[0])})
    assert (found.wrong, found.not_seen, found.unread) == ((), (), ())
    assert len(found.judged) > 20


@pytest.mark.parametrize("nos", sorted(OUTPUTS))
def test_a_command_that_is_left_to_people_is_told(nos: str) -> None:
    of, switch = subject(next(readme for readme in READ if subject(readme)[1].nos == nos))
    texts = {re.sub("<.*?>", "Ethernet1", command): "  some text\n" for command in OUTPUTS[nos].unread}
    found = live(of, switch, texts)
    assert found.judged == ()
    whys = {UNREAD, "as text, which is not read; save nv show qos roce -o json", STORED}
    assert {why.partition(": ")[2] for _, why in found.unread} <= whys
    assert len(found.unread) == len(texts)


AS_TEXT = [
    ("multi-vendor/switches/leaf-4/README.md", "sh vlan", "show vlan | json"),
    ("multi-vendor/switches/leaf-4/README.md", "show interfaces status", "show interfaces | json"),
    ("multi-vendor/switches/leaf-5/README.md", "show interface status", "show interface | json"),
    ("multi-vendor/switches/leaf-6/README.md", "show vlans detail", "show vlans detail | display json"),
    ("multi-vendor/switches/leaf-2/README.md", "nv show interface", "nv show interface -o json"),
    ("multi-vendor/switches/leaf-2/README.md", "bridge vlan show", "bridge -j vlan show"),
]


@pytest.mark.parametrize(("readme", "command", "save"), AS_TEXT, ids=[command for _, command, _ in AS_TEXT])
def test_a_table_that_is_read_as_json_alone_is_told(readme: str, command: str, save: str) -> None:
    found = live(*subject(readme), {command: "VLAN  Name\n----  ----\n1     default\n"})
    assert found.judged == ()
    assert [why for _, why in found.unread] == [f"line 2: as text, which is not read; save {save}"]


def test_an_error_in_place_of_an_output_is_told_beside_a_good_one() -> None:
    of, switch = subject("multi-vendor/switches/leaf-4/README.md")
    shown = printed(switch, of) | {"show vlan | json": "% Invalid input\n"}
    found = live(of, switch, shown)
    assert found.wrong == ()
    assert found.unread == (("session.log", found.unread[0][1]),)
    assert found.unread[0][1].endswith("nothing of show vlan | json is in it: % Invalid input")
