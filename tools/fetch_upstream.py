"""Fetch the upstream files that tests validate against: ``python tools/fetch_upstream.py DIR``.

Reads ``tests/upstream.toml``, skips files that already have the right sha256 and never writes one with a
wrong one. Exit status 1 if any file could not be fetched. Standard library only.
"""

from __future__ import annotations

import argparse
import hashlib
import http.client
import re
import sys
import tomllib
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

LIST = Path(__file__).resolve().parent.parent / "tests" / "upstream.toml"
TIMEOUT_SECONDS = 30

# The only construct in SONiC's four YANG templates; trim_blocks drops the newline after each tag.
BRANCH = re.compile(
    r'{% if yang_model_type == "(\w+)" %}\n?(.*?)(?:{% else %}\n?(.*?))?{% endif %}\n?', re.DOTALL
)


class File(NamedTuple):
    """A file to fetch: destination (relative), source, expected hash."""

    path: str
    url: str
    sha256: str


def listed(text: str) -> Iterator[File]:
    for source in tomllib.loads(text)["source"]:
        for name, digest in source["files"].items():
            remote = source.get("renamed", {}).get(name, name)
            yield File(f"{source['into']}/{name}", source["base"] + remote, digest)


def rendered(template: str) -> str:
    """Text of a SONiC YANG template for ``yang_model_type == "py"`` (sonic-yang-models/setup.py)."""
    text = BRANCH.sub(lambda m: m[2] if m[1] == "py" else m[3] or "", template)
    return text.removesuffix("\n")  # Jinja2's default: keep_trailing_newline is off


def fetch(file: File, folder: Path) -> str:
    """Fetch one file; returns what is wrong, or an empty string."""
    target = folder / file.path
    if target.is_file() and hashlib.sha256(target.read_bytes()).hexdigest() == file.sha256:
        return ""
    try:
        with urllib.request.urlopen(file.url, timeout=TIMEOUT_SECONDS) as response:
            content: bytes = response.read()
    except (OSError, http.client.HTTPException) as error:
        return f"{file.path}: {file.url}: {error}"
    if file.url.endswith(".yang.j2"):
        content = rendered(content.decode()).encode()
    digest = hashlib.sha256(content).hexdigest()
    if digest != file.sha256:
        return f"{file.path}: {file.url} has sha256 {digest}, upstream.toml says {file.sha256}"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content)
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path, help="where to put the files (what NETPLAN_UPSTREAM points to)")
    parser.add_argument("--list", type=Path, default=LIST, help="the list of files [tests/upstream.toml]")
    arguments = parser.parse_args()
    files = list(listed(arguments.list.read_text()))
    with ThreadPoolExecutor(max_workers=8) as pool:
        outcomes = pool.map(lambda file: fetch(file, arguments.folder), files)
        problems = [problem for problem in outcomes if problem]
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(files) - len(problems)} of {len(files)} files in place in {arguments.folder}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
