"""Change one place of the product at a time and see whether a test notices: ``python -m tools.mutants``

A mutant is one small change: a comparison turned, a condition denied, a number one higher, a statement left
out. First every quick test runs once on marked sources, which tells what blocks of code it reaches
(``reach``). Then each mutant of a sample is planted into a copy of the repository, and the tests that reach
its block run there in a forked process, the closest first, until one fails (``run``). What no test notices
is a gap, or a change that means the same: those stand in ``equivalent.yaml`` with the reason.
"""
