"""NOS folders: the built-in ``templates/switch/<nos>/``, overridden by a site's own (``--nos-dir``).

NP101  a NOS without a folder
NP801  a nos.yaml that cannot be used
NP020  a site's folder or file that cannot be read
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
