"""Typed values created from numbers."""

from __future__ import annotations

import pytest
from netaddr import IPNetwork

from netplan.model.values import subnet_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10.1.2.3/20", "10.1.0.0/20"),
        ("0.0.0.9/31", "0.0.0.8/31"),
        ("::5/126", "::4/126"),
        ("fd00::1/128", "fd00::1/128"),
    ],
)
def test_a_subnet_of_numbers_is_that_of_the_text(text: str, expected: str) -> None:
    """Also for a small IPv6 address, which as a plain number would be an IPv4 address."""
    read = IPNetwork(text)
    found = subnet_of(int(read.ip), read.prefixlen, read.version)
    assert (found, str(found), found.version) == (read.cidr, expected, read.version)
