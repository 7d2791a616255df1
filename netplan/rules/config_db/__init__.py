"""Rules for config_db files; importing the package registers them."""

from netplan.rules.config_db import (  # noqa: F401  importing a module registers its rules
    agreement,
    buffers,
    chain,
    fabric,
    hops,
    identities,
    interfaces,
    links,
    lossless,
    neighbours,
    own_addresses,
    pools,
    ports,
    queues,
    references,
    rows,
    sessions,
    texts,
    values,
    vlans,
)
