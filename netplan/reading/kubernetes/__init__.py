"""Kubernetes YAML, whoever wrote it: files to objects, each value with its place."""
