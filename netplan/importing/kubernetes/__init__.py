"""Turns Kubernetes objects of a dump into facts: one module for each family of kinds."""
