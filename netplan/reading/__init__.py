"""Readers: text to facts, each with its file and line. A reader judges nothing.

``kubernetes``: objects of YAML files; ``switches``: CLI text and JSON of any NOS, by rules that are data
of its folder; ``config_db``: tables of SONiC's config_db files.
"""
