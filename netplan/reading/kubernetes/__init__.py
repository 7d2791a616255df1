"""Kubernetes YAML from any author: files to objects, each value with its place."""
