"""``netplan init --preset``: an inventory for a system of the catalog, with a fabric sized for it."""
