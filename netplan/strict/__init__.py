"""JSON Schema: a fast validity test, jsonschema for the explanations, and defaults."""

from netplan.strict.accept import Test, compiled, end_anchored
from netplan.strict.defaults import fill, filling
from netplan.strict.explain import explain
from netplan.strict.validator import validator

__all__ = ["Test", "compiled", "end_anchored", "explain", "fill", "filling", "validator"]
