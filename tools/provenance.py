"""State what a release was built from: ``python -m tools.provenance DIST``.

Writes DIST/SHA256SUMS and DIST/rdma-netplan.intoto.json, an in-toto statement with a SLSA provenance
predicate about the wheel and the sdist there: commit, tools by hash, command. It is unsigned; the forge that
runs the release signs its own (docs/release.md). The same commit gives the same bytes. The form:
https://in-toto.io/Statement/v1 and https://slsa.dev/spec/v1.0/provenance.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from netplan import __version__
from tools.sbom import pins

ROOT = Path(__file__).resolve().parent.parent
STATEMENT = "rdma-netplan.intoto.json"
SUMS = "SHA256SUMS"


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def commit() -> str:
    """Commit of the checkout; exits if files differ from it, because then the commit says nothing about
    them."""

    def git(*words: str) -> str:
        done = subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True, check=True)
        return done.stdout.strip()

    if changed := git("status", "--porcelain"):
        sys.exit(f"files differ from the commit:\n{changed}")
    return git("rev-parse", "HEAD")


def statement(files: dict[str, str], revision: str) -> dict[str, Any]:
    """``files``: name -> SHA-256 of the build results."""
    built_by = [
        {"uri": pin.purl, "annotations": {"sha256": list(pin.digests)}}
        for pin in pins((ROOT / "requirements" / "build.txt").read_text(encoding="utf-8"))
    ]
    source = {"uri": "git+file:.", "digest": {"gitCommit": revision}}
    return {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": name, "digest": {"sha256": value}} for name, value in sorted(files.items())],
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": "https://rdma-netplan.dev/build/make-release/v1",
                "externalParameters": {"target": "make release", "version": __version__},
                "resolvedDependencies": [source, *built_by],
            },
            "runDetails": {"builder": {"id": "https://rdma-netplan.dev/build/make-release"}},
        },
    }


def main() -> int:
    folder = Path(sys.argv[1])
    built = sorted([*folder.glob("*.whl"), *folder.glob("*.tar.gz")])
    if len(built) != 2:
        sys.exit(f"{folder} has {len(built)} built files, not a wheel and an sdist")
    sums = {path.name: digest(path) for path in built}
    text = json.dumps(statement(sums, commit()), indent=2) + "\n"
    (folder / STATEMENT).write_text(text, encoding="utf-8")
    listed = sorted([*built, folder / STATEMENT, *folder.glob("sbom.cdx.json")])
    lines = [f"{digest(path)}  {path.name}\n" for path in listed]
    (folder / SUMS).write_text("".join(lines), encoding="utf-8")
    print("".join(lines), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
