"""``netplan import``: an inventory from dumps of an existing site.

Readers turn texts into facts, each with its place (``kubernetes``, ...); ``facts`` joins them by node and
card; ``hosts``, ``rails`` and ``networks`` fold what is equal; ``page`` prints the sections. Nothing here
opens a connection, starts a program or plans.
"""
