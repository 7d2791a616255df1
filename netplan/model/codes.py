"""Permanent codes of the problems that stages themselves find; the codes of checks stand with the checks.

A code is never reused and never renumbered. Areas by hundred: 0 load and schema, 1 identity and references, 2
addressing, 3 VLAN and MTU, 4 QoS, 5 RDMA and SR-IOV, 6 routing, 7 Kubernetes objects, 8 switches, 9
artifacts.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from netplan.diagnostics import Diagnostic, Path, Severity
from netplan.model.rulebook import Code, register

_TEXT = """
NP001 invalid YAML

    Nothing after this point can be parsed.

    **Fix.** Correct the syntax at the position given.

NP002 duplicate key

    YAML parsers silently keep the last one, so one of the two values would be lost.

    **Fix.** Keep one of the two.

NP003 merge keys are not supported

    `<<` hides where a value comes from.

    **Fix.** Write the keys out; ranges and host types say a thing once.

NP004 document too large, too deeply nested, or with too many errors

    Self-referencing and nested aliases grow without bound, and a file with 10,000 wrong values is not an
    inventory. With `validate --rendered` the limits apply to every file read; a file beyond them is not
    checked at all.

    **Fix.** Write the values out; correct the first problems and run again.

NP005 unsupported tag or value

    Tags make YAML build objects; an inventory is plain data.

    **Fix.** Remove the tag, quote the text.

NP006 more than one document in a file

    Only the first would count.

    **Fix.** Put each document into a file of its own, all in one directory.

NP007 top level is not a mapping

    An inventory is a mapping of sections such as `hosts`.

    **Fix.** See `netplan init`.

NP008 more than one site in a directory

    One inventory describes one site.

    **Fix.** Name one file, or give each site a directory.

NP009 alias without an anchor

    The value it stands for is unknown.

    **Fix.** Write the value out.

NP010 unknown key

    A misspelt key would be ignored and its default used.

    **Fix.** Correct the key; `netplan schema` has them all.

NP011 wrong type

    The key does not take a value of this type.

    **Fix.** Write a value of the type named.

NP012 required key missing

    The value cannot be guessed.

    **Fix.** Add the key.

NP013 value not allowed

    The key takes one of a fixed set of values.

    **Fix.** Use one of the values listed.

NP014 wrong format

    Names and addresses end up in device names, YAML and shell commands, so only some characters are allowed.

    **Fix.** Write it in the form described.

NP015 number out of range

    The hardware or the protocol does not support this value.

    **Fix.** Use a number within the bounds given.

NP016 too few or too many entries

    The list or mapping does not have the required length.

    **Fix.** Add or remove entries.

NP017 duplicate entry

    The second adds nothing and is likely a mistake.

    **Fix.** Remove one.

NP019 output directory out of date

    `render --check` found files that differ from what the inventory renders. Text and JSON output list
    them; the other formats report this code.

    **Fix.** Run `netplan render` with the same arguments, and commit what it writes.

NP020 unreadable folder or file in --nos-dir

    Without it the site's own NOS is incomplete, and a shipped NOS of the same name must not silently
    replace it. Files have to be UTF-8 text of at most 1 MiB inside the directory given.

    **Fix.** Correct the file; if the folder is not a NOS, start its name with an underscore.

NP021 unusable template in --nos-dir

    It does not compile, or names a template or variable that does not exist, so nothing can be rendered
    for the NOS.

    **Fix.** Correct the template; docs/nos-folder.md lists variables, filters and methods.

NP022 template in --nos-dir fails to render

    It compiles, but rendering it for a switch of this inventory fails: a missing field, a value that
    cannot be printed, more than 3,000,000 steps, or output that is not valid JSON or YAML.

    **Fix.** Correct the template at the line given.

NP023 unusable readback.yaml or change.yaml in --nos-dir

    It does not match schemas/readback.schema.json or schemas/change.schema.json, or has a pattern that
    does not compile or does not capture what its fact needs. `trace` then cannot follow packets through
    these switches, or `diff` cannot write the commands that change them.

    **Fix.** Correct the pattern; without the file `trace` says that it cannot read the NOS.

NP024 (note) overlay without effect

    Repeated values hide what an overlay is for; null for a key that does not exist is often a misspelling.

    **Fix.** Take it out of the overlay, or correct the key.

NP101 undefined name

    A reference must name something in the inventory or the built-in catalog, or a NOS folder.

    **Fix.** Correct the name or add what it names.

NP102 range cannot be expanded

    The range runs backwards, has no step, or is larger than any fabric.

    **Fix.** Write it as `gpu-[001-128]` or `Ethernet[0-124/4]`.

NP103 overlapping ranges

    One host would have two definitions.

    **Fix.** Make the ranges disjoint; a single name may override a member of a range.

NP104 paired ranges differ in length

    Ranges pair by offset, so every member needs a partner.

    **Fix.** Give both sides the same number of members.

NP105 required value missing after merging

    Neither the range nor the single entry states it.

    **Fix.** State it at the place named.

NP106 link with the wrong keys

    A cable joins a host to a switch (`hosts`, `hca`, `switch`) or two switches (`switches`, `to`,
    `to_ports`).

    **Fix.** Complete one of the two forms.

NP113 (warning) accepted finding does not occur

    Nothing was found at the place the entry names, so the entry would hide the next mistake there.

    **Fix.** Remove the entry, or correct its place.

NP114 (warning) acceptance has expired

    Its `until` is before the date given with `--as-of`, so the finding counts again. Without `--as-of` no
    entry expires: the same input gives the same report every day.

    **Fix.** Correct what was accepted and remove the entry, or renew it with a later date.

NP130 fabric without a name

    `--fabric` renders the switches once for all clusters; the name of the fabric heads their files and owns
    the output directory, whichever clusters are on it.

    **Fix.** State `fabric.name` in the files of the fabric.

NP131 clusters state one thing differently

    A switch runs one QoS, one underlay and one AS number, and its links are the same whoever reads them.

    **Fix.** State it once, in the files of the fabric.

NP132 two clusters claim one thing

    A port takes one cable; a host is in one cluster, with names, MAC and IP addresses of its own.

    **Fix.** Correct one of the two places named.

NP133 one VLAN ID with two meanings on a switch

    Both clusters would be in one broadcast domain, and the switch would have the gateway of one of them.

    **Fix.** Give one of the clusters other VLAN IDs.

NP134 addresses of two clusters overlap

    Both IPAMs would hand out the same addresses, or the switches would announce one prefix from two places.

    **Fix.** Give one of the clusters other addresses; of a subnet they share, each `reserved` what the other
    has.

NP201 invalid address

    The text does not parse as an IPv4 or IPv6 address or range.

    **Fix.** Write the full form: `172.16.0.1`, `172.16.0.0/24`.

NP202 network address with host bits set

    `10.0.0.5/24` is an address on an interface, not a network.

    **Fix.** Write the network address.

NP203 address space too small for its subnets

    The formula that numbers subnets (docs/addresses.md) runs past the end.

    **Fix.** Enlarge the space or lengthen the prefixes as the message says.

NP204 address families or prefix lengths do not match

    `supernets`, `prefixes` and `rail_prefixes` are lists in the same order; `rail_networks` replaces
    `supernets` and `rail_prefixes`.

    **Fix.** Give one prefix length per supernet, or per network of a rail, no shorter than its own.

NP694 (warning) object too large for etcd

    etcd as it ships refuses a request above 1.5 MiB (`etcdserver: request is too large`), the API server a
    ConfigMap with more than 1 MiB of data. A CIDRPool has a line for each node.

    **Fix.** Raise `--max-request-bytes` of etcd, or make several clusters of the site.

NP801 unusable NOS folder

    Its nos.yaml does not match schemas/nos.schema.json, or names a feature, template or row that does not
    exist, so the abilities of the NOS are unknown.

    **Fix.** Correct the nos.yaml of the folder named.

NP901 artifact does not parse

    The program that a file is for cannot parse it. This is a bug in netplan.

    **Fix.** Report it with the inventory.

NP902 artifact does not match its schema

    The API server would drop or reject a field. This is a bug in netplan.

    **Fix.** Report it with the inventory.

NP903 artifacts share a path

    One would overwrite the other. This is a bug in netplan.

    **Fix.** Report it with the inventory.
"""


def _read(text: str) -> dict[str, Code]:
    """One code per unindented line, with its severity unless it is an error; the explanation is indented
    below it."""
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
"""Marks in titles; a title without one is an error."""
CODES = _read(_TEXT)
"""Codes of the stages."""


_SUGGEST_MAX = 20
"""Problems that get a suggestion: comparing with every known name takes milliseconds in a large site."""


@dataclass(slots=True)
class Problems:
    """Collects what a stage finds, so that everything can be reported at once."""

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
