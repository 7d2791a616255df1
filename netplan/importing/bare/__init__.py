"""Hosts before Kubernetes: what their own programs print, and ``collect.sh``, which gathers it.

Each reader makes rows of a file: what is said of a PCI address, an interface or an RDMA device. ``read``
joins the rows of a host by the names that its files give to one function.
"""
