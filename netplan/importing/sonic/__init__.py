"""SONiC's config_db to facts: ``switches`` the box, its ports, VLANs and neighbours, ``qos`` its classes."""
