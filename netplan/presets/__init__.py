"""``netplan init --preset``: an inventory for a system that the catalog knows, in a fabric by numbers."""
