"""The Kubernetes objects of a site as a KRM function: takes a ResourceList, returns it with the objects.

Reading order: ``outline`` (positions in the text), ``resource_list`` (items, cut out and put back unchanged),
``config`` (the inventory in functionConfig), ``produced`` (which artifacts are objects), ``function`` (all
together).

The specification: https://github.com/kubernetes-sigs/kustomize,
cmd/config/docs/api-conventions/functions-spec.md (v1), at commit 12f9e6391464b3ad9dd3fe8182049dc1b1772990.
"""
