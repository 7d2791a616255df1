"""Switch files: each template of the NOS folder, rendered with one SwitchPlan."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from itertools import takewhile
from typing import Any

from netplan import json_text
from netplan.diagnostics import Diagnostic
from netplan.model.artifact import Artifact, KnownArtifact
from netplan.model.document import Places, SourceMap
from netplan.model.nos import NosOutput, NosProfile
from netplan.model.switching import SwitchPlan
from netplan.nos import switch_folder
from netplan.render.alike import Likeness, Shape, Shapes, SwitchSubject
from netplan.render.dump import dump_yaml
from netplan.render.jinja import environment
from netplan.render.known import KnownFiles
from netplan.render.site_templates import SitePrinter
from netplan.yaml12 import parse

KIND = "switches"
README = "README.md"
_FIELDS_ON_A_LINE = 7
_LAST_COMMA = re.compile(r",(?=\s*[}\]])")


def render_switches(
    plans: Sequence[SwitchPlan],
    nos: Mapping[str, NosProfile],
    site: str,
    problems: list[Diagnostic] | None = None,
    known: KnownFiles | None = None,
) -> Iterator[Artifact]:
    """``switches/<switch>/<file>`` for every output of the NOS that the switch needs.

    ``problems`` collects errors in a site's templates; an error in a template that ships raises. ``known``:
    files of earlier runs, from templates that ship only; those that it lacks are added to it.
    """
    found = [] if problems is None else problems
    printers = {name: _printer(nos[name], site, found) for name in sorted({plan.nos for plan in plans})}
    shapes = Shapes()
    for plan in plans:
        like = shapes.of(plan)
        files = {
            f"{KIND}/{plan.name}/{output.file}": output
            for output in nos[plan.nos].outputs
            if _needed(plan, output.needs)
        }
        text = _texts(printers[plan.nos], like)
        if known is None:
            yield from _rendered(plan, files, text)
        elif (digests := known.digests(like.digest)) is not None:
            yield from _known(plan, files, text, digests)
        else:
            yield from known.added(like.digest, _rendered(plan, files, text))


Texts = Callable[[NosOutput], str | None]


def _texts(printer: Printer, like: Likeness) -> Texts:
    """The texts of one switch; what they share is worked out when the first of them is asked for."""
    drawn = cache(like.drawn)
    return lambda output: printer(output, *drawn())


def _rendered(plan: SwitchPlan, files: Mapping[str, NosOutput], text: Texts) -> Iterator[Artifact]:
    for path, output in files.items():
        if (made := text(output)) is not None:
            yield Artifact(path, made, KIND, (f"{KIND}.{plan.name}",))


def _known(
    plan: SwitchPlan, files: Mapping[str, NosOutput], text: Texts, digests: Mapping[str, str]
) -> Iterator[Artifact]:
    def again(output: NosOutput) -> str:
        made = text(output)
        assert made is not None  # as for every file of a template that ships
        return made

    for path, output in files.items():
        yield KnownArtifact(path, partial(again, output), KIND, (f"{KIND}.{plan.name}",), digests[path])


def render_sources(
    plans: Sequence[SwitchPlan], nos: Mapping[str, NosProfile], site: str
) -> Iterator[Artifact]:
    """``switches/README.md``: the sources of each NOS, once per site. It does not name switches."""
    profiles = [nos[name] for name in sorted({plan.nos for plan in plans})]
    if profiles:
        template = environment(switch_folder()).get_template("sources.md.j2")
        text = template.render(profiles=profiles, site=site)
        yield Artifact(path=f"{KIND}/README.md", text=text, kind=KIND, entities=("switch_types",))


Printer = Callable[[NosOutput, Shape, SwitchSubject], str | None]


def _printer(nos: NosProfile, site: str, problems: list[Diagnostic]) -> Printer:
    """Renders outputs of one NOS, looking up templates in its own folder, then in the folder all NOSes share.
    With a site's templates every switch is rendered by itself, because these may do anything with a value."""

    def names(of: SwitchSubject) -> dict[str, Any]:
        return {"switch": of.plan, "page": of.page, "nos": nos, "form": of.plan.release.forms, "site": site}

    if nos.folder.own:
        own = SitePrinter(nos, problems)
        return lambda output, _, of: own.text(output, names(of), lambda text: _signed(output, nos, text))
    env = environment(nos.folder.path, nos.folder.path.parent)

    def text(output: NosOutput, shape: Shape, subject: SwitchSubject) -> str:
        def made(of: SwitchSubject) -> str:
            return _LAYOUTS[output.format](env.get_template(output.template).render(names(of)))

        return shape.text(output.file, subject, made) if _fills(output, subject) else made(subject)

    return text


def _fills(output: NosOutput, subject: SwitchSubject) -> bool:
    """Whether own values appear unchanged in the file; YAML quotes some of them."""
    return output.format == "text" or (output.format == "json" and subject.unescaped)


def _signed(output: NosOutput, nos: NosProfile, text: str) -> str:
    """The formatted text; in a README with a notice below the heading whose templates these are, whatever
    they print."""
    laid = _LAYOUTS[output.format](text)
    if output.file != README:
        return laid
    heading, _, rest = laid.partition("\n")
    return f"{heading}\n\n{nos.folder.notice}\n{rest}"


def _needed(plan: SwitchPlan, needs: str) -> bool:
    return {
        "always": True,
        "qos": plan.qos.enabled and bool(plan.ports),
        "arp": plan.arp.enabled,
        "buffer_patch": plan.patch.written,
        "frr_lines": plan.frr.bgp == "lines",
        "host_links": bool(plan.frr.lost),
    }[needs]


@lru_cache(maxsize=64)
def laid_out(text: str) -> str:
    """Formats JSON with one row per line, long rows with one field per line, lists with one entry per line.

    The template's JSON may have a comma before a closing bracket, which keeps loops simple. Raises ValueError
    for invalid JSON and duplicate keys: the template is wrong, not the inventory. Cached, because switches of
    one kind have the same QoS file.
    """
    data = json_text.loads(_LAST_COMMA.sub("", text), object_pairs_hook=_unique)
    if isinstance(data, list):
        return "[\n" + ",\n".join(f"  {json.dumps(entry)}" for entry in data) + "\n]\n"
    if not isinstance(data, dict) or not all(isinstance(rows, dict) for rows in data.values()):
        raise ValueError("it is neither a list nor tables of rows")
    tables = (f"  {json.dumps(name)}: {_rows(rows)}" for name, rows in data.items() if rows)
    return "{\n" + ",\n".join(tables) + "\n}\n"


@lru_cache(maxsize=64)
def laid_out_yaml(text: str) -> str:
    """Formats YAML in block style, below the comment lines that the text begins with.

    Raises ValueError for invalid YAML and duplicate keys: the template is wrong, not the inventory.
    """
    lines = text.splitlines()
    header = [line.removeprefix("# ") for line in takewhile(lambda line: line.startswith("#"), lines)]
    parsed = parse("template", text, Places(SourceMap()))
    if parsed.problems:
        raise ValueError("; ".join(problem.message for problem in parsed.problems))
    return dump_yaml([parsed.data], "\n".join(header))


_LAYOUTS: Mapping[str, Callable[[str], str]] = {"text": str, "json": laid_out, "yaml": laid_out_yaml}


def _rows(rows: dict[str, Any]) -> str:
    lines = (f"    {json.dumps(key)}: {_row(row)}" for key, row in rows.items())
    return "{\n" + ",\n".join(lines) + "\n  }"


def _row(row: Any) -> str:
    """The row on one line, or one field per line if it has many, so that changing one field changes one
    line."""
    if not isinstance(row, dict) or len(row) <= _FIELDS_ON_A_LINE:
        return json.dumps(row)
    return json.dumps(row, indent=2).replace("\n", "\n    ")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) != len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"keys twice: {sorted({key for key in keys if keys.count(key) > 1})}")
    return data
