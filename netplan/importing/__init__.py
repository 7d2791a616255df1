"""Dumps of what is there to an inventory: ``netplan import``.

Readers make facts of texts (``kubernetes``, each fact with its place), ``facts`` joins them by node and
card, ``hosts``, ``rails`` and ``networks`` fold what is equal, ``page`` prints the sections.
Nothing here opens a connection or starts a program, and nothing plans.
"""
