"""Records of NetBox and Nautobot: pages of their REST API, or lists of pynetbox and pynautobot."""
