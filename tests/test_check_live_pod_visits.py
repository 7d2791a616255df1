"""``check-live``: a log of an admin who checks pods: what runs beside the check is no check that failed."""

from __future__ import annotations

import pytest

from tests.test_check_live_pods import OK, live, outcomes

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
