"""Pages and pictures: ``netplan report``, one HTML page, and ``netplan graph``, the topology alone.

``content`` (all data of the page) from ``topology``, ``chain``, ``buffers``, ``capacity``, ``reach``,
``changed`` and ``work``; ``html`` (the file, from ``templates/page/``); ``graphs`` (a module per format).
"""
