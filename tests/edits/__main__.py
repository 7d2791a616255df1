"""``python -m tests.edits FAMILY [START]``: the edits of a family that no command detects and no row lists.

``START``: prefix of paths. Also prints rows that match no edit, and counts; ``--write`` writes the counts.
"""

from __future__ import annotations

import argparse
import re
import time

import click

from tests.edits.decided import FAMILIES, FOLDER, counted, family, unnoticed


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.edits", description=__doc__)
    parser.add_argument("family", choices=FAMILIES)
    parser.add_argument("start", nargs="?", default="")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="write the counts into FAMILY.yaml")
    chosen = parser.parse_args()
    start = time.monotonic()
    of = family(chosen.family)
    made = [edit for edit in of.edits() if edit.file.startswith(chosen.start)][:: chosen.every]
    left = unnoticed(of, made)
    counts = counted(of, made, left)
    open_edits = [edit for edit in left if not of.rows(edit)]
    for edit in open_edits:
        click.echo(edit)
    for row in of.decided:
        if not any(row.takes(edit) for edit in left):
            click.echo(f"no unnoticed edit: {row}")
    facing = counts["made"] - counts["harmless"]
    share = 100 * (counts["survivors"] + len(open_edits)) / max(facing, 1)
    click.echo(
        f"{chosen.family}: {counts}, undecided {len(open_edits)}, "
        f"{share:.1f} % of {facing} not seen, {time.monotonic() - start:.0f} s"
    )
    if chosen.write:
        _write(chosen.family, counts, len(open_edits))
    return int(bool(open_edits))


def _write(name: str, counts: dict[str, int], undecided: int) -> None:
    path = FOLDER / f"{name}.yaml"
    text = re.sub(r"(?m)^(counts|undecided): .*\n", "", path.read_text(encoding="utf-8"))
    listed = ", ".join(f"{key}: {value}" for key, value in counts.items())
    more = f"counts: {{{listed}}}\n" + (f"undecided: {undecided}\n" if undecided else "")
    path.write_text(re.sub(r"(?m)^(most: .*\n)", rf"\1{more}", text, count=1), encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
