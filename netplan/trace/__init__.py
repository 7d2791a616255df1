"""Walks packets between two pods through the rendered files: the path, and what happens on it."""

from netplan.trace.data import matrix_data, trace_data
from netplan.trace.draw import matrix_lines, trace_lines
from netplan.trace.ends import walks_between, workloads_named
from netplan.trace.matrix import Matrix, Tabulator
from netplan.trace.model import TraceError, Verdict, Walk, Walks
from netplan.trace.site import TracedSite
from netplan.trace.tree import beside, is_rendered, load_tree

__all__ = [
    "Matrix",
    "Tabulator",
    "TraceError",
    "TracedSite",
    "Verdict",
    "Walk",
    "Walks",
    "beside",
    "is_rendered",
    "load_tree",
    "matrix_data",
    "matrix_lines",
    "trace_data",
    "trace_lines",
    "walks_between",
    "workloads_named",
]
