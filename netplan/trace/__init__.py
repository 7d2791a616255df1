"""Walks through rendered files: where a packet between two pods goes, and what it meets on the way."""

from netplan.trace.cabling import read_cables
from netplan.trace.data import matrix_data, trace_data
from netplan.trace.draw import matrix_lines, trace_lines
from netplan.trace.ends import walks_between, workloads_named
from netplan.trace.matrix import Matrix, Tabulator
from netplan.trace.model import HostHca, TraceError, TraceHost, Verdict, Walk, Walks
from netplan.trace.site import Site
from netplan.trace.tree import load_tree

__all__ = [
    "HostHca",
    "Matrix",
    "Site",
    "Tabulator",
    "TraceError",
    "TraceHost",
    "Verdict",
    "Walk",
    "Walks",
    "load_tree",
    "matrix_data",
    "matrix_lines",
    "read_cables",
    "trace_data",
    "trace_lines",
    "walks_between",
    "workloads_named",
]
