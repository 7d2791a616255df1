from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

from tests import upstream

FETCH = upstream.REPOSITORY / "tools" / "fetch_upstream.py"
MARKS = {
    "crds": [pytest.mark.crd],
    "crds-by-release": [pytest.mark.crd],
    "crds-jobs": [pytest.mark.crd],
    "chart-values": [pytest.mark.crd],
    "kubernetes-openapi": [pytest.mark.crd],
    "formats": [pytest.mark.formats],
    "sonic-yang": [pytest.mark.yang],
}


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(
            source, id=f"{source.into} {source.base[34:74]}", marks=MARKS.get(source.into.split("/")[0], ())
        )
        for source in upstream.sources()
    ],
)
def test_present_files_are_the_listed_ones(source: upstream.Source):
    present = {name: upstream.root() / source.into / name for name in source.files}
    present = {name: path for name, path in present.items() if path.is_file()}
    if not present:
        pytest.skip(f"no {source.into} in {upstream.root()}")
    digests = {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in present.items()}
    assert digests == {name: source.files[name] for name in present}


def test_every_source_is_pinned_by_full_digests():
    assert {len(digest) for source in upstream.sources() for digest in source.files.values()} == {64}


@pytest.mark.crd
def test_every_present_crd_is_listed():
    folder = upstream.root() / "crds"
    present = {path.relative_to(upstream.root()).as_posix() for path in folder.rglob("*.yaml")}
    assert present == {
        f"{source.into}/{name}"
        for source in upstream.sources()
        for name in source.files
        if source.into.split("/")[0] == "crds"
    }


def test_missing_names_the_folder_and_the_way_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("NETPLAN_UPSTREAM", str(tmp_path))
    assert upstream.missing("sonic-pg-profiles") == (
        f"5 of 5 upstream files are not in {tmp_path} (first: sonic-pg-profiles/ACS-MSN2700.ini); "
        "run make upstream or set NETPLAN_UPSTREAM"
    )


PLAIN = b"a: 1\n"
TEMPLATE = b"""{% if yang_model_type == "cvl" %}
cvl
{% else %}
py
{% endif %}
x {
    {% if yang_model_type == "cvl" %}
    no
    {% else %}
    {% endif %}
}
"""
# Output of Jinja2 3.1 for TEMPLATE with trim_blocks=True and yang_model_type="py".
RENDERED = b"py\nx {\n        }"


def _fetch(tmp_path: Path, digest_of_plain: str) -> subprocess.CompletedProcess[str]:
    remote = tmp_path / "remote"
    remote.mkdir(exist_ok=True)
    (remote / "upstream-name.yaml").write_bytes(PLAIN)
    (remote / "m.yang.j2").write_bytes(TEMPLATE)
    listing = tmp_path / "list.toml"
    listing.write_text(
        f"""
[[source]]
into = "sub/folder"
base = "{remote.as_uri()}/"
[source.files]
"a.yaml" = "{digest_of_plain}"
"m.yang" = "{hashlib.sha256(RENDERED).hexdigest()}"
[source.renamed]
"a.yaml" = "upstream-name.yaml"
"m.yang" = "m.yang.j2"
"""
    )
    command = [sys.executable, str(FETCH), str(tmp_path / "out"), "--list", str(listing)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_fetch_writes_files_under_our_names_and_renders_templates(tmp_path: Path):
    done = _fetch(tmp_path, hashlib.sha256(PLAIN).hexdigest())
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "out/sub/folder/a.yaml").read_bytes() == PLAIN
    assert (tmp_path / "out/sub/folder/m.yang").read_bytes() == RENDERED


def test_fetch_writes_nothing_with_a_wrong_digest(tmp_path: Path):
    done = _fetch(tmp_path, "0" * 64)
    assert done.returncode == 1
    assert f"has sha256 {hashlib.sha256(PLAIN).hexdigest()}, upstream.toml says {'0' * 64}" in done.stderr
    assert [path.name for path in (tmp_path / "out/sub/folder").iterdir()] == ["m.yang"]


def test_fetch_leaves_right_files_alone(tmp_path: Path):
    digest = hashlib.sha256(PLAIN).hexdigest()
    _fetch(tmp_path, digest)
    before = (tmp_path / "out/sub/folder/a.yaml").stat().st_mtime_ns
    assert _fetch(tmp_path, digest).returncode == 0
    assert (tmp_path / "out/sub/folder/a.yaml").stat().st_mtime_ns == before
