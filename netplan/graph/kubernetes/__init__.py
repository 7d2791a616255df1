"""Objects joined as Multus, device plugins and operators join them. Start with ``cluster``."""
