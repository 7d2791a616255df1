"""The routing part of ``rail-routes.sh``: what its ``ip`` commands do to the pod's network state.

Not a shell: it follows functions, positional parameters, ``for prefix; do``, assignments, ``ip route`` and
``ip rule``. Nothing else in the script adds or removes a route.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from functools import lru_cache
from ipaddress import ip_address, ip_network

from netplan.trace.linux import MAIN, KernelRoute, Namespace, Prefix, default_route

_FUNCTION = re.compile(r"([a-z_]+)\(\) \{\Z")
_ASSIGNMENT = re.compile(r"([a-z]+)=(\S*)\Z")
_PARAMETER = re.compile(r"\$(?:\{)?([a-z]+|\d)(?:\})?")
_LINK = re.compile(r'set -- \$\(link "\$own" (first|last)\)\Z')
_CHANGES = re.compile(
    r"\b(?:route (?:add|append|change|replace|del|flush)|rule (?:add|del|flush)|"
    r"(?:link|addr\w*) (?:set|add|del|flush|replace)) "
)
_READS = re.compile(r"ip (-\S+ )*(link|addr|address|route|rule|neigh) (show|get|list)\b")
_TESTED = re.compile(r"\[ [^]]+ \] \|\| ([a-z_]+) ")
"""A test, and the function that ends the script if it fails."""
_FLOW = ("for ", "shift ", "while ")
_OWN = re.compile(r"own=\$\(address ([46]) (\S+)\)\Z")


class ScriptError(Exception):
    """A routing command of the script is not understood."""


def run_script(text: str, space: Namespace) -> None:
    """Run the script's routing commands. Raises ScriptError."""
    _Script(text, space).run()


def changes_routes(text: str) -> bool:
    """Whether a text is a script that sets up routes."""
    return "\n" in text and _CHANGES.search(text) is not None


def unread(text: str) -> Iterator[tuple[int, str]]:
    """(line number, line) for lines whose effect on the pod's network is not known: outside functions
    everything except calls, in functions that change the network everything except assignments and loops."""
    bodies = dict(_bodies(text))
    changing = {name for name, lines in bodies.items() if any(_CHANGES.search(line) for _, line in lines)}
    for name, lines in bodies.items():
        for number, line in lines:
            if (not name or name in changing) and not _known(line, bodies):
                yield number, line


def _known(line: str, functions: Mapping[str, object]) -> bool:
    words = _words(line)
    if (tested := _TESTED.match(line)) and tested[1] in functions:
        return True
    if line == "done" or line.startswith(_FLOW) or _OWN.match(line) or _LINK.match(line):
        return True
    if not words or words[0] in ("set", "echo") or words[0] in functions:
        return bool(words)
    if all(_ASSIGNMENT.match(word) for word in words):
        return True
    command = " ".join(words)
    return words[0] == "ip" and bool(_READS.match(command) or words[2:4] in _FOLLOWED)


_FOLLOWED = (
    *(("route", verb) for verb in ("replace", "del", "flush")),
    *(("rule", verb) for verb in ("add", "del")),
)
"""Commands that trace follows; every other command that changes something it does not."""


class _Script:
    def __init__(self, text: str, space: Namespace) -> None:
        self.space = space
        self.functions, self.body = _parts(text)

    def run(self) -> None:
        positional: list[str] = []
        own = ""
        for line in self.body:
            if match := _OWN.match(line):
                own = self._address(int(match[1]), match[2])
            elif match := _LINK.match(line):
                positional = _link(own, match[1])
            else:
                self._line(line, {}, positional)

    def _address(self, version: int, interface: str) -> str:
        owned = [o for o in self.space.addresses.get(interface, ()) if o.ip.version == version]
        if not owned:
            raise ScriptError(f"{interface} has no IPv{version} address")
        return f"{owned[0].ip}/{owned[0].prefix.prefixlen}"

    def _call(self, name: str, arguments: list[str]) -> None:
        """Run a function's body. In ``for prefix; do`` the loop runs over what ``shift`` left."""
        variables: dict[str, str] = {}
        positional = list(arguments)
        lines = iter(self.functions[name])
        for line in lines:
            if line.startswith("shift "):
                positional = positional[int(line.split()[1]) :]
            elif match := re.match(r"for ([a-z]+); do\Z", line):
                body = _until_done(lines)
                for value in positional:
                    for inner in body:
                        self._line(inner, {**variables, match[1]: value}, positional)
            else:
                self._line(line, variables, positional)

    def _line(self, line: str, variables: dict[str, str], positional: list[str]) -> None:
        words = [_filled(word, variables, positional) for word in _words(line)]
        if not words:
            return
        if all(_ASSIGNMENT.match(word) for word in words):
            variables |= {name: value for name, _, value in (word.partition("=") for word in words)}
        elif words[0] in self.functions:
            if any(_CHANGES.search(inner) for inner in self.functions[words[0]]):
                self._call(words[0], words[1:])
        elif words[:1] == ["while"]:
            self._command(words[1:])
        elif words[0] == "ip":
            self._command(words)

    def _command(self, words: list[str]) -> None:
        """``ip -4 route replace ...``; only commands that change rules and routes."""
        try:
            match words[2:4]:
                case ["route", "replace" | "del" | "flush"]:
                    self._route(words[3], words[4:], int(words[1].lstrip("-")))
                case ["rule", "add" | "del"]:
                    self._rule(words[3], _options(words[4:]), int(words[1].lstrip("-")))
        except (KeyError, ValueError, IndexError) as error:
            raise ScriptError(f"not understood: {' '.join(words)}") from error

    def _route(self, verb: str, words: list[str], version: int) -> None:
        unreachable = words[0] == "unreachable"
        words = words[1:] if unreachable else words
        if verb == "flush":
            self.space.flush(int(_options(words)["table"]), version)
            return
        options = _options(words[1:])
        dst: Prefix = default_route(version) if words[0] == "default" else ip_network(words[0], strict=False)
        named = options.get("table", "main")
        table = MAIN if named == "main" else int(named)
        via = ip_address(options["via"]) if "via" in options else None
        route = KernelRoute(
            dst=dst,
            dev=None if unreachable else options["dev"],
            via=via,
            metric=int(options.get("metric", "0")),
        )
        if verb == "replace":
            self.space.replace_route(route, table)
        else:
            self.space.tables[table] = [
                r for r in self.space.table(table) if (r.dst, r.via, r.dev) != (dst, via, route.dev)
            ]

    def _rule(self, verb: str, options: Mapping[str, str], version: int) -> None:
        if verb == "del":
            self.space.del_rules(int(options["pref"]), version)
            return
        source = ip_network(options["from"], strict=False)
        self.space.add_rule(source, int(options["lookup"]), int(options["pref"]))


def _parts(text: str) -> tuple[dict[str, list[str]], list[str]]:
    """Function bodies, and the lines outside them, without indentation and comments."""
    functions = {name: [line for _, line in lines] for name, lines in _bodies(text)}
    body = functions.pop("")
    return functions, body


def _bodies(text: str) -> Iterator[tuple[str, list[tuple[int, str]]]]:
    """(function name, numbered lines); the name is empty for lines outside functions."""
    found: dict[str, list[tuple[int, str]]] = {"": []}
    into = ""
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if match := _FUNCTION.match(raw):
            into = match[1]
            found.setdefault(into, [])
        elif raw == "}":
            into = ""
        elif line and not line.startswith("#"):
            found[into].append((number, line))
    yield from found.items()


@lru_cache(maxsize=512)
def _words(line: str) -> tuple[str, ...]:
    """Up to the first redirection or operator."""
    try:
        words = shlex.split(line)
    except ValueError:
        return ()
    ends = (i for i, word in enumerate(words) if word[:1] in "|&;>" or word.startswith("2>"))
    return tuple(words[: next(ends, len(words))])


def _filled(word: str, variables: Mapping[str, str], positional: list[str]) -> str:
    def value(match: re.Match[str]) -> str:
        name = match[1]
        if name.isdigit():
            return positional[int(name) - 1] if 0 < int(name) <= len(positional) else ""
        return variables.get(name, match[0])

    return _PARAMETER.sub(value, word)


def _until_done(lines: Iterator[str]) -> list[str]:
    body: list[str] = []
    for line in lines:
        if line == "done":
            break
        body.append(line)
    return body


def _options(words: list[str]) -> dict[str, str]:
    return dict(zip(words[::2], words[1::2], strict=True))


def _link(own: str, end: str) -> list[str]:
    """Subnet and far end of a routed link, computed as the script's own function does."""
    network = ip_network(own, strict=False)
    if network.num_addresses < 4:
        return [str(network), str(network[0])]
    return [str(network), str(network[1] if end == "first" else network[-2])]
