"""JSON Schema, strict and fast: a yes/no function for what is right, jsonschema for what is wrong and why."""

from netplan.strict.accept import Test, compiled, end_anchored
from netplan.strict.validator import validator

__all__ = ["Test", "compiled", "end_anchored", "validator"]
