"""NP902: objects that their schemas reject, each one mutation of a valid object."""

from __future__ import annotations

import pytest

from tests.unit.rendered_tree import EXTRA, PLUGIN, POD, POLICIES, POOL_0, RAILS, config, put, verified

RAIL_0 = "NetworkAttachmentDefinition training/rail-0"
REFUSED = [
    pytest.param(
        put(RAILS, "spec", "plugins", value="[]"),
        RAILS,
        f"{RAIL_0}: $.spec: Additional properties are not allowed ('plugins' was unexpected)",
        id="unknown field",
    ),
    pytest.param(
        put(RAILS, "metadata", "name", value="rail.0"),
        RAILS,
        "NetworkAttachmentDefinition training/rail.0: $.metadata.name: "
        "'rail.0' does not match ^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
        id="dot in a NAD's name",
    ),
    pytest.param(
        put(RAILS, "metadata", "name", value="rail-0\n"),
        RAILS,
        f"{RAIL_0}: $.metadata.name: 'rail-0\\n' does not match ^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
        id="newline in a name",
    ),
    pytest.param(
        config(RAILS, lambda c: c["plugins"][0].update(mtu=9000)),
        RAILS,
        f"{RAIL_0}: $.spec.config.plugins[0]: Additional properties are not allowed ('mtu' was unexpected)",
        id="mtu of sriov",
    ),
    pytest.param(
        config(RAILS, lambda c: c["plugins"][0].update(spoofchk=False)),
        RAILS,
        f"{RAIL_0}: $.spec.config.plugins[0].spoofchk: False is not one of ['on', 'off']",
        id="truth value for on and off",
    ),
    pytest.param(
        config(RAILS, lambda c: c["plugins"][0].pop("vlan") and c["plugins"][0].update(vlanQoS=3)),
        RAILS,
        f"{RAIL_0}: $.spec.config.plugins[0]: 'vlan' is a dependency of 'vlanQoS'",
        id="priority without VLAN",
    ),
    pytest.param(
        config(RAILS, lambda c: c["plugins"][1].update(type="vrf")),
        RAILS,
        f"{RAIL_0}: $.spec.config.plugins[1]: there is no schema cni/vrf.json",
        id="unknown plugin",
    ),
    pytest.param(
        config(RAILS, lambda c: c["plugins"][0]["ipam"].update(type="dhcp")),
        RAILS,
        f"{RAIL_0}: $.spec.config.plugins[0].ipam: there is no schema ipam/dhcp.json",
        id="unknown IPAM",
    ),
    pytest.param(
        config(RAILS, lambda c: c.update(cniVersion="1.1.0")),
        RAILS,
        f"{RAIL_0}: $.spec.config.cniVersion: '1.0.0' was expected",
        id="CNI version",
    ),
    pytest.param(
        put(EXTRA, "spec", "metaPlugins", value='{"type":"sbr","tables":100}'),
        EXTRA,
        "SriovNetwork operator/extra: $.spec.metaPlugins[0]: "
        "Additional properties are not allowed ('tables' was unexpected)",
        id="chained plugin of an operator's network",
    ),
    pytest.param(
        put(EXTRA, "spec", "capabilities", value='{"bandwidth":true}'),
        EXTRA,
        "SriovNetwork operator/extra: $.spec.capabilities: "
        "Additional properties are not allowed ('bandwidth' was unexpected)",
        id="capability",
    ),
    pytest.param(
        put(EXTRA, "spec", "capabilities", value='{"ips": true}'),
        EXTRA,
        "SriovNetwork operator/extra: $.spec.capabilities: '{\"ips\": true}' does not match ^[^'\\s]+$",
        id="white space that the operator strips",
    ),
    pytest.param(
        put(POLICIES, "spec", "nicSelector", value={"pfNames": ["ens1f0#0-3,5"]}),
        POLICIES,
        "SriovNetworkNodePolicy operator/rail-0: $.spec.nicSelector.pfNames[0]: "
        "'ens1f0#0-3,5' does not match ^[A-Za-z0-9][A-Za-z0-9_.-]{0,14}(#[0-9]+-[0-9]+)?$",
        id="range that only the device plugin takes",
    ),
    pytest.param(
        put(POLICIES, "spec", "resourceName", value="rail-0"),
        POLICIES,
        "SriovNetworkNodePolicy operator/rail-0: $.spec.resourceName: "
        "'rail-0' does not match ^[a-z0-9]([a-z0-9_]*[a-z0-9])?$",
        id="hyphen in a resource",
    ),
    pytest.param(
        put(POLICIES, "kind", value="SriovNetworkPolicy"),
        POLICIES,
        "SriovNetworkPolicy operator/rail-0: $: there is no schema SriovNetworkPolicy.json",
        id="unknown kind",
    ),
    pytest.param(
        put(POOL_0, "apiVersion", value="whereabouts.cni.cncf.io/v1alpha1"),
        POOL_0,
        "IPPool operator/rail-0: $.apiVersion: 'nv-ipam.nvidia.com/v1alpha1' was expected",
        id="another project's kind of that name",
    ),
    pytest.param(
        put(POOL_0, "spec", "gateway", value=None),
        POOL_0,
        "IPPool operator/rail-0: $.spec: 'gateway' is a dependency of 'routes'",
        id="routes without gateway",
    ),
    pytest.param(
        put(PLUGIN, "data", "config.json", value='{"resourceList": []}'),
        PLUGIN,
        'ConfigMap kube-system/sriovdp-config: $.data["config.json"].resourceList: [] should be non-empty',
        id="plugin without resources",
    ),
    pytest.param(
        put(POD, "metadata", "namespace", value=None),
        POD,
        "Pod train: $.metadata: 'namespace' is a required property",
        id="no namespace",
    ),
    pytest.param(
        put(POD, "metadata", value="train"),
        POD,
        "Pod: $.metadata: 'train' is not of type 'object'",
        id="metadata",
    ),
    pytest.param(
        put(POD, "spec", "containers", 0, "resources", "limits", "cpu", value=8),
        POD,
        "Pod training/train: $.spec.containers[0].resources.limits.cpu: 8 is not of type 'string'",
        id="number for a quantity",
    ),
]


@pytest.mark.parametrize(("change", "path", "message"), REFUSED)
def test_an_object_that_its_schema_refuses(change, path, message):
    verdict = verified(change)
    assert [(d.code, d.message) for d in verdict.diagnostics] == [("NP902", f"{path}: {message}")]
    assert "NP911" not in verdict.checked
