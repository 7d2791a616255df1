"""What NetBox and Nautobot have on record: pages of their REST API, or lists of pynetbox and pynautobot."""
