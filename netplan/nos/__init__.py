"""NOS folders: those that ship, ``templates/switch/<nos>/``, and over them those of a site (``--nos-dir``).

NP101  a NOS that is no folder
NP801  a nos.yaml that cannot be used
NP020  a folder or file of a site that cannot be read
"""

from netplan.nos.library import NosLibrary, available, load_nos, shipped, switch_folder, text_of
from netplan.nos.own import NosDirError, with_own
from netplan.nos.read import DataFile

__all__ = [
    "DataFile",
    "NosDirError",
    "NosLibrary",
    "available",
    "load_nos",
    "shipped",
    "switch_folder",
    "text_of",
    "with_own",
]
