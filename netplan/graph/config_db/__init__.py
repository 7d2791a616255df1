"""Tables of config_db files joined: the QoS chain of a port, links between switches, the box."""
