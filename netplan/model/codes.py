"""Permanent codes of the problems that stages find by themselves; the codes of checks stand with the checks.

A code is never reused and never renumbered. Areas by hundred: 0 load and schema, 1 identity and references,
2 addressing, 3 VLAN and MTU, 4 QoS, 5 RDMA and SR-IOV, 6 routing, 7 Kubernetes objects, 8 switches, 9
artifacts.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from netplan.diagnostics import Diagnostic, Path, Severity
from netplan.model.rulebook import Code, register

_TEXT = """
NP001 the text is not YAML

    The file cannot be read on from here.

    **Fix.** Correct the syntax at the position given.

NP002 a key appears twice

    YAML readers keep the last one in silence, so one of two values would be lost.

    **Fix.** Keep one of the two places named.

NP003 merge keys are not supported

    `<<` hides where a value comes from.

    **Fix.** Write the keys out; ranges and host types say a thing once.

NP004 the document is too large, too deep or wrong too often

    An alias that contains itself, or aliases of aliases, grow without bound; 10,000 wrong values are no
    inventory. With `validate --rendered` the limits hold for every file that is read; nothing of such a file
    was checked.

    **Fix.** Write the values out; correct the first problems and run again.

NP005 a tag or value that an inventory cannot hold

    Tags make YAML build objects; an inventory is plain data.

    **Fix.** Remove the tag, quote the text.

NP006 several documents in one file

    Only the first would count.

    **Fix.** Put them into files of one directory.

NP007 the top level is not a mapping

    An inventory is a mapping of sections such as `hosts`.

    **Fix.** See `netplan init`.

NP008 several sites in one directory

    One inventory describes one site.

    **Fix.** Name one file, or give each site a directory.

NP009 an alias without its anchor

    The value it stands for is unknown.

    **Fix.** Write the value out.

NP010 unknown key

    A misspelt key would be ignored and its default used.

    **Fix.** Correct the key; `netplan schema` has them all.

NP011 wrong type

    The value is of another kind than the key takes.

    **Fix.** Write a value of the kind named.

NP012 a required key is missing

    The value cannot be guessed.

    **Fix.** Add the key.

NP013 not one of the allowed values

    The word means nothing here.

    **Fix.** Take one of the words listed.

NP014 the text has the wrong form

    Names and addresses end up in device names, YAML and shell; their alphabet is closed on purpose.

    **Fix.** Write it in the form described.

NP015 the number is out of range

    Hardware or protocol has no such value.

    **Fix.** Take a number within the bounds given.

NP016 too few or too many entries

    The list or mapping has another length than it needs.

    **Fix.** Add or remove entries.

NP017 an entry appears twice

    The second adds nothing and is likely a mistake.

    **Fix.** Remove one.

NP019 the output directory is not up to date

    `render --check` was asked whether the files are those of the inventory. Text and JSON list them; the
    other formats report this.

    **Fix.** Run `netplan render` with the same arguments, and commit what it writes.

NP020 a folder or file of --nos-dir that cannot be read

    Without it the NOS is not the one that the site means, and the shipped one of the same name must not take
    its place unseen. Files have to be UTF-8 text of at most 1 MiB inside the directory given.

    **Fix.** Correct the file; a folder that is no NOS gets a name that begins with an underscore.

NP021 a template of --nos-dir that cannot be used

    It does not compile, or names a template or variable that is not there, so the NOS has no files.

    **Fix.** Correct the template; docs/nos-folder.md lists variables, filters and methods.

NP022 a template of --nos-dir that fails

    It compiles, and printing it for a switch of this inventory does not end in a file: a field that is not
    there, a value that has no text, more than 3,000,000 steps, output that is not the JSON or YAML it should
    be.

    **Fix.** Correct the template at the line given.

NP023 a readback.yaml or change.yaml of --nos-dir that cannot be used

    It breaks schemas/readback.schema.json or schemas/change.schema.json, or has a pattern that does not
    compile or does not give what its fact holds, so `trace` could not follow packets through these switches,
    or `diff` could not write what changes them.

    **Fix.** Correct the pattern; without the file `trace` says that it cannot read the NOS.

NP024 (note) an overlay that changes nothing

    What an overlay repeats hides what it is for; null for a key that is not there is often a misspelt key.

    **Fix.** Take it out of the overlay, or correct the key.

NP101 a name that does not exist

    A reference must name something of the inventory, the built-in catalog or a NOS folder.

    **Fix.** Correct the name or add what it names.

NP102 a range that cannot be expanded

    The range runs backwards, has no step, or is larger than any fabric.

    **Fix.** Write it as `gpu-[001-128]` or `Ethernet[0-124/4]`.

NP103 two ranges give the same name

    One host would have two definitions.

    **Fix.** Make the ranges disjoint; a single name may merge over a range.

NP104 both sides of a range differ in length

    Ranges pair by offset, so every member needs a partner.

    **Fix.** Give both sides the same number of members.

NP105 a value is missing after merging

    Neither the range nor the single entry states it.

    **Fix.** State it at the place named.

NP106 a link names the wrong pair of keys

    A cable joins a host to a switch (`hosts`, `hca`, `switch`) or two switches (`switches`, `to`,
    `to_ports`).

    **Fix.** Complete one of the two forms.

NP113 (warning) an accepted finding is not there

    Nothing was found at the place the entry names, so it would hide the next mistake made there.

    **Fix.** Remove the entry, or correct its place.

NP114 (warning) an acceptance has run out

    Its `until` lies before the date given with `--as-of`, so the finding counts again. Without `--as-of` no
    entry runs out: the same input gives the same report on every day.

    **Fix.** Correct what was accepted and remove the entry, or decide again and give it a later date.

NP130 a fabric without a name

    `--fabric` renders the switches once for all clusters; the name of the fabric heads their files and owns
    the output directory, whichever clusters are on it.

    **Fix.** State `fabric.name` in the files of the fabric.

NP131 clusters state one thing differently

    A switch runs one QoS, one underlay and one AS number, and its links are the same whoever reads them.

    **Fix.** State it once, in the files of the fabric.

NP132 two clusters claim one thing

    A port takes one cable; a host is in one cluster, with names, MAC and IP addresses of its own.

    **Fix.** Correct one of the two places named.

NP133 one VLAN id with two meanings on a switch

    Both clusters would be in one broadcast domain, and the switch would have the gateway of one of them.

    **Fix.** Give one of the clusters other VLAN ids.

NP134 addresses of two clusters overlap

    Both IPAMs would hand out the same addresses, or the switches would announce one prefix from two places.

    **Fix.** Give one of the clusters other addresses; of a subnet they share, each `reserved` what the other
    has.

NP201 not an address

    The text does not parse as an IPv4 or IPv6 address or range.

    **Fix.** Write the full form: `172.16.0.1`, `172.16.0.0/24`.

NP202 a network with host bits

    `10.0.0.5/24` is an address on an interface, not a network.

    **Fix.** Write the network address.

NP203 an address space too small for its subnets

    The formula that numbers subnets (docs/addresses.md) runs past the end.

    **Fix.** Enlarge the space or lengthen the prefixes; the numbers needed are in the message.

NP204 address families or lengths do not fit together

    `supernets`, `prefixes` and `rail_prefixes` are lists in the same order.

    **Fix.** Give one prefix length for each supernet, not shorter than the supernet's.

NP801 a NOS folder that cannot be used

    Its nos.yaml breaks schemas/nos.schema.json, or names a feature, template or row that is not there, so
    what the NOS can do is unknown.

    **Fix.** Correct the nos.yaml of the folder named.

NP901 an artifact does not parse

    What netplan wrote cannot be read by the program it is for. This is a bug in netplan.

    **Fix.** Report it with the inventory.

NP902 an artifact breaks its schema

    The API server would drop or refuse a field. This is a bug in netplan.

    **Fix.** Report it with the inventory.

NP903 two artifacts have the same path

    One would overwrite the other. This is a bug in netplan.

    **Fix.** Report it with the inventory.
"""


def _read(text: str) -> dict[str, Code]:
    """One code per unindented line, with its severity if not error; its explanation indented below it."""
    found: dict[str, tuple[str, list[str]]] = {}
    for line in text.strip().splitlines():
        if line.startswith("NP"):
            code, title = line.split(" ", 1)
            body: list[str] = []
            found[code] = (title, body)
        else:
            body.append(line.removeprefix("    "))
    return {code: register(_code(code, title, "\n".join(body))) for code, (title, body) in found.items()}


def _code(code: str, title: str, text: str) -> Code:
    word, _, rest = title.partition(" ")
    severity = _SEVERITIES.get(word, Severity.ERROR)
    title = rest if word in _SEVERITIES else title
    return Code(code=code, title=title, severity=severity, kind="stage", text=text)


_SEVERITIES = {"(warning)": Severity.WARNING, "(note)": Severity.INFO}
"""A title that begins otherwise is an error's."""
CODES = _read(_TEXT)
"""Those of the stages."""


_SUGGEST_MAX = 20
"""Problems that get a suggestion: it is a comparison with every known name, milliseconds in a large site."""


@dataclass(slots=True)
class Problems:
    """Collects what a stage finds, so that it can report everything at once."""

    found: list[Diagnostic] = field(default_factory=list)

    def add(self, code: str, path: Path, message: str, hint: str = "") -> None:
        self.found.append(Diagnostic(code, CODES[code].severity, path, message, hint))

    def unknown(self, path: Path, kind: str, name: str, known: Collection[str]) -> None:
        """NP101 with a suggestion."""
        hint = f"correct the name, or define the {kind}"
        if len(self.found) < _SUGGEST_MAX:
            hint = self.nearest(name, known, f"known: {', '.join(sorted(known)[:12]) or 'none'}")
        self.add("NP101", path, f"{kind} {name} does not exist", hint)

    def nearest(self, name: str, known: Collection[str], otherwise: str) -> str:
        """A hint: the known name closest to a wrong one, if any is close."""
        import difflib

        if len(self.found) >= _SUGGEST_MAX:
            return otherwise
        close = difflib.get_close_matches(name, list(known), n=1)
        return f"did you mean {close[0]}?" if close else otherwise
