"""Turns SONiC's config_db into facts: ``switches`` the switch, its ports, VLANs and neighbours, ``qos`` its
classes."""
