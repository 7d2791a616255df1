"""``check-live``: headings, banners and words of ssh above outputs, and prompts of two rows."""

from __future__ import annotations

import pytest

from tests import test_check_live_pods as pods
from tests.live_leaf import changed, shown
from tests.test_check_live import live
from tests.test_check_live_pods import OK

STATUS, VLANS = "show interfaces status", "show vlan brief"
DOWN = changed(STATUS, "up ", "down ")
LEGAL = """*******************************************************
*  Authorized users only. All activity is monitored.  *
*  Disconnect now if you are not authorized,          *
*  see 18 U.S.C. 1030 and the policy of 2024-01-31.   *
*  Thank you.                                         *
*******************************************************
"""


def hops(text: str, name: str = "leaf-1.txt") -> list[str]:
    return [one.claim.hop.name for one in live({name: text}).wrong]


@pytest.mark.parametrize(
    "above",
    [
        LEGAL,
        f"leaf-1\n{LEGAL}",
        "WARNING\nThis system is for authorized use by ACME employees only\n",
        "Warning: Permanently added '10.1.1.1' (ED25519) to the list of known hosts.\n",
        "The authenticity of host '10.1.1.1 (10.1.1.1)' can't be established.\nadmin@10.1.1.1's password:\n",
        "Enter passphrase for key '/home/me/.ssh/id_ed25519': \nX11 forwarding request failed on channel 0\n",
        *("Device: leaf-1 (10.1.1.1)\nDate: 2026-11-29\n", "Timestamp: 2026-11-29 08:00:00\n"),
        *("Connecting to leaf-1...\n", f"Collecting {STATUS} from leaf-1\n", f"[leaf-1] {STATUS}\n"),
        *(f"{STATUS} (leaf-1)\n", f"Output for {STATUS}\n", "== interfaces ==\n"),
        *(f"----- {STATUS} (2026-11-29 08:00:00) -----\n", "Connected to leaf-1.\n"),
    ],
)
def test_what_stands_above_outputs_of_the_file_s_device(above: str) -> None:
    assert hops(f"{above}{DOWN}") == ["leaf-1"]
    ssh = f"me@adm:~$ ssh admin@leaf-1 '{STATUS}'\n{above}{DOWN}me@adm:~$ \n"
    assert hops(ssh, "x.log") == ["leaf-1"]


@pytest.mark.parametrize(
    "above",
    [
        *(
            "core-77 is for authorized users only\n",
            "core: for authorized users only\n",
            "leaf-2 of ACME only, please\n",
        ),
        *("Connecting to 10.1.1.77, please wait for it\n", "You are now on core.example.net as admin\n"),
        f"{LEGAL}backup\n",
        f"backup# {STATUS}\n",
        "Now checking the other switch below\n",
        "Warning: Permanently added '10.1.1.1' (ED25519) to the list.\n",
        "admin@10.1.1.1's password:\nadmin@10.1.1.2's password:\n",
        *(
            "Device: core-77 (10.1.1.1)\n",
            "Collecting show vlan brief from leaf-2\n",
            "== interfaces of core ==\n",
        ),
    ],
)
def test_a_line_that_may_name_another_machine_is_no_banner(above: str) -> None:
    assert hops(f"{above}{DOWN}") == []


@pytest.mark.parametrize(
    "between", [LEGAL, "admin@10.1.1.1's password:\n", "This is the beginning of the second one.\n"]
)
def test_below_an_output_stands_no_banner(between: str) -> None:
    assert hops(f"{shown(VLANS)}{between}{DOWN}") == []
    assert hops(f"admin@leaf-1:~$ {VLANS}\n{between}{DOWN}admin@leaf-1:~$ \n") == []


PROMPTS = [
    "me@adm MINGW64 ~/net (main)\n$ ",
    "~/net main\n\u276f ",
    "\u256d\u2500me@adm ~/net\n\u2570\u2500$ ",
]


@pytest.mark.parametrize("prompt", PROMPTS)
def test_the_first_row_of_a_prompt_is_no_output(prompt: str) -> None:
    asked = "kubectl exec -i -n training training-worker-0 -- sh -s < check-rails.sh"
    text = f"{prompt}{asked}\n{OK}\n{prompt}exit\n"
    found = pods.live({"s.log": text})
    assert (pods.outcomes(found), found.unread) == ({"training": ["ok"] * 4}, ())
    far = f"\n{prompt}ssh core-77 '{STATUS}'\n{DOWN}\n{prompt}{STATUS}\n{DOWN}\n{prompt}exit\n"
    assert hops(far) == []


def test_a_first_row_that_names_another_machine_leaves_nothing_to_the_file_s() -> None:
    text = f"\ncore-77 ~\n$ {STATUS}\n{DOWN}\ncore-77 ~\n$ exit\n"
    assert hops(text) == []


def test_a_user_without_a_name_in_a_pod() -> None:
    user = "I have no name!@training-worker-0:/workspace$"
    opened = "me@adm:~$ kubectl exec -it -n training training-worker-0 -- bash\n"
    said = "groups: cannot find name for group ID 1000\n"
    text = f"{opened}{said}{user} sh check-rails.sh\n{OK}{user} exit\nexit\nme@adm:~$ \n"
    found = pods.live({"s.log": text})
    assert (pods.outcomes(found), found.unread) == ({"training": ["ok"] * 4}, ())


@pytest.mark.parametrize("name", ["bgp_leaf-1.txt", "interfaces-leaf-1.log", "show_vlan_leaf-1.json"])
def test_a_file_that_is_named_after_what_is_in_it_and_its_device(name: str) -> None:
    assert hops(DOWN, name) == ["leaf-1"]


def test_a_heading_that_lost_its_first_blanks_is_read() -> None:
    assert shown(STATUS)[0] == " "
    assert hops(DOWN.strip()) == ["leaf-1"]
    (wrong,) = live({"leaf-1.txt": f"admin@leaf-1:~$ {STATUS}\n{DOWN.strip()}\nadmin@leaf-1:~$ "}).wrong
    assert wrong.found == "down"
