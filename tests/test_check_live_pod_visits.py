"""``check-live``: a log of an admin who checks pods: what runs beside the check is no check that failed."""

from __future__ import annotations

import pytest

from tests.live_host_site import live as of_hosts
from tests.live_host_site import told as told_of_hosts
from tests.test_check_live_pods import OK, live, outcomes
from tests.test_check_live_sessions import OPER, WRONG

SEEN = {"training": ["ok"] * 4}
UNSEEN = {"training": ["not seen"] * 4}
ADMIN, POD = "me@adm:~$", "root@training-0:/workspace#"
EXEC = f"{ADMIN} kubectl exec -it -n training training-0 --"
LOOP = (
    f"{ADMIN} for p in $(kubectl get pods -o name); do echo == $p; "
    "kubectl exec -i $p -- sh -s < check-rails.sh; done\n"
)


@pytest.mark.parametrize(
    "visit",
    [
        f"{EXEC} bash\n{POD} nvidia-smi -L\nGPU 0: NVIDIA\n{POD} exit\nexit\n",
        f"{EXEC} sh -c 'ip route'\ndefault via 169.254.1.1 dev eth0\n",
        f"{EXEC} bash -lc 'ibv_devinfo | head'\n",
        f"{EXEC} ls -l /tmp/check-rails.sh\n-rw-r--r-- 1 root root 4032 check-rails.sh\n",
        f"{ADMIN} kubectl -n training cp check-rails.sh training-0:/tmp/\n",
        f"{ADMIN} ls -l check-rails.sh; chmod +x check-rails.sh\n-rw-r--r-- 1 me me 9 check-rails.sh\n",
    ],
)
def test_a_visit_in_a_pod_and_a_copy_of_the_script_are_no_check(visit: str) -> None:
    run = f"{EXEC} sh /tmp/check-rails.sh\n{OK}"
    for text in (f"{visit}{run}{ADMIN} \n", f"{run}{visit}{ADMIN} \n"):
        assert outcomes(live({"s.log": text})) == SEEN


def test_a_check_that_runs_in_a_session_in_a_pod_is_read() -> None:
    text = f"{EXEC} bash\n{POD} sh check-rails.sh\n{OK}{POD} exit\nexit\n{ADMIN} \n"
    assert outcomes(live({"s.log": text})) == SEEN


@pytest.mark.parametrize(
    "command",
    [
        *("sh -s < x.sh", "sh /tmp/x.sh", 'sh -c "$SCRIPT"', "sh /tmp/check-rails.sh"),
        *("/tmp/check-rails.sh", "env A=b /tmp/check-rails.sh"),
    ],
)
def test_a_shell_in_a_pod_that_was_given_a_script_should_have_checked(command: str) -> None:
    text = f"{EXEC} {command}\n{EXEC} sh /tmp/check-rails.sh\n{OK}{ADMIN} \n"
    assert outcomes(live({"s.log": text})) == UNSEEN


def test_a_loop_with_a_title_for_each_pod_is_no_check_itself() -> None:
    titled = f"== pod/training-0\n{OK}== pod/training-1\n"
    assert outcomes(live({"s.log": f"{LOOP}{titled}{OK}{ADMIN} \n"})) == SEEN
    assert outcomes(live({"s.log": f"{LOOP}{titled}{ADMIN} \n"})) == UNSEEN
    assert outcomes(live({"s.log": f"{LOOP}error: x\n{titled}{OK}"})) == UNSEEN


NAMELESS = ["#", "$", "sh-5.1#", "bash-5.1$", "/ #", "~ $", "/workspace #"]


@pytest.mark.parametrize("prompt", NAMELESS)
@pytest.mark.parametrize("note", ["", 'Defaulted container "main" out of: main, log\n'])
def test_a_prompt_without_a_name_is_of_the_pod_whose_shell_was_opened(prompt: str, note: str) -> None:
    text = f"{EXEC} sh\n{note}{prompt} ls\nx\n{prompt} sh check-rails.sh\n{OK}"
    assert outcomes(live({"s.log": f"{text}{prompt} exit\n{ADMIN} \n"})) == SEEN
    assert outcomes(live({"s.log": text})) == SEEN


@pytest.mark.parametrize(
    "above",
    [
        f"{EXEC} sh\nError from server (NotFound): pods not found\n",
        f"{EXEC} sh\n# ssh core-77\n",
        f"{EXEC} sh\n# exit\n",
        f"{EXEC} sh\n# ls\ncommand terminated with exit code 137\n",
        f"{EXEC} sh\n# ls\n{ADMIN} date\n",
        "# kubectl exec -it training-0 -- sh\n",
        f"{EXEC} sh -c 'ip route'\n",
        f"{ADMIN} kubectl exec -it x-0 -- sh\n",
    ],
)
def test_any_other_prompt_without_a_name_is_of_nobody(above: str) -> None:
    wrong = "check-rails: rail2 has no IPv4 address\n"
    assert "wrong" not in outcomes(live({"s.log": f"{above}# sh check-rails.sh\n{wrong}# \n"})).get(
        "training", []
    )


DEBUG = f"""{ADMIN} oc debug node/gpu-001
Starting pod/gpu-001-debug-abcde ...
To use host binaries, run `chroot /host`
Pod IP: 10.0.0.1
If you don't see a command prompt, try pressing enter.
sh-5.1# chroot /host
"""


def test_a_session_on_a_node_is_the_node_s() -> None:
    asked = f"sh-5.1# ip -d -j addr\n{WRONG}\nsh-5.1# "
    assert told_of_hosts(of_hosts({"x.log": f"{DEBUG}{asked}exit\n"})) == [OPER]
    for within in ("sh-5.1# nsenter -t 4711 -n\n", "sh-5.1# ssh gpu-999\n", "sh-5.1# exit\n"):
        assert told_of_hosts(of_hosts({"x.log": f"{DEBUG}{within}{asked}exit\n"})) == []
    plain = "$ oc debug node/gpu-001\n"
    assert told_of_hosts(of_hosts({"x.log": f"{plain}{asked}exit\n$ "})) == [OPER]
    far = f"{plain}sh-5.1# exit\n$ ip -d -j addr\n{WRONG}\n$ "
    for text in (far, f"{plain}$ ip -d -j addr\n{WRONG}\n$ ", plain.replace("$", "sh-5.1#") + asked):
        assert told_of_hosts(of_hosts({"x.log": text})) == []
    other = DEBUG.replace("gpu-001", "gpu-999")
    assert told_of_hosts(of_hosts({"gpu-001.txt": f"{other}{asked}exit\n"})) == []


RUN = f"{EXEC} sh /tmp/check-rails.sh\n{OK}"
NOT_FOUND = 'Error from server (NotFound): pods "training-1" not found\n'
FAR = f"{ADMIN} kubectl exec -i -n training training-1 --"


@pytest.mark.parametrize(
    "failed",
    [
        f'{FAR} bash -lc "/tmp/cr.sh"\n{NOT_FOUND}',
        f"{FAR} ls /tmp\n{NOT_FOUND}",
        f'{FAR} bash\nerror: unable to upgrade connection: container not found ("main")\n',
        f"{FAR} /tmp/cr.sh\nsh: 1: ip: not found\n",
        f"{FAR} sh -c 'cat > /tmp/c.sh && sh /tmp/c.sh' < x\nsh: can't create /tmp/c.sh: Read-only\n",
        f"{FAR} bash\nroot@training-1:/# bash c.sh\nc.sh: line 9: ip: not found\nroot@training-1:/# \n",
        f"{ADMIN} oc rsh training-1\n{NOT_FOUND}",
        f"{ADMIN} kubectl exec -it $POD -- bash\n{NOT_FOUND}",
        f"{ADMIN} crictl exec -it 4d0f bash\nFATA[0000] execing command in container: x\n",
        f'{FAR} sh -c "$(cat check-rails.sh)"\n',
        f"{FAR} bash -xc '. /tmp/check-rails.sh'\n",
        f"{FAR} su - user -c /tmp/check-rails.sh\n",
        f"{FAR} bash\nroot@training-1:/# cat c.sh | sh\nsh: 9: ip: not found\n",
        f"{ADMIN} ./all.sh\n== training-1\n{NOT_FOUND}",
    ],
)
def test_a_check_or_visit_of_a_pod_that_failed_is_not_seen_whatever_the_command(failed: str) -> None:
    for text in (f"{RUN}{failed}{ADMIN} \n", f"{failed}{RUN}{ADMIN} \n"):
        assert outcomes(live({"s.log": text})) == UNSEEN


@pytest.mark.parametrize(
    "beside",
    [
        f"{FAR} sh -c 'cat > /tmp/check-rails.sh' < check-rails.sh\n",
        f"{FAR} tee /tmp/check-rails.sh < check-rails.sh > /dev/null\n",
        f"{ADMIN} tar cf - check-rails.sh | kubectl exec -i training-1 -- tar xf - -C /tmp\n",
        f"{ADMIN} find build -name check-rails.sh\nbuild/check-rails.sh\n",
        f"{ADMIN} dos2unix check-rails.sh; sh -n check-rails.sh\n",
        f"{ADMIN} kubectl create configmap check --from-file=check-rails.sh\nconfigmap/check created\n",
        f"{FAR} bash -c 'echo $NCCL_IB_HCA'\nmlx5_0\n",
        f"{FAR} bash /workspace/run_nccl.sh\n# nThread 1\n",
        f"{ADMIN} kubectl exec -it vault-0 -- sh\n{NOT_FOUND}",
        f"{FAR} grep -c x /tmp/y\n0\ncommand terminated with exit code 1\n",
    ],
)
def test_a_command_that_gives_no_shell_the_script_is_no_check(beside: str) -> None:
    for text in (f"{RUN}{beside}{ADMIN} \n", f"{beside}{RUN}{ADMIN} \n"):
        assert outcomes(live({"s.log": text})) == SEEN


@pytest.mark.parametrize(
    ("prompt", "other"),
    [
        ("me@MacBook-Pro ~ %", "me@MacBook-Pro netplan %"),
        ("PS C:\\Users\\me>", "PS C:\\Users>"),
        ("C:\\Users\\me>", "C:\\Users\\me>"),
        ("\u279c  netplan git:(main)", "\u279c  ~"),
    ],
)
def test_a_prompt_of_any_form_that_stood_before_a_check_ends_the_one_above_it(
    prompt: str, other: str
) -> None:
    run = f"{prompt} cat check-rails.sh | kubectl exec -i -n training {{}} -- sh -s\n"
    text = run.format("training-0") + OK
    assert outcomes(live({"s.log": f"{other} ls\nx\n{text}{other} ls\nx\n{text}{prompt} exit\n"})) == SEEN
    assert outcomes(live({"s.log": f"{text}{run.format('training-1')}{prompt} exit\n"})) == UNSEEN
    assert outcomes(live({"s.log": f"{text}x\n{other} exit\n"})) == UNSEEN


@pytest.mark.parametrize(
    "note", ["\nreal\t0m1.2s\nuser\t0m0.1s\nsys\t0m0.0s\n", "0\n", "rc=0\n", "real 1.20\n"]
)
def test_a_time_and_a_status_of_0_below_a_check_hide_nothing(note: str) -> None:
    assert outcomes(live({"s.log": f"{RUN}{note}{ADMIN} \n"})) == SEEN
    assert outcomes(live({"s.log": f"{RUN}{EXEC} sh /tmp/check-rails.sh\n{note}{ADMIN} \n"})) == UNSEEN


def test_a_session_of_oc_rsh_and_of_k9s_is_the_pod_s() -> None:
    rsh = (
        f"{ADMIN} oc rsh -n training training-0\nsh-5.1# sh /tmp/check-rails.sh\n{OK}sh-5.1# exit\n{ADMIN} \n"
    )
    k9s = f"<<K9s-Shell>> Pod: training/training-0 | Container: main \n{POD} sh check-rails.sh\n{OK}{POD} \n"
    for text in (rsh, k9s):
        assert outcomes(live({"s.log": text})) == SEEN
