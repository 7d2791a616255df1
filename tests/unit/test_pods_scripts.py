"""The pod's scripts, run: in network namespaces with one veth pair per rail and an eth0 like Calico's."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.pod_site import HOST_SEGMENTS, rendered

SBR = "networks: {rail: {routing: sbr}}"
DUAL = "rails: {supernets: [172.16.0.0/20, 'fd00::/56'], prefixes: [24, 64]}"
PF = """
host_types: {gpu: {hcas: {roce0: {use: pf, vfs: null}, roce1: {use: pf, vfs: null}}}}
networks: {rail: {mode: host-device}}
"""
LAST = "rails: {segment: host, vlan_ids: null, prefixes: [29], gateway: last}"

POD = """
nic() {
    ip link add "$1" type veth peer name "$1-far"
    ip link set "$1-far" up
    ip link set "$1" up
    ip addr add "$2" dev "$1"
}
ip link set lo up
nic eth0 10.244.0.7/32
ip route add 169.254.1.1 dev eth0 scope link
ip route add default via 169.254.1.1 dev eth0
"""
LEAF_POD = f"{POD}\nnic rail0 172.16.0.100/24\nnic rail1 172.16.8.100/24\n"
HOST_POD = f"{POD}\nnic rail0 172.16.0.3/31\nnic rail1 172.16.8.3/31\n"
ANSWERS = "ip neigh replace {} lladdr 02:00:00:00:00:01 dev {} nud permanent"
BOTH_ANSWER = "; ".join([ANSWERS.format("172.16.0.1", "rail0"), ANSWERS.format("172.16.9.1", "rail1")])
ROUTED_POD = LEAF_POD.replace("172.16.8.", "172.16.9.")


def run(tmp_path: Path, steps: str, over: str = "") -> subprocess.CompletedProcess[str]:
    """Run shell steps in their own namespace, with the workload's files in the working directory."""
    for path, text in rendered(over).items():
        if path.endswith(".sh"):
            (tmp_path / path).write_text(text)
    return subprocess.run(
        ["unshare", "--net", "sh", "-ec", steps],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=60,
        check=False,
    )


def routes(text: str) -> list[tuple[str, str, str]]:
    return sorted((r["dst"], r.get("gateway", ""), r.get("dev", r.get("type", ""))) for r in json.loads(text))


@pytest.mark.parametrize(
    "over", ["", SBR, HOST_SEGMENTS, DUAL, PF], ids=["script", "sbr", "host", "dual", "pf"]
)
@pytest.mark.parametrize("shell", ["sh", "dash", "bash"])
def test_scripts_parse(tmp_path: Path, over: str, shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not on the PATH")
    scripts = {path: text for path, text in rendered(over).items() if path.endswith(".sh")}
    assert scripts
    for path, text in scripts.items():
        done = subprocess.run([shell, "-n"], input=text, capture_output=True, text=True, check=False)
        assert (path, done.returncode, done.stderr) == (path, 0, "")


def test_no_script_where_sbr_installs_the_routes() -> None:
    assert [path for path in rendered(SBR) if path.endswith(".sh")] == ["check-rails.sh"]


@pytest.mark.netns
def test_the_script_installs_the_plan_and_may_run_again(tmp_path: Path) -> None:
    looks = "ip -j rule; ip -j route show table 700; ip -j route"
    done = run(tmp_path, f"{ROUTED_POD}\nsh rail-routes.sh; sh rail-routes.sh; {looks}")
    assert (done.returncode, done.stderr) == (0, "")
    said, again, rules, table, main = done.stdout.splitlines()
    assert said == again == "rail-routes: ok, rail0 rail1"
    assert [r["priority"] for r in json.loads(rules)] == [0, 700, 701, 32766, 32767]
    assert routes(table) == [
        ("172.16.0.0/21", "172.16.0.1", "rail0"),
        ("172.16.0.0/24", "", "rail0"),
        ("172.16.8.0/21", "172.16.0.1", "rail0"),
        ("172.16.9.0/24", "172.16.0.1", "rail0"),
        ("default", "", "unreachable"),
    ]
    assert ("default", "169.254.1.1", "eth0") in routes(main)
    assert ("172.16.0.0/24", "", "rail0") in routes(main)
    assert ("172.16.8.0/21", "172.16.9.1", "rail1") in routes(main)


@pytest.mark.netns
@pytest.mark.parametrize(
    ("target", "source", "leaves"),
    [
        ("172.16.0.9", "172.16.0.100", "dev rail0"),
        ("172.16.9.9", "172.16.0.100", "via 172.16.0.1 dev rail0"),
        ("172.16.1.9", "172.16.9.100", "via 172.16.9.1 dev rail1"),
        ("10.244.9.9", "10.244.0.7", "dev eth0"),
    ],
)
def test_packets_leave_by_their_source(tmp_path: Path, target: str, source: str, leaves: str) -> None:
    done = run(tmp_path, f"{ROUTED_POD}\nsh rail-routes.sh >/dev/null; ip route get {target} from {source}")
    assert leaves in done.stdout


@pytest.mark.netns
def test_rail_packets_to_elsewhere_fail_at_once(tmp_path: Path) -> None:
    done = run(
        tmp_path, f"{ROUTED_POD}\nsh rail-routes.sh >/dev/null; ip route get 10.96.0.1 from 172.16.0.100"
    )
    assert "No route to host" in done.stderr


@pytest.mark.netns
@pytest.mark.parametrize(
    ("pod", "over", "gateway"),
    [
        (HOST_POD, HOST_SEGMENTS, "172.16.0.2"),
        (HOST_POD.replace("0.3/31", "0.9/29"), LAST, "172.16.0.14"),
        (HOST_POD.replace("0.3/31", "0.10/29"), LAST.replace("last", "first"), "172.16.0.9"),
    ],
)
def test_the_gateway_of_a_link_per_host(tmp_path: Path, pod: str, over: str, gateway: str) -> None:
    done = run(tmp_path, f"{pod}\nsh rail-routes.sh >/dev/null; ip -j route show table 700", over)
    assert done.stderr == ""
    assert ("172.16.8.0/21", gateway, "rail0") in routes(done.stdout)


@pytest.mark.netns
def test_both_address_families(tmp_path: Path) -> None:
    more = "ip addr add fd00::64/64 dev rail0 nodad; ip addr add fd00:0:0:81::64/64 dev rail1 nodad"
    pod = f"{ROUTED_POD}\n{more}"
    done = run(tmp_path, f"{pod}\nsh rail-routes.sh; ip -6 -j rule", DUAL)
    assert (done.returncode, done.stderr) == (0, "")
    assert {700, 701} < {rule["priority"] for rule in json.loads(done.stdout.splitlines()[-1])}


@pytest.mark.netns
@pytest.mark.parametrize(
    ("damage", "words"),
    [
        ("ip rule del pref 700", "172.16.8.1 from 172.16.0.100 does not leave on rail0"),
        (
            "ip route del 172.16.9.0/24 table 700; ip route del 172.16.8.0/21 table 700",
            "172.16.9.1 from 172.16.0.100",
        ),
        ("ip addr del 172.16.9.100/24 dev rail1", "rail1 has no IPv4 address"),
        (
            "ip route replace default via 172.16.0.1 dev rail0",
            "the pod's IPv4 default route is on rail rail0",
        ),
    ],
)
def test_the_check_finds_damage(tmp_path: Path, damage: str, words: str) -> None:
    done = run(
        tmp_path,
        f"{ROUTED_POD}\n{BOTH_ANSWER}\nsh rail-routes.sh >/dev/null\n"
        f"sh check-rails.sh; {damage}; sh check-rails.sh",
    )
    assert done.stdout.startswith("check-rails: ok, rail0 rail1\n")
    assert done.stdout.count("ok") == 1
    assert done.returncode == 1
    assert words in done.stderr


PING = """
cat >ping <<'END'
#!/bin/sh
echo "$@" >>asked
exec busybox ping "$@"
END
chmod +x ping
"""


@pytest.mark.netns
@pytest.mark.parametrize(
    ("over", "gateways"),
    [("", ("172.16.0.1", "172.16.9.1")), (HOST_SEGMENTS, ("172.16.0.2", "172.16.8.2"))],
    ids=["subnet", "link"],
)
def test_the_check_asks_the_gateways(tmp_path: Path, over: str, gateways: tuple[str, str]) -> None:
    """Rail 1 is on the HCA of another rail, where nothing has the gateway address."""
    if shutil.which("busybox") is None:
        pytest.skip("busybox is not on the PATH")
    pod = HOST_POD if over else ROUTED_POD
    known = ANSWERS.format(gateways[0], "rail0")
    steps = f"{PING}{pod}\n{known}\nsh rail-routes.sh >/dev/null; PATH=$PWD:$PATH sh check-rails.sh"
    done = run(tmp_path, steps, over)
    assert done.returncode == 1
    assert done.stderr.startswith(f"check-rails: gateway {gateways[1]} does not answer on rail1: ")
    assert done.stderr.count("\n") == 1
    asked = [line.split()[-1] for line in (tmp_path / "asked").read_text().splitlines()]
    assert asked == list(gateways)


@pytest.mark.netns
def test_a_link_without_an_address_has_no_gateway_to_ask(tmp_path: Path) -> None:
    pod = f"{HOST_POD}\nsh rail-routes.sh >/dev/null; ip addr flush dev rail1; ip route flush table 701"
    known = ANSWERS.format("172.16.0.2", "rail0")
    done = run(tmp_path, f"{PING}{pod}\n{known}\nPATH=$PWD:$PATH sh check-rails.sh", HOST_SEGMENTS)
    assert (done.returncode, done.stderr) == (1, "check-rails: rail1 has no IPv4 address\n")


@pytest.mark.netns
def test_without_the_right_to_ping_the_gateways_are_not_asked(tmp_path: Path) -> None:
    refuses = "printf '#!/bin/sh\\nexit 1\\n' >ping; chmod +x ping"
    steps = f"{refuses}\n{ROUTED_POD}\nsh rail-routes.sh >/dev/null; PATH=$PWD:$PATH sh check-rails.sh"
    done = run(tmp_path, steps)
    assert done.returncode == 0, done.stderr
    assert done.stdout == (
        "check-rails: ok, rail0 rail1\n"
        "check-rails: gateways not asked: no ping in this image, or no right to send one\n"
    )


@pytest.mark.netns
def test_the_script_says_which_interface_is_missing(tmp_path: Path) -> None:
    done = run(tmp_path, f"{ROUTED_POD}\nip link del rail1\nsh rail-routes.sh")
    assert (done.returncode, done.stderr) == (1, "rail-routes: interface rail1 is missing\n")


@pytest.mark.netns
@pytest.mark.parametrize(("answer", "warned"), [("exit 0", False), ("exit 1", True)])
def test_a_moved_pf_announces_itself(tmp_path: Path, answer: str, warned: bool) -> None:
    arping = tmp_path / "arping"
    arping.write_text(f'#!/bin/sh\necho "$@" >> said\n{answer}\n')
    arping.chmod(0o755)
    done = run(tmp_path, f"{ROUTED_POD}\nPATH=$PWD:$PATH sh rail-routes.sh", PF)
    assert done.returncode == 0
    assert (tmp_path / "said").read_text().splitlines() == [
        "-U -c 2 -I rail0 172.16.0.100",
        "-U -c 2 -I rail1 172.16.9.100",
    ]
    assert ("warning" in done.stderr) == warned
