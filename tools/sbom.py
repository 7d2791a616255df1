"""Print a CycloneDX 1.5 bill of materials for a release: ``python tools/sbom.py [requirements/runtime.txt]``.

The components are those of the lock file, each with the digests of the files pip may install for it.
Independent of time and machine. The form: https://cyclonedx.org/docs/1.5/json.
"""

from __future__ import annotations

import argparse
import json
import re
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from netplan import __version__

LOCK = Path(__file__).resolve().parent.parent / "requirements" / "runtime.txt"
NAME = "rdma-netplan"
_PIN = re.compile(r"^(?P<name>[a-z0-9._-]+)==(?P<version>[^\s;\\]+)", re.IGNORECASE)
_HASH = re.compile(r"--hash=sha256:(?P<digest>[0-9a-f]{64})")
_VIA = re.compile(r"^ +# +(?:via )?(?P<name>[a-z0-9._-]+)", re.IGNORECASE)


class Pin(NamedTuple):
    """A pinned version. ``via``: packages that need it, possibly the distribution itself."""

    name: str
    version: str
    digests: tuple[str, ...]
    via: tuple[str, ...]

    @property
    def purl(self) -> str:
        return f"pkg:pypi/{self.name}@{self.version}"


def pins(text: str) -> Iterator[Pin]:
    """The entries of a list written by pip-compile."""
    for block in re.split(r"\n(?=[A-Za-z0-9])", text):
        found = _PIN.match(block)
        if found:
            via = [match["name"] for match in map(_VIA.match, block.splitlines()) if match]
            needed_by = tuple(name for name in via if name != "via")
            yield Pin(found["name"].lower(), found["version"], tuple(_HASH.findall(block)), needed_by)


def bill(listed: list[Pin]) -> dict[str, Any]:
    """The document; its serial number is derived from the content."""
    root = f"pkg:pypi/{NAME}@{__version__}"
    serial = uuid.uuid5(uuid.NAMESPACE_URL, "\n".join([root, *(pin.purl for pin in listed)]))
    needs = {NAME: root} | {pin.name: pin.purl for pin in listed}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{serial}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": root,
                "name": NAME,
                "version": __version__,
                "purl": root,
                "licenses": [{"license": {"id": "Apache-2.0"}}],
            }
        },
        "components": [_component(pin) for pin in listed],
        "dependencies": [
            {"ref": ref, "dependsOn": sorted(pin.purl for pin in listed if name in pin.via)}
            for name, ref in needs.items()
        ],
    }


def _component(pin: Pin) -> dict[str, Any]:
    """A component has one digest, but its files have several: those are external references."""
    return {
        "type": "library",
        "bom-ref": pin.purl,
        "name": pin.name,
        "version": pin.version,
        "purl": pin.purl,
        "externalReferences": [
            {
                "type": "distribution",
                "url": f"https://pypi.org/project/{pin.name}/{pin.version}/",
                "hashes": [{"alg": "SHA-256", "content": digest}],
            }
            for digest in pin.digests
        ],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("lock", type=Path, nargs="?", default=LOCK, help="list that pip-compile made")
    listed = sorted(pins(parser.parse_args().lock.read_text()))
    print(json.dumps(bill(listed), indent=2))


if __name__ == "__main__":
    main()
