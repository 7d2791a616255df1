"""Switch files: each template of the NOS folder, printed with one SwitchPlan."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import Any

from netplan.diagnostics import Diagnostic
from netplan.model.artifact import Artifact
from netplan.model.document import Places, SourceMap
from netplan.model.nos import NosOutput, NosProfile
from netplan.model.switching import SwitchPlan
from netplan.nos import switch_folder
from netplan.render.alike import Shape, Shapes, Subject
from netplan.render.dump import dump_yaml
from netplan.render.jinja import environment
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
) -> Iterator[Artifact]:
    """``switches/<switch>/<file>`` for every output of the switch's NOS that the switch has use for.

    ``problems``: gets what is wrong with templates of a site; one that ships and is wrong raises.
    """
    found = [] if problems is None else problems
    printers = {name: _printer(nos[name], site, found) for name in sorted({plan.nos for plan in plans})}
    shapes = Shapes()
    for plan in plans:
        shape, subject = shapes.of(plan)
        for output in nos[plan.nos].outputs:
            if not _needed(plan, output.needs):
                continue
            text = printers[plan.nos](output, shape, subject)
            if text is not None:
                yield Artifact(
                    path=f"{KIND}/{plan.name}/{output.file}",
                    text=text,
                    kind=KIND,
                    entities=(f"{KIND}.{plan.name}",),
                )


def render_sources(
    plans: Sequence[SwitchPlan], nos: Mapping[str, NosProfile], site: str
) -> Iterator[Artifact]:
    """``switches/README.md``: the sources of each NOS, once for the site; it does not name the switches."""
    profiles = [nos[name] for name in sorted({plan.nos for plan in plans})]
    if profiles:
        template = environment(switch_folder()).get_template("sources.md.j2")
        text = template.render(profiles=profiles, site=site)
        yield Artifact(path=f"{KIND}/README.md", text=text, kind=KIND, entities=("switch_types",))


Printer = Callable[[NosOutput, Shape, Subject], str | None]


def _printer(nos: NosProfile, site: str, problems: list[Diagnostic]) -> Printer:
    """The NOS's own folder comes before the one all NOSes share. Templates of a site print each switch by
    itself: theirs may do with a value what they like."""

    def names(of: Subject) -> dict[str, Any]:
        return {"switch": of.plan, "page": of.page, "nos": nos, "form": of.plan.release.forms, "site": site}

    if nos.folder.own:
        own = SitePrinter(nos, problems)
        return lambda output, _, of: own.text(output, names(of), lambda text: _signed(output, nos, text))
    env = environment(nos.folder.path, nos.folder.path.parent)

    def text(output: NosOutput, shape: Shape, subject: Subject) -> str:
        def made(of: Subject) -> str:
            return _LAYOUTS[output.format](env.get_template(output.template).render(names(of)))

        return shape.text(output.file, subject, made) if _fills(output, subject) else made(subject)

    return text


def _fills(output: NosOutput, subject: Subject) -> bool:
    """Whether own values stand in the file as they are; YAML quotes some of them."""
    return output.format == "text" or (output.format == "json" and subject.unescaped)


def _signed(output: NosOutput, nos: NosProfile, text: str) -> str:
    """Laid out; a README says below its heading whose templates these are, whatever its template prints."""
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
    """JSON with one row (of a long row: one field) per line; of a list, one entry.

    In the template's JSON a comma may stand before a closing bracket, so that loops stay simple.
    Raises ValueError for text that is no JSON or has a key twice: a template is wrong, not the inventory.
    Switches of one kind have the same QoS file, hence the cache.
    """
    data = json.loads(_LAST_COMMA.sub("", text), object_pairs_hook=_unique)
    if isinstance(data, list):
        return "[\n" + ",\n".join(f"  {json.dumps(entry)}" for entry in data) + "\n]\n"
    if not isinstance(data, dict) or not all(isinstance(rows, dict) for rows in data.values()):
        raise ValueError("it is neither a list nor tables of rows")
    tables = (f"  {json.dumps(name)}: {_rows(rows)}" for name, rows in data.items() if rows)
    return "{\n" + ",\n".join(tables) + "\n}\n"


@lru_cache(maxsize=64)
def laid_out_yaml(text: str) -> str:
    """YAML in block style, under the comment lines the text begins with.

    Raises ValueError for text that is no YAML or has a key twice: a template is wrong, not the inventory.
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
    """On one line, unless it is a map of its own: then a change of one field is a change of one line."""
    if not isinstance(row, dict) or len(row) <= _FIELDS_ON_A_LINE:
        return json.dumps(row)
    return json.dumps(row, indent=2).replace("\n", "\n    ")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) != len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"keys twice: {sorted({key for key in keys if keys.count(key) > 1})}")
    return data
