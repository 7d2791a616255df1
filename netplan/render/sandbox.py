"""Jinja for a site's templates, which are untrusted: they reach nothing but the plan, and their work is
limited.

Jinja's sandbox keeps templates from Python's internals but bounds neither time nor memory. So loops, calls,
includes and printed characters are counted, and the only filters and methods are those whose result is no
larger than what was counted. Sets are ordered, so that output is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from typing import Any

from jinja2 import Environment, StrictUndefined, Template, nodes, pass_context
from jinja2.exceptions import SecurityError
from jinja2.loaders import BaseLoader
from jinja2.runtime import BlockReference, LoopContext, Macro, TemplateReference
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Namespace
from netaddr import IPAddress, IPNetwork

from netplan.model.nos_folder import NosFolder
from netplan.render.site_filters import Meter, filters, ordered, text_method, text_of

MAX_BITS = 4096
"""Maximum size of a number in bits."""
MACRO = 20
"""Steps charged for a macro call, which takes as long as twenty turns of a loop."""
_NETADDR = frozenset({"ip", "prefixlen", "network", "netmask", "hostmask", "broadcast", "cidr", "version"})
_MAPPING = frozenset({"get", "items", "keys", "values"})
_JINJA = (BlockReference, LoopContext, Macro, Namespace, TemplateReference)


class SiteEnvironment(ImmutableSandboxedEnvironment):
    """``meter``: usage of the file being rendered, reset by ``start``. ``sizes``: characters of each
    template, by name."""

    intercepted_binops = frozenset({"+", "*", "**", "%"})

    def __init__(self, loader: BaseLoader) -> None:
        self.meter, self.sizes = Meter(), dict[str | None, int]()
        super().__init__(
            loader=loader,
            undefined=StrictUndefined,
            finalize=_printed,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            optimized=False,
            autoescape=False,
            auto_reload=False,
        )
        self.globals = {"range": self.range, "namespace": Namespace}
        self.filters = filters(self)

    def start(self) -> None:
        self.meter = Meter()

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        self.sizes[name] = len(source)
        return _counted(self, super()._parse(source, name, filename))

    def _load_template(self, name: str, globals: Any) -> Template:
        found = super()._load_template(name, globals)
        self.meter.step(1)
        self.meter.print(self.sizes.get(name, 0))
        return found

    def counted(self, literal: int) -> bool:
        """Charges one turn of a loop whose body has this many literal characters. Always true."""
        self.meter.step(1)
        self.meter.print(literal)
        return True

    def joined(self, *values: Any) -> str:
        """Implements the operator ``~``."""
        texts = [text_of(value) for value in values]
        self.meter.print(sum(map(len, texts)))
        return "".join(texts)

    def ordered(self, values: Any) -> Any:
        return ordered(values)

    def range(self, *bounds: int) -> list[int]:
        numbers = range(*bounds)
        self.meter.step(len(numbers))
        return list(numbers)

    def call(__self, __context: Any, __obj: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N805 - as in Jinja
        __self.meter.step(MACRO if isinstance(__obj, Macro) else 1)
        return super().call(__context, __obj, *args, **kwargs)

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        if operator == "%" and isinstance(left, str):
            raise SecurityError("text cannot be formatted with %; use ~ or format")
        if isinstance(left, str | list | tuple) or isinstance(right, str | list | tuple):
            self.meter.print(_size(operator, left, right))
        elif operator == "**" and (abs(left) > 2**64 or abs(right) > 64):
            raise SecurityError("the power is too large")
        elif sum(one.bit_length() for one in (left, right) if isinstance(one, int)) > MAX_BITS:
            raise SecurityError("the number is too large")
        return super().call_binop(context, operator, left, right)

    def getattr(self, obj: Any, attribute: str) -> Any:
        if isinstance(obj, str):
            method = text_method(self.meter, obj, attribute)
            return self.undefined(obj=obj, name=attribute) if method is None else method
        return super().getattr(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        if isinstance(obj, str) and isinstance(argument, str):
            return self.getattr(obj, argument)
        return super().getitem(obj, argument)

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        return super().is_safe_attribute(obj, attr, value) and _is_known(obj, attr)


def _is_known(obj: Any, attr: str) -> bool:
    if isinstance(obj, IPAddress | IPNetwork):
        return attr in _NETADDR
    if isinstance(obj, Mapping):
        return attr in _MAPPING
    if isinstance(obj, NosFolder):
        return False
    own = is_dataclass(obj) and type(obj).__module__.startswith("netplan.model.")
    return own or isinstance(obj, _JINJA) or type(obj).__module__.startswith("jinja2.")


def _size(operator: str, left: Any, right: Any) -> int:
    """Length of the sum or product of texts or lists."""
    if operator == "*":
        many, times = (right, left) if isinstance(left, int) else (left, right)
        return len(many) * max(times, 0) if isinstance(times, int) else 0
    return sum(len(one) for one in (left, right) if isinstance(one, str | list | tuple))


@pass_context
def _printed(context: Any, value: Any) -> Any:
    text = text_of(value)
    context.environment.meter.print(len(text))
    return text


def _counted(environment: Environment, tree: nodes.Template) -> nodes.Template:
    """Adds the counting calls to loops and to the operator ``~``."""
    for concat in list(tree.find_all(nodes.Concat)):
        concat.nodes = [_call(environment, "joined", concat.nodes, concat)]
    for loop in list(tree.find_all(nodes.For)):
        literal = sum(len(data.data) for node in loop.body for data in _texts(node))
        step = _call(environment, "counted", [nodes.Const(literal)], loop)
        if loop.test is None:
            loop.body.insert(0, nodes.ExprStmt(step))
        else:
            loop.test = nodes.And(step, loop.test)
        loop.iter = _call(environment, "ordered", [loop.iter], loop)
        loop.set_environment(environment)
    return tree


def _call(environment: Environment, name: str, args: Sequence[Any], like: nodes.Node) -> nodes.Expr:
    call = nodes.Call(nodes.EnvironmentAttribute(name), list(args), [], None, None)
    call.set_lineno(like.lineno).set_environment(environment)
    return call


def _texts(node: nodes.Node) -> Iterator[nodes.TemplateData]:
    if isinstance(node, nodes.TemplateData):
        yield node
    yield from node.find_all(nodes.TemplateData)
