"""Mutation testing: change the product in one place at a time and see whether a test fails: ``python -m
tools.mutants``

A mutant is one small change: a comparison turned, a condition negated, a number one higher, a statement
removed. First every quick test runs once on instrumented sources, to learn which blocks of code it reaches
(``reach``). Then each mutant of a sample is written into a copy of the repository, and the tests that reach
its block run there in a forked process, the closest first, until one fails (``run``). A surviving mutant is a
gap in the tests, or an equivalent change: those are in ``equivalent.yaml`` with the reason.
"""
