"""Hosts before Kubernetes: output of standard programs, gathered by ``collect.sh``.

Each reader turns a file into rows: what it says about a PCI address, an interface or an RDMA device. ``read``
joins the rows of a host by the names that its files give to the same function.
"""
