"""Reads each text with the reader for its content, and collects the facts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain

from netplan.diagnostics import Diagnostic
from netplan.importing.bare.read import empty_files, read_hosts
from netplan.importing.cabling_csv import read_cabling
from netplan.importing.clusters import two_clusters
from netplan.importing.domain_names import domain_notes
from netplan.importing.facts import Fact, Kind, Remark, Site
from netplan.importing.fits import misfit
from netplan.importing.kubernetes.objects import objects_of
from netplan.importing.kubernetes.read import object_facts, operators_networks
from netplan.importing.launch_kit import read_launch_kit
from netplan.importing.launch_kit_pools import assumed
from netplan.importing.lldp import Heard, read_json, read_printed
from netplan.importing.lldp_switch import read_switch_json
from netplan.importing.netbox.nics import Nic, nic_facts
from netplan.importing.netbox.read import read_netbox
from netplan.importing.recognise import PROGRAMS, Source, recognised
from netplan.importing.sonic.read import read_config_db
from netplan.importing.spelling import heard_as, respelled, spellings
from netplan.importing.switch_text import read_texts
from netplan.importing.unheaded import lacks
from netplan.model.document import Places
from netplan.reading.printed import printed


@dataclass(slots=True)
class Gathered:
    """The result of reading. ``notes``: how names were joined. ``broken``: why files were not read.
    ``clusters``: why they are not of one cluster.

    ``useful``: files with anything of use; ``idle``: those without that need no other word; ``objects``:
    files of Kubernetes objects; ``configs``: switch -> files of its running configuration; ``heard``:
    neighbours, by file; ``nics``: recorded interfaces of hosts; ``spelled``: name -> as an inventory has it;
    ``texts``: of the files, without what a terminal shows around them."""

    site: Site = field(default_factory=Site)
    remarks: list[Remark] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    clusters: str = ""
    problems: list[Diagnostic] = field(default_factory=list)
    useful: list[str] = field(default_factory=list)
    idle: list[str] = field(default_factory=list)
    objects: list[str] = field(default_factory=list)
    configs: dict[str, tuple[str, ...]] = field(default_factory=dict)
    heard: dict[str, tuple[Heard, ...]] = field(default_factory=dict)
    nics: list[Nic] = field(default_factory=list)
    spelled: dict[str, str] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)

    def take(self, *files: str, found: Iterable[Fact | Remark], problems: Iterable[Diagnostic]) -> None:
        said: list[Fact] = []
        for fact in found:
            remark = fact if isinstance(fact, Remark) else misfit(fact)
            if remark is not None:
                self.remarks.append(remark)
            elif isinstance(fact, Fact):
                said.append(fact)
        self.site.add(said)
        self.problems += problems
        if said:
            self.useful += files

    def unread(self, files: Iterable[str], broken: Iterable[str]) -> tuple[str, ...]:
        """Those that were of no use, and that nothing else is said about."""
        known = {*self.useful, *self.idle}
        told = [*broken]
        left = (file for file in files if file not in known)
        return tuple(file for file in left if not any(why.startswith(f"{file}:") for why in told))


def gather(texts: Mapping[str, str], places: Places) -> Gathered:
    """Facts of all files; neighbours become cables once the cards are known. Never raises because of a text's
    content."""
    gathered = Gathered()
    by_kind: dict[Source, dict[str, str]] = {}
    asked: dict[str, str] = {}
    for file, text in texts.items():
        shown = printed(text)
        kind = recognised(shown.text)
        session = kind == "lldp_printed"  # its prompts say whose each part is
        by_kind.setdefault(kind, {})[file] = gathered.texts[file] = text if session else shown.text
        asked |= {file: shown.name} if shown.name and not session else {}
    for kind, read in READERS.items():
        if kind in by_kind:
            read(gathered, by_kind[kind], places)
    _hosts(gathered, by_kind, places)
    gathered.take(found=nic_facts(gathered.nics, gathered.site), problems=())
    gathered.heard = {
        file: tuple(heard.asked_by(asked.get(file, "")) for heard in gathered.heard[file])
        for file in texts
        if file in gathered.heard
    }
    _spell(gathered)
    return gathered


def _spell(gathered: Gathered) -> None:
    """With the names that an inventory can have."""
    gathered.spelled = spelled = spellings(gathered.site, chain.from_iterable(gathered.heard.values()))
    if spelled:
        gathered.site = respelled(gathered.site, spelled)
        gathered.configs = {spelled.get(name, name): files for name, files in gathered.configs.items()}
        gathered.heard = {file: heard_as(parts, spelled) for file, parts in gathered.heard.items()}


def _objects(gathered: Gathered, texts: Mapping[str, str], places: Places) -> None:
    dumps = {file: objects_of(file, text, places) for file, text in texts.items()}
    things = [thing for dump in dumps.values() for thing in dump.things]
    operated = operators_networks(things)
    for file, dump in dumps.items():
        found = (fact for thing in dump.things for fact in object_facts(thing, operated))
        gathered.take(file, found=found, problems=dump.problems)
    gathered.site.add(_nodes_of_cards(gathered.site))
    gathered.clusters = two_clusters(things)
    cut = "ends before its kind: the dump is cut off; make it again, a part would be mistaken for all"
    gathered.broken += [f"{file}: a list {cut}" for file, dump in dumps.items() if dump.cut]
    gathered.objects += [file for file, dump in dumps.items() if dump.things]


def _nodes_of_cards(site: Site) -> list[Fact]:
    """Nodes that the states of their cards alone name, so that other files can be of them."""
    cards = {of[0]: site.fields("card", of) for of in site.every("card")}
    bare = {name: fields for name, fields in cards.items() if not site.fields("node", (name,)) and fields}
    return [
        Fact("node", (name,), "seen", True, next(iter(fields.values())).at) for name, fields in bare.items()
    ]


def _config_db(gathered: Gathered, texts: Mapping[str, str], places: Places) -> None:
    found = read_config_db(texts, places)
    read = {texts[file] for file in found.used if file in texts}
    used = {*found.used, *(file for file in texts if texts[file] in read)}  # a copy is not merged again
    gathered.take(*sorted(used), found=found.facts, problems=found.problems)
    gathered.configs |= found.files


def _switch_texts(gathered: Gathered, texts: Mapping[str, str], places: Places) -> None:
    read = read_texts(texts, places)
    files = [name for names in read.files.values() for name in names]
    gathered.take(*files, found=read.found, problems=())
    gathered.broken += read.broken
    gathered.configs |= read.files


def _launch_kit(gathered: Gathered, texts: Mapping[str, str], places: Places) -> None:
    for file, text in texts.items():
        config = read_launch_kit(file, text, places)
        found = assumed(config.found, gathered.site)
        gathered.take(file, found=found, problems=config.problems)


def _lldp(gathered: Gathered, texts: Mapping[str, str], places: Places) -> None:
    gathered.heard |= {file: (read_json(file, text, places),) for file, text in texts.items()}


def _lldp_switches(gathered: Gathered, texts: Mapping[str, str], places: Places) -> None:
    gathered.heard |= {file: (read_switch_json(file, text, places),) for file, text in texts.items()}


def _lldp_printed(gathered: Gathered, texts: Mapping[str, str], places: Places) -> None:
    heard = {file: read_printed(file, text, places) for file, text in texts.items()}
    cut = 'a table of LLDP neighbours ends before "Total entries displayed", cables may be missing'
    gathered.broken += [f"{file}: {cut}" for file, parts in heard.items() if any(one.cut for one in parts)]
    gathered.heard |= heard


def _hosts(gathered: Gathered, texts: Mapping[Source, Mapping[str, str]], places: Places) -> None:
    programs = {str(kind): files for kind, files in texts.items() if kind in PROGRAMS}
    nodes = [of[0] for of in gathered.site.every("node")]
    read = read_hosts(programs, nodes, places, gathered.site)
    gathered.take(*read.used, found=read.found, problems=read.problems)
    gathered.idle += [*read.idle, *empty_files(texts.get("kubernetes", {}), read.used)]


def _netbox(gathered: Gathered, texts: Mapping[str, str], places: Places) -> None:
    hosts, switches = ([of[0] for of in gathered.site.every(kind)] for kind in _IN_TABLES)
    read = read_netbox(texts, hosts, places, switches)
    gathered.notes += domain_notes(read.called)
    gathered.take(*read.used, found=read.found, problems=read.problems)
    gathered.nics += read.nics


def _cabling(gathered: Gathered, texts: Mapping[str, str], places: Places) -> None:
    hosts, switches = ([of[0] for of in gathered.site.every(kind)] for kind in _IN_TABLES)
    for file, text in texts.items():
        found = [*read_cabling(file, text, places, hosts, switches)]
        gathered.nics += (each for each in found if isinstance(each, Nic))
        gathered.take(file, found=(each for each in found if not isinstance(each, Nic)), problems=())


_IN_TABLES: tuple[Kind, ...] = ("node", "switch")


def _unheaded(gathered: Gathered, texts: Mapping[str, str], places: Places) -> None:
    gathered.broken += [f"{file}: {lacks(text)}" for file, text in texts.items()]


READERS: Mapping[Source, Callable[[Gathered, Mapping[str, str], Places], None]] = {
    "kubernetes": _objects,
    "config_db": _config_db,
    "switch_text": _switch_texts,
    "launch_kit": _launch_kit,
    "netbox": _netbox,
    "cabling": _cabling,
    "lldp": _lldp,
    "lldp_switch": _lldp_switches,
    "lldp_printed": _lldp_printed,
    "unheaded": _unheaded,
}
"""Readers by kind of file; in this order, so that the first place of equal values is reported."""
