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
        *("AUTHORIZED ACCESS ONLY\n", "*  WARNING NOTICE  *\n", "Welcome to leaf-1\n"),
        *("Zugriff nur f\u00fcr Berechtigte der Firma\n", "leaf-1 - Data Center 1, Rack 12, U40\n"),
        "You are accessing a U.S. Government (USG) Information System (IS) that is for USG use only.\n",
        "-The IS has measures (e.g., authentication) to protect interests--not your privacy.\n",
        "For ACME only.\nThis is private.\nContact the NOC at noc@example.com\n",
        "You are connecting to a private network of ACME.\nBy logging on you agree to all its rules.\n",
        f"leaf-1\n{LEGAL}",
        "WARNING\nThis system is for authorized use by ACME employees only\n",
        "Warning: Permanently added '10.1.1.1' (ED25519) to the list of known hosts.\n",
        "The authenticity of host '10.1.1.1 (10.1.1.1)' can't be established.\nadmin@10.1.1.1's password:\n",
        "Enter passphrase for key '/home/me/.ssh/id_ed25519': \nX11 forwarding request failed on channel 0\n",
        *("Device: leaf-1 (10.1.1.1)\nDate: 2026-11-29\n", "Timestamp: 2026-11-29 08:00:00\n"),
        *("Connecting to leaf-1...\n", f"Collecting {STATUS} from leaf-1\n", f"[leaf-1] {STATUS}\n"),
        *(f"{STATUS} (leaf-1)\n", f"Output for {STATUS}\n", "== interfaces ==\n"),
        *(f"----- {STATUS} (2026-11-29 08:00:00) -----\n", "Connected to leaf-1.\n"),
        *("Connecting to 10.1.1.1 (leaf-1)...\n", "== bgp neighbors ==\n", "leaf-1: show bgp\n"),
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
        "Primary address does not answer, trying the backup unit.\n",
        *("Connecting from leaf-1 to 10.1.1.2\n", "core network of ACME, for employees only\n"),
        *(
            "Device: core-77 (10.1.1.1)\n",
            "Collecting show vlan brief from leaf-2\n",
            "== interfaces of core ==\n",
            *("Connected from leaf-1 to 10.9.9.9\n", "Connecting from leaf-1\n", "leaf-1 to 10.9.9.9\n"),
            *(
                "leaf-1 (10.1.1.1) 10.9.9.9\n",
                "== neighbor ==\n",
                "Output of neighbor:\n",
                "vlan of neighbor\n",
            ),
            *("10.9.9.9\n", f"{STATUS} 10.9.9.9\n", "neighbors\n", "This is what its neighbor has now.\n"),
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


def test_what_is_typed_while_a_command_runs_leaves_its_output_to_nobody() -> None:
    first, second = f"ssh leaf-1 '{STATUS}'", f"ssh leaf-2 '{STATUS}'"
    text = f"me@adm:~$ {first}\n{second}\n{DOWN}me@adm:~$ {second}\nssh: connect to host leaf-2: refused\n"
    assert hops(f"{text}me@adm:~$ \n", "x.log") == []
    again = f"me@adm:~$ {first}\n{first}\n{DOWN}me@adm:~$ \n"
    assert hops(again, "x.log") == ["leaf-1"]
    for said in (shown(VLANS), "admin@leaf-2's password: \n", "X11 forwarding request failed on channel 0\n"):
        text = f"me@adm:~$ {second}\n{said}{first}\n{DOWN}me@adm:~$ \n"
        assert "leaf-1" not in hops(text, "x.log")
    alone = f"{second}\n{shown(STATUS)}{first}\n{DOWN}"
    assert hops(alone, "x.log") == ["leaf-1"]


CHANGING = [
    ("me@adm:~/net\n$ ", "me@adm:~\n$ "),
    ("\n~/net on main\n\u276f ", "\n~/net on main took 4s\n\u276f "),
    ("\u256d\u2500 ~/net   at 10:00:11\n\u2570\u2500 ", "\u256d\u2500 ~/net   at 10:00:21\n\u2570\u2500 "),
]


@pytest.mark.parametrize(("first", "second"), CHANGING)
def test_the_first_row_of_a_prompt_may_change(first: str, second: str) -> None:
    asked = "kubectl exec -i -n training training-worker-0 -- sh -s < check-rails.sh"
    found = pods.live({"s.log": f"{first}{asked}\n{OK}{second}"})
    assert (pods.outcomes(found), found.unread) == ({"training": ["ok"] * 4}, ())


def test_the_command_of_script_of_bsd() -> None:
    head = "Script started on Sun Nov 29 08:00:00 2026\nCommand: ssh {} show interfaces status\n"
    end = "\nCommand exit status: 0\nScript done on Sun Nov 29 08:00:09 2026\n"
    assert hops(f"{head.format('leaf-1')}{DOWN}{end}", "x.txt") == ["leaf-1"]
    assert hops(f"{head.format('core-77')}{DOWN}{end}") == []


@pytest.mark.parametrize(
    ("command", "own"),
    [
        (f"mkdir -p out; ssh leaf-1 '{STATUS}' | tee out/leaf-1.txt", True),
        (f"ssh leaf-1 '{STATUS}' | col -b | dos2unix", True),
        (f"ssh leaf-1 '{STATUS}' | Tee-Object leaf-1.txt", True),
        (f"ssh leaf-1 '{STATUS}' | col -b leaf-2.txt", False),
        (f"ssh leaf-1 '{STATUS}'                       11:40:41", True),
        (f"ssh leaf-1 '{STATUS}'          (main)", True),
    ],
)
def test_what_stands_beside_ssh_at_a_prompt(command: str, own: bool) -> None:
    for prompt in ("me@adm:~$ ", " me@adm \ue0b0 ~/net \ue0b0 "):
        assert hops(f"{prompt}{command}\n{DOWN}{prompt}\n", "x.log") == ["leaf-1"] * own


def test_a_prompt_at_the_right_margin_leaves_a_list_whole() -> None:
    less = "\n".join(line for line in shown(VLANS).split("\n") if "Ethernet8 " not in line)
    for right in ("", " " * 12 + "11:40:41", " " * 30 + "(k8s-prod:training)"):
        text = f"admin@leaf-1:~$ {VLANS}{right}\n{less}admin@leaf-1:~$ \n"
        assert [one.claim.subject for one in live({"x.log": text}).wrong] == ["100 Ethernet8"]


def test_the_header_of_putty_above_a_prompt_without_a_name() -> None:
    header = (
        "=~=~=~=~=~= PuTTY log 2026.11.29 10:00:00 =~=~=~=~=~=\nlogin as: admin\nadmin@10.1.1.1's password:\n"
    )
    assert hops(f"{header}admin@sonic:~$ {STATUS}\n{DOWN}admin@sonic:~$ \n") == ["leaf-1"]


def test_exit_that_is_typed_ahead_names_nobody() -> None:
    assert hops(f"admin@leaf-1:~$ {STATUS}\nexit\n{DOWN}admin@leaf-1:~$ exit\n") == ["leaf-1"]
    assert hops(f"{shown(STATUS)}exit\n{DOWN}") == []
