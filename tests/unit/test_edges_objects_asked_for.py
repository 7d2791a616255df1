"""Facts of one line each, at their edge: what pods ask of networks, and where fields belong."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from netplan.diagnostics import Severity
from netplan.others import rendered_texts
from netplan.reading.kubernetes.field_names import home_below
from netplan.reading.kubernetes.placeholders import templated
from netplan.rules.kubernetes.host_local import refused_address
from tests.unit.test_edges_rules import found, thing, vf_policy

V4, V6 = {"subnet": "10.0.0.0/24"}, {"subnet": "fd00::/64"}
PART = {**V4, "rangeStart": "10.0.0.10", "rangeEnd": "10.0.0.20", "gateway": "10.0.0.15"}


@pytest.mark.parametrize(
    ("ipam", "text", "words"),
    [
        (V4, "10.0.0.2", ""),
        (V4, "10.0.0.254/24", ""),
        (V4, "10.0.0.1", "keeps the gateway"),
        (V4, "10.0.0.255", "gives 10.0.0.1 to 10.0.0.254"),
        (V4, "10.0.1.2", "gives 10.0.0.1 to 10.0.0.254"),
        (V4, "fd00::2", "gives 10.0.0.1 to 10.0.0.254"),
        (V6, "fd00::ffff:ffff:ffff:ffff", ""),
        (PART, "10.0.0.10", ""),
        (PART, "10.0.0.20", ""),
        (PART, "10.0.0.9", "gives 10.0.0.10 to 10.0.0.20"),
        (PART, "10.0.0.21", "gives 10.0.0.10 to 10.0.0.20"),
        (PART, "10.0.0.15", "keeps the gateway"),
        ({"ranges": [[V4], [V6]]}, "fd00::2", ""),
        ({"ranges": [[V4], [V6]]}, "10.0.1.2", "10.0.0.254, fd00::1 to fd00::ffff:ffff:ffff:ffff"),
        ({**V4, "rangeStart": "$START"}, "10.0.1.2", ""),
        ({"subnet": "usePodCidr"}, "10.0.1.2", ""),
        ({"subnet": "10.0.0.0/31"}, "10.0.1.2", ""),
        ({}, "10.0.1.2", ""),
        (V4, "<address>", ""),
    ],
)
def test_host_local_gives_the_addresses_of_its_ranges(ipam: dict[str, Any], text: str, words: str) -> None:
    reason = refused_address(ipam, text)
    assert (words in reason) if words else not reason


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("ib{0..7}", True),
        ("192.168.{11..18}.0/24", True),
        ("{a..f}", True),
        ("ens{1,2}", False),
        ("a{0..}", False),
        ("10.0.0.1..10.0.0.9", False),
    ],
)
def test_a_row_of_words_is_a_placeholder(text: str, is_one: bool) -> None:
    assert templated(text) is is_one


BESIDE = {
    "properties": {
        "nicSelector": {"properties": {"pfNames": {}, "vendor": {}}},
        "other": {"properties": {"vendor": {}}},
        "mtu": {"type": "integer"},
    },
    "required": ["nicSelector"],
}


@pytest.mark.parametrize(
    ("key", "stated", "home"),
    [
        ("pfNames", {"nicSelector": None}, "nicSelector"),
        ("pfNames", {}, "nicSelector"),
        ("pfNames", {"nicSelector": {"vendor": "15b3"}}, "nicSelector"),
        ("pfNames", {"nicSelector": {"pfNames": ["a"]}}, ""),
        ("vendor", {"other": {}}, ""),
        ("vendor", {}, "nicSelector"),
        ("nothing", {}, ""),
    ],
)
def test_a_field_belongs_below_one_beside_it(key: str, stated: dict[str, Any], home: str) -> None:
    assert home_below(key, BESIDE, stated) == home


@pytest.mark.parametrize(
    ("mtu", "link", "words"),
    [
        (4092, "IB", ""),
        (4093, "IB", "in datagram mode"),
        (65519, "infiniband", "in datagram mode"),
        (65520, "IB", ""),
        (65521, "IB", "is above 65520"),
        (9978, "eth", ""),
        (9979, "eth", "is above 9978"),
    ],
)
def test_the_mtu_of_a_link(mtu: int, link: str, words: str) -> None:
    texts = found("NP674", vf_policy(mtu=mtu, linkType=link))
    assert [words in text for text in texts] == [True] * bool(words)


def severities(code: str, *files: dict[str, Any]) -> list[Severity]:
    texts = {f"{number}.yaml": yaml.safe_dump(each) for number, each in enumerate(files)}
    return [each.severity for each in rendered_texts(texts).diagnostics if each.code == code]


def user_network(name: str, role: str = "Primary") -> dict[str, Any]:
    layer2 = {"role": role, "subnets": ["10.1.0.0/24"]}
    own = thing("k8s.ovn.org/v1", "UserDefinedNetwork", name, topology="Layer2", layer2=layer2)
    own["metadata"]["namespace"] = "vm"
    return own


def test_two_primary_networks_in_two_files_may_be_samples() -> None:
    assert severities("NP789", user_network("a"), user_network("b")) == [Severity.INFO]
    assert severities("NP789", user_network("a"), user_network("b", "Secondary")) == []
    built = thing("kustomize.config.k8s.io/v1beta1", "Kustomization")
    files = {
        "kustomization.yaml": yaml.safe_dump({**built, "resources": ["a.yaml", "b.yaml"]}),
        "a.yaml": yaml.safe_dump(user_network("a")),
        "b.yaml": yaml.safe_dump(user_network("b")),
    }
    said = [each.severity for each in rendered_texts(files).diagnostics if each.code == "NP789"]
    assert said == [Severity.ERROR]
