"""netplan as a process: what only shows outside the test runner."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.inventories import text_of

FULL = Path("/dev/full")


def run(
    *arguments: str, command: tuple[str, ...] = ("-m", "netplan"), **environment: str
) -> subprocess.CompletedProcess[bytes]:
    inherited = {
        name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "PYTHON"))
    }
    return subprocess.run(
        [sys.executable, *command, *arguments], capture_output=True, env=inherited | environment, check=False
    )


def test_version():
    done = run("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"netplan 0.1.0\n", b"")


LOADED = """
import sys
from netplan.cli import main
try:
    main("netplan")
finally:
    names = ("yaml", "jsonschema", "netaddr", "jinja2", "importlib.metadata", "netplan.model", "netplan.load")
    sys.stderr.write("loaded: " + " ".join(name for name in names if name in sys.modules))
"""


@pytest.mark.parametrize(
    "arguments", [["--help"], ["--version"], ["render", "--help"], ["apply"]], ids=" ".join
)
def test_start_up_loads_click_alone(arguments):
    assert run(*arguments, command=("-c", LOADED)).stderr.endswith(b"loaded: ")


WRITE = r"""
from netplan.cli.terminal import put, survive_any_stream, tell
survive_any_stream()
put("\u540d \udc80\n")
tell("\xfc\n")
"""


@pytest.mark.parametrize(
    ("encoding", "out", "err"),
    [
        ("ascii", b"\\u540d \\udc80\n", b"\\xfc\n"),
        ("latin-1", b"\\u540d \\udc80\n", b"\xfc\n"),
        ("utf-8", b"\xe5\x90\x8d \\udc80\n", b"\xc3\xbc\n"),
    ],
)
def test_any_encoding(encoding, out, err):
    done = run(command=("-c", WRITE), PYTHONIOENCODING=encoding)
    assert (done.returncode, done.stdout, done.stderr) == (0, out, err)


def test_c_locale():
    done = run("validate", "名.yaml", LC_ALL="C")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"does not exist" in done.stderr


def test_reader_that_leaves():
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as output:
        done = subprocess.run(
            [sys.executable, "-m", "netplan", "schema"], stdout=output, stderr=subprocess.PIPE, check=False
        )
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.skipif(not FULL.exists(), reason="macOS has no /dev/full")
def test_full_disk():
    with FULL.open("wb") as output:
        done = subprocess.run(
            [sys.executable, "-m", "netplan", "schema"], stdout=output, stderr=subprocess.PIPE, check=False
        )
    assert (done.returncode, done.stderr) == (
        2,
        b"python -m netplan: cannot write the output: No space left on device\n",
    )


def test_closed_standard_output():
    done = subprocess.run(
        ["sh", "-c", f"'{sys.executable}' -m netplan schema >&-"], stderr=subprocess.PIPE, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("variable", "name"), [("_NETPLAN_COMPLETE", "netplan"), ("_RDMA_NETPLAN_COMPLETE", "rdma-netplan")]
)
def test_completion(variable, name):
    code = f"from netplan.cli import main; main({name!r})"
    done = run(command=("-c", code), COMP_WORDS=f"{name} va", COMP_CWORD="1", **{variable: "bash_complete"})
    assert (done.returncode, done.stdout, done.stderr) == (0, b"plain,validate\n", b"")


SLOW = """
import signal, sys, time
import netplan.pipeline
from netplan.cli import main
def run(*arguments, **options):
    print("ready", flush=True)
    time.sleep(30)
netplan.pipeline.run = run
signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job inherits it as ignored
main("netplan")
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_run(number: signal.Signals):
    slow = f"import signal; signal.signal(signal.SIGHUP, signal.SIG_DFL)  # as ignored below nohup\n{SLOW}"
    command = [sys.executable, "-c", slow, "validate", "site.yaml"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(number)
        out, err = process.communicate(timeout=10)
    assert (process.returncode, out, err) == (130, b"", b"\nnetplan: interrupted\n")


def test_nohup_is_respected():
    """A run started with SIGHUP ignored continues after SIGHUP."""
    slow = SLOW.replace("time.sleep(30)", "time.sleep(0.5); raise KeyboardInterrupt")
    command = [sys.executable, "-c", f"import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n{slow}"]
    with subprocess.Popen(
        [*command, "validate", "site.yaml"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(signal.SIGHUP)
        assert process.poll() is None
        process.communicate(timeout=10)
    assert process.returncode == 130


STOPPED_WRITING = """
import os, signal, sys
from pathlib import Path
from netplan.cli import main
rename = os.replace
def replace(source, target, *arguments, **options):
    rename(source, target, *arguments, **options)
    if os.path.basename(target) == os.environ["AFTER"]:
        os.kill(os.getpid(), signal.Signals[os.environ["SIGNAL"]])
os.replace = replace
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
main("netplan")
"""


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
@pytest.mark.parametrize(
    ("after", "left"), [(".netplan-journal.json", False), ("pod.yaml", True), ("manifest.json", False)]
)
def test_a_journal_stays_only_where_something_is_half_done(tmp_path: Path, name: str, after: str, left: bool):
    site, out = tmp_path / "site.yaml", tmp_path / "out"
    site.write_text(text_of("minimal"))
    arguments = ("render", str(site), "-o", str(out))
    done = run(*arguments, command=("-c", STOPPED_WRITING), AFTER=after, SIGNAL=name)
    assert (done.returncode, done.stderr) == (130, b"\nnetplan: interrupted\n")
    assert (out / ".netplan-journal.json").exists() == left
    assert run(*arguments).returncode == 0
    assert run(*arguments, "--check").returncode == 0
    assert not list(out.rglob(".netplan-*"))
