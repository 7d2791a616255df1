"""``check-live`` of pods: output of check-rails.sh, and what stands there where it did not run."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from netplan.live.judge import Live, judged
from netplan.live.read import read_outputs
from netplan.live.seen import NOBODY
from netplan.model.plan import Plan
from tests.cli_runs import netplan
from tests.inventories import FOLDER, compiled

OTHER = "check-rails.sh of another workload, or of another plan"
OK = "check-rails: ok, rail0 rail1 rail2 rail3\n"
NO_IP = "check-rails: no ip command in this image, install iproute2\ncommand terminated with exit code 2\n"


@cache
def plan() -> Plan:
    found = compiled("iei-rocev2").plan
    assert found is not None
    return found


def live(texts: dict[str, str]) -> Live:
    return judged(plan(), read_outputs(texts, plan()))


def outcomes(found: Live) -> dict[str, list[str]]:
    """Workload -> outcome of each rail."""
    pods = {v.hop.name for v in found.verdicts}
    return {name: [v.outcome for v in found.verdicts if v.hop.name == name] for name in pods}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (NO_IP, "the check did not run: no ip command in this image, install iproute2"),
        (
            'error: unable to upgrade connection: container not found ("main")\n',
            'no output of check-rails.sh: error: unable to upgrade connection: container not found ("main")',
        ),
        ("\n", "no output of check-rails.sh: the file is empty; save its errors too (2>&1)"),
        (
            OK.replace("\n", " rail4 rail5\n"),
            f"rail[4-5] is no rail of pod training: {OTHER}",
        ),
        (
            "check-rails: ok, rail0 rail3\n",
            f"it does not name rail[1-2] of pod training: {OTHER}",
        ),
        (
            "check-rails: rail8 has no IPv4 address\n",
            f"rail8 is no rail of pod training: {OTHER}",
        ),
    ],
    ids=["no ip", "kubectl", "empty", "more rails", "fewer rails", "another rail"],
)
def test_output_that_says_nothing_of_the_rails_is_not_seen_with_the_reason(text: str, why: str) -> None:
    found = live({"out/training-0.txt": text})
    assert outcomes(found) == {"training": ["not seen"] * 4}
    assert found.unread == (("out/training-0.txt", why),)


def test_a_good_pod_does_not_stand_for_one_whose_check_did_not_run() -> None:
    found = live({"training-0.txt": OK, "training-1.txt": NO_IP})
    assert outcomes(found) == {"training": ["not seen"] * 4}
    assert [name for name, _ in found.unread] == ["training-1.txt"]
    bad = live({"training-0.txt": NO_IP, "training-1.txt": "check-rails: rail2 has no IPv4 address\n"})
    assert outcomes(bad) == {"training": ["not seen", "not seen", "wrong", "not seen"]}


def test_gateways_that_were_not_asked_are_told() -> None:
    why = "gateways not asked: no ping in this image, or no right to send one"
    found = live({"training-0.txt": f"{OK}check-rails: {why}\n"})
    assert outcomes(found) == {"training": ["ok"] * 4}
    assert found.unread == (("training-0.txt", why),)


def test_an_unknown_line_of_the_script_is_told_beside_the_known_ones() -> None:
    found = live({"training-0.txt": "check-rails: rail1 is sad\ncheck-rails: rail2 has no IPv6 address\n"})
    assert outcomes(found) == {"training": ["not seen", "not seen", "wrong", "not seen"]}
    assert found.unread == (("training-0.txt", "not a line of check-rails.sh: rail1 is sad"),)


def test_the_file_says_the_workload_before_its_folder_does() -> None:
    """Both workloads have the same rails."""
    assert outcomes(live({"training/large-model-0.txt": OK})) == {"large-model": ["ok"] * 4}
    assert outcomes(live({"training/x.txt": OK})) == {"training": ["ok"] * 4}
    assert live({"x.txt": OK}).judged == ()


def test_a_session_of_a_switch_in_a_folder_of_pods_is_the_switch_s() -> None:
    """Neither its prompt nor its name is that of a pod."""
    shown = "Changed polling interval to 200ms\n"
    for name, text in (("leaf-1.txt", shown), ("x.txt", f"admin@leaf-1:~$ pfcwd show config\n{shown}")):
        assert {one.claim.hop.name for one in live({f"training/{name}": text}).judged} == {"leaf-1"}


def test_notes_in_a_folder_that_is_named_after_a_workload_are_not_its_output() -> None:
    found = live({"training/notes.txt": "rail2 was slow\n", "training-0.txt": OK})
    assert outcomes(found) == {"training": ["ok"] * 4}
    assert [name for name, _ in found.unread] == ["training/notes.txt"]


def test_the_command_says_what_was_not_seen_and_why(tmp_path: Path) -> None:
    (tmp_path / "training-0.txt").write_text(NO_IP)
    status, out, _ = netplan("check-live", str(FOLDER / "iei-rocev2.yaml"), str(tmp_path))
    assert status == 0
    assert "not seen: training: check-rails.sh: rail[0-3]" in out
    assert "training-0.txt: the check did not run: no ip command in this image" in out
    assert netplan("check-live", "--strict", str(FOLDER / "iei-rocev2.yaml"), str(tmp_path))[0] == 1


def test_no_rail_and_no_word_of_an_ok_can_change_unnoticed() -> None:
    for word in OK.split():
        for other in ("", f"{word[:-1]}9"):
            found = live({"training-0.txt": OK.replace(word, other)})
            assert "ok" not in outcomes(found).get("training", []), (word, other)


FAILED = [
    NO_IP,
    'Error from server (NotFound): pods "training-1" not found\n',
    "error: timed out waiting for the condition\n",
    "command terminated with exit code 137\n",
    "sh: 1: ip: not found\ncommand terminated with exit code 127\n",
    "Unable to connect to the server: EOF\n",
    'OCI runtime exec failed: exec failed: unable to start container process: exec: "sh"\n',
    "something that nobody has seen\n",
    "",
]
TITLES = ["== {}\n", "--- training/{} ---\n", "{}\n", "pod/{}\n", "{}:\n", "+ kubectl exec -i {} -- sh -s\n"]
SESSION = "me@bastion:~$ kubectl exec -i -n training {} -- sh -s < check-rails.sh\n"


@pytest.mark.parametrize("title", [*TITLES, SESSION, ""])
@pytest.mark.parametrize("failed", FAILED)
def test_a_good_pod_in_the_same_file_does_not_stand_for_one_whose_check_did_not_run(
    failed: str, title: str
) -> None:
    parts = [title.format("training-0") + OK, title.format("training-1") + failed]
    for text in ("".join(parts), "".join(reversed(parts))) if title or failed else ():
        found = live({"out/training.txt": text})
        assert outcomes(found) == {"training": ["not seen"] * 4}
        assert len(found.unread) == 1


NOTES = [
    "",
    'Defaulted container "main" out of: main, log\n',
    "Defaulting container name to main.\n",
    "bash: warning: setlocale: LC_ALL: cannot change locale (en_US.UTF-8)\n",
    "Kubeconfig user entry is using deprecated API version client.authentication.k8s.io/v1alpha1. Run x.\n",
    "mesg: ttyname failed: Inappropriate ioctl for device\n",
]


@pytest.mark.parametrize("title", [*TITLES, SESSION, "", "Sat Nov 28 19:00:00 UTC 2026\n"])
@pytest.mark.parametrize("note", NOTES)
def test_a_loop_over_pods_that_are_all_right_is_ok(title: str, note: str) -> None:
    text = "".join(f"{title.format(pod)}{note}{OK}" for pod in ("training-0", "training-1"))
    for end in ("", "me@bastion:~$ exit\n", "logout\n"):
        found = live({"training.txt": text + end})
        assert (outcomes(found), found.unread) == ({"training": ["ok"] * 4}, ())
    wrong = "check-rails: rail2 has no IPv4 address\ncommand terminated with exit code 1\n"
    bad = title.format("training-2") + wrong
    assert outcomes(live({"training.txt": bad + text})) == {"training": ["ok", "ok", "wrong", "ok"]}


@pytest.mark.parametrize("line", ["== llm-1", "Checking large-model-0...", "large-model-0 (gpu-001)", "next"])
def test_below_a_line_that_nobody_knows_a_check_is_of_no_pod(line: str) -> None:
    wrong = "check-rails: rail2 has no IPv4 address\n"
    found = live({"training-0.txt": f"{OK}{line}\n{wrong}"})
    assert outcomes(found) == {"training": ["not seen"] * 4}
    assert found.unread == (("training-0.txt", f"line 2: {line}: {NOBODY}"),)


def test_a_title_with_nothing_below_it_is_a_check_that_did_not_run() -> None:
    for text in (f"== llm-0\n{OK}== llm-1\n", f"== llm-0\n== llm-1\n{OK}"):
        assert outcomes(live({"training.txt": text})) == {"training": ["not seen"] * 4}


@pytest.mark.parametrize("title", [*TITLES, SESSION, "root@{}:/workspace# sh check-rails.sh\n"])
def test_the_pod_above_its_output_says_the_workload(title: str) -> None:
    """Both have the same rails."""
    large = title.replace("-n training", "-n large").replace("training/", "large/").format("large-model-0")
    for file in ("all.txt", "training.log"):
        found = live({file: f"{title.format('training-0')}{OK}{large}error: x\n"})
        assert outcomes(found) == {"training": ["ok"] * 4, "large-model": ["not seen"] * 4}
        assert outcomes(live({file: f"{large}{OK}"})) == {"large-model": ["ok"] * 4}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "training-0.yaml",
            'kind: Pod\nmetadata:\n  annotations:\n    a: |-\n      [{\n          "name": "x"\n      }]\n',
        ),
        ("training-0-log.txt", "training-0:41:41 [0] NCCL INFO NET/IB : Using [0]mlx5_4:1/RoCE [RO]\n"),
        ("training-0-ip.txt", "1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN\n"),
    ],
)
def test_other_files_of_a_pod_say_nothing_of_its_check(name: str, text: str) -> None:
    found = live({"training-0.txt": OK, name: text})
    assert outcomes(found) == {"training": ["ok"] * 4}
    assert found.unread == ((name, "no output of check-rails.sh"),)


PREFIXES = ["[pod/training-{}/train] ", "[1,{}]<stderr>:", "{}: ", "2025-11-28T10:00:0{}.123456789Z "]


@pytest.mark.parametrize("prefix", PREFIXES)
def test_lines_behind_the_name_of_a_pod_or_rank_are_read(prefix: str) -> None:
    wrong = f"{prefix.format(1)}check-rails: rail2 has no IPv4 address\n"
    found = live({"training-0.txt": OK, "training-1.txt": wrong})
    assert outcomes(found) == {"training": ["ok", "ok", "wrong", "ok"]}
    assert outcomes(live({"training.txt": prefix.format(0) + OK + wrong})) == outcomes(found)


@pytest.mark.parametrize("prefix", PREFIXES)
def test_a_rank_whose_check_did_not_run_is_not_seen_beside_a_good_one(prefix: str) -> None:
    for failed in ("sh: 1: ip: not found\n", NO_IP.split("\n")[0]):
        found = live({"training.txt": f"{prefix.format(0)}{OK}{prefix.format(1)}{failed}\n"})
        assert outcomes(found) == {"training": ["not seen"] * 4}


def test_the_prefix_says_the_workload() -> None:
    text = f"[pod/training-0/x] {OK}[pod/large-model-0/x] error: x\n"
    assert outcomes(live({"all.txt": text})) == {"training": ["ok"] * 4, "large-model": ["not seen"] * 4}


def test_output_behind_something_else_is_not_seen() -> None:
    found = live(
        {
            "training-0.txt": OK,
            "training-1.txt": "training-1 > train > check-rails: rail2 has no IPv4 address\n",
        }
    )
    assert outcomes(found) == {"training": ["not seen"] * 4}


@pytest.mark.parametrize(
    ("prompt", "command", "why"),
    [
        ("me@bastion:~$", "cat yesterday/training-0.txt", NOBODY),
        ("root@training-0:/#", "tail -5 check-rails.log", "the content of a file, not what runs"),
        ("root@gpu-001:~#", "sh check-rails.sh", "check-rails.sh, but in no pod"),
        ("me@bastion:~$", "ssh gpu-001 sh -s < check-rails.sh", "check-rails.sh, but in no pod"),
        ("me@bastion:~$", "cat check-rails.sh | kubectl exec -i training-0 -- sh -s", ""),
        ("root@gpu-001:~#", "crictl exec -i 4d0f sh -s < check-rails.sh", ""),
        ("root@gpu-001:~#", "nsenter -t 4711 -n sh check-rails.sh", ""),
        ("root@training-0:/workspace#", "sh check-rails.sh", ""),
    ],
)
def test_output_of_the_script_counts_where_it_ran_in_a_pod(prompt: str, command: str, why: str) -> None:
    found = live({"training.log": f"{prompt} {command}\n{OK}{prompt} \n"})
    assert outcomes(found) == ({} if why else {"training": ["ok"] * 4})
    line = f"line 1: {prompt} {command}" if why == NOBODY else "line 2"
    assert [each for _, each in found.unread] == ([f"{line}: {why}"] if why else [])
