"""Write the documentation generated from code: ``python tools/docs.py``; with ``--check`` only compare.

docs/checks.md and docs/checks/ from the checks, docs/coverage.md from docs/coverage.yaml, docs/schema.md from
the inventory's JSON Schema, docs/cli.md from the commands, docs/nos-support.md from the NOS folders,
docs/edits.md from tests/edits, docs/pictures/ from plans; share/ by tools/share.py. Exit status 1 if
``--check`` finds a page out of date.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click
import yaml

import netplan.cli
import netplan.report.json
from netplan.model.nos import FEATURES, PROOFS, NosProfile
from netplan.nos import available, load_nos
from tools import check_pages, commands, share
from tools.check_pages import AREAS, MADE, checks_page, coverage_page, family_page
from tools.made_file import renew
from tools.pictures import PICTURES
from tools.schema_page import schema_page

DOCS = Path(__file__).resolve().parent.parent / "docs"
EDITS = DOCS.parent / "tests" / "edits"
"""Edits of rendered files that no command detects, decided one by one."""


def cli_page() -> Iterator[str]:
    yield "# Command line"
    yield MADE
    yield _doc(netplan.cli)
    group = netplan.cli.program
    for name in ["", *group.commands]:
        command = group.commands[name] if name else group
        title = f"netplan {name}".strip()
        settings = {"help_option_names": group.context_settings["help_option_names"]}
        with click.Context(command, info_name=title, terminal_width=100, **settings) as context:
            yield f"## {title}"
            yield f"```text\n{command.get_help(context)}\n```"
    yield "## JSON report"
    yield _doc(netplan.report.json)


def _doc(module: Any) -> str:
    return str(module.__doc__).strip()


def nos_page() -> Iterator[str]:
    profiles, problems = load_nos(dict.fromkeys(available(), ()))
    if problems:
        sys.exit("\n".join(problem.message for problem in problems))
    yield "# NOS support"
    yield MADE
    yield (
        "What netplan writes for each switch operating system. "
        "*required*: an inventory that needs it is refused. "
        "*wanted*: the rest is written, and the report and the switch's README say what is missing; "
        "it is required too where a key of the inventory asks for it. "
        "*confirmed by*: what the tests hold the output to; beside it every line is in the sources below "
        "and, but for SONiC, in a grammar of allowed lines written from them. "
        "*judge* of a family of commands: accepted by a model in the tests, equal to a vendor's own code, "
        "seen in a device transcript, or documented only. What is *unconfirmed* is never a line: "
        "it stands in the files as a comment."
    )
    yield from (_nos_section(profile) for profile in profiles.values())


def _nos_section(profile: NosProfile) -> str:
    abilities = [
        f"| {feature} | {'required' if FEATURES[feature] else 'wanted'} | {_ability(profile, feature)} "
        f"| {_confirmed(profile, feature)} |"
        for feature in FEATURES
    ]
    facts = [
        f"- releases: {', '.join(release.name for release in profile.releases.known)}; "
        f"without `nos_version`: {profile.releases.default}",
        f"- verified: {profile.verified}",
        f"- port names: `{profile.port_name}`",
        f"- files: {', '.join(output.file for output in profile.outputs)}",
        f"- ASICs: {', '.join(profile.asics) or 'none'}",
        f"- models with numbers of their own: {', '.join(profile.models) or 'none'}",
    ]
    table = ["| ability | | supported | confirmed by |", "|---|---|---|---|", *abilities]
    searched = [f"- {feature}: {where}" for feature, where in profile.searched.items()]
    sources = ["Sources:", "", *(f"- {source}" for source in profile.sources)]
    blocks = [[f"## {profile.title} (`{profile.name}`)"], facts, table, _families(profile)]
    blocks += [["Searched in vain:", "", *searched], sources] if searched else [sources]
    return "\n\n".join("\n".join(block) for block in blocks)


def _families(profile: NosProfile) -> list[str]:
    known = commands.load(profile.name)
    rows = [
        f"| {family.name} | {commands.JUDGES[family.judge]} | {family.source} |" for family in known.families
    ]
    rows += [f"| {name} | as shipped | {source} |" for name, source in known.factory.items()]
    return ["| command family | judge | source |", "|---|---|---|", *rows]


def _ability(profile: NosProfile, feature: str) -> str:
    if feature in profile.unconfirmed:
        return f"as a comment only, to confirm on the switch: {profile.unconfirmed[feature]}"
    return profile.supports[feature] or "; ".join(["yes", *filter(None, [profile.notes.get(feature)])])


def _confirmed(profile: NosProfile, feature: str) -> str:
    """Evidence for a feature: what tests compare its output with, at least its sources."""
    if profile.supports[feature]:
        return ""
    if feature in profile.unconfirmed:
        return "nothing yet"
    proof = profile.confirmed_by.get(feature)
    return f"{PROOFS[proof]} ({proof})" if proof else "its sources"


def edits_page() -> Iterator[str]:
    yield "# What no command notices"
    yield MADE
    yield (
        "A test takes small rendered sites, and one of the shipped inventories, leaves out or changes every "
        "value and every line of their files once, and asks `trace`, `validate --rendered` and `validate "
        "--config-db`. An edit that none of them notices stands here: it is *harmless* where it changes "
        "nothing that a packet meets, else a *survivor*. [reading.md](reading.md) says how files are judged."
    )
    by_name = {p.stem: yaml.safe_load(p.read_text(encoding="utf-8")) for p in sorted(EDITS.glob("*.yaml"))}
    families = list(by_name.values())
    listed = {family["title"]: family for family in families if not family.get("undecided")}
    rows = [f"| {title} | {_edit_counts(family['counts'])} |" for title, family in listed.items()]
    head = ["| files | edits | noticed | harmless | survivors |", "|---|---|---|---|---|"]
    yield "\n".join([*head, *rows])
    if undecided := [family["title"] for family in families if family.get("undecided")]:
        yield f"Not yet decided one by one: {', '.join(undecided)}."
    for title, family in listed.items():
        yield f"## {title}"
        if also := [by_name[name]["title"] for name in family.get("also", ())]:
            alike = "One edit is made of those that are alike, such as ports with peers of one kind."
            yield f"{alike} The rows of {' and of '.join(also)} hold here too."
        for kind in ("survivors", "harmless"):
            if decided := family.get(kind):
                yield f"### {kind.capitalize()}"
                yield "\n".join(["| file | edit | why |", "|---|---|---|", *map(_edit_row, decided)])


def _edit_counts(counts: Mapping[str, int]) -> str:
    facing = counts["made"] - counts["harmless"]
    share = f"{counts['survivors']} ({100 * counts['survivors'] / facing:.1f} % of those not harmless)"
    return " | ".join([*(str(counts[key]) for key in ("made", "noticed", "harmless")), share])


def _edit_row(row: Mapping[str, Any]) -> str:
    return "| " + " | ".join([row["file"], f"`{row['edit']}`".replace("|", "\\|"), row["why"]]) + " |"


PAGES: Mapping[str, Callable[[], Iterator[str]]] = {
    "checks.md": checks_page,
    **{check_pages.family(area): partial(family_page, area) for area in range(len(AREAS))},
    "coverage.md": coverage_page,
    "schema.md": schema_page,
    "cli.md": cli_page,
    "nos-support.md": nos_page,
    "edits.md": edits_page,
}


NAMES = (*PAGES, *(f"pictures/{name}" for name in PICTURES))
"""All generated files below docs/."""


def page_text(name: str) -> str:
    if name in PAGES:
        return "\n\n".join(PAGES[name]()) + "\n"
    return str(PICTURES[name.removeprefix("pictures/")]())


def main() -> int:
    pages = ((name, page_text(name)) for name in NAMES)
    return renew(DOCS, pages, "Write the documentation made from the code.", "run python tools/docs.py")


if __name__ == "__main__":
    sys.exit(main() | share.main())
