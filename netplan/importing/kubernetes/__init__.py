"""Kubernetes objects of a dump to facts: one module for each family of kinds."""
