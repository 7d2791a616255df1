"""Names of interfaces that a plugin makes, for NP752."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.reading.kubernetes.fields import FieldFault
from netplan.reading.kubernetes.objects import CONFIG, Thing, listing, mapping
from netplan.reading.kubernetes.placeholders import templated

_MOST = 15
"""Bytes of a name (Linux include/uapi/linux/if.h, IFNAMSIZ is 16 with the end)."""


def long_names(thing: Thing) -> Iterator[FieldFault]:
    """The bridge of a bridge plugin, which makes it if it is not there (containernetworking/plugins 3d27709
    plugins/main/bridge/bridge.go, ensureBridge). A master may be an alternative name, which is longer."""
    config = mapping(thing.texts.get(CONFIG))
    chain = enumerate(listing(config.get("plugins")))
    for at, plugin in [(CONFIG, config), *(((*CONFIG, "plugins", i), mapping(p)) for i, p in chain)]:
        name = plugin.get("bridge")
        if plugin.get("type") != "bridge" or not isinstance(name, str) or templated(name):
            continue
        if len(name.encode()) > _MOST:
            message = f"bridge {name} has {len(name.encode())} characters, an interface has {_MOST} at most"
            yield FieldFault((*at, "bridge"), message, "write a shorter name")
