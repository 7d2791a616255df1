"""``netplan krm``: the objects of a site as a KRM function."""

from __future__ import annotations

import click

from netplan.cli.counting import nos_folders
from netplan.cli.running import could_not_run, tell_findings, tell_summary
from netplan.cli.terminal import FORMATS, Manner, put, tell


@click.command(
    short_help="Write the Kubernetes objects to a ResourceList (KRM function).",
    epilog="""\b
Examples:
  netplan krm < resource-list.yaml          a ResourceList in, a ResourceList out
  kpt fn eval clusters --exec "netplan krm" --fn-config site.yaml
  kustomize build --enable-alpha-plugins --enable-exec clusters/dc1

\b
functionConfig, as kustomize lists it under generators:
  apiVersion: rdma-netplan.alt/v1
  kind: Inventory
  metadata:
    name: dc1
    annotations:
      config.kubernetes.io/function: "exec: {path: netplan, args: [krm]}"
  spec: {version: 1, site: dc1, ...}        the inventory
  overlays: []                              maps merged over it
  directory: clusters/dc1                   where new files go
""",
)
@nos_folders
@click.option("--strict", is_flag=True, help="Treat warnings as errors.")
def krm(nos_dir: str | None, strict: bool) -> int:
    """Read a KRM ResourceList from standard input, write it to standard output with the objects of a site.

    The inventory is `functionConfig`: `spec` of an Inventory, or the files in the `data` of a ConfigMap.
    Items that are objects of the site are replaced, missing ones added; all others stay as they are.
    Findings go to `results`; if there is an error, the items are returned unchanged and the exit status is 1.
    """
    from netplan.krm.function import answer
    from netplan.load import read_texts

    with could_not_run():
        (text,) = read_texts(["-"]).values()
        given = answer(text, strict=strict, nos_dir=nos_dir)
    put(given.text)
    if given.said:
        tell(f"netplan krm: {given.said}\n")
    elif given.result is not None and given.status:
        manner = Manner(FORMATS[0], strict, False, "auto")
        tell_findings(given.result, manner)
        tell_summary(given.result, manner, "items are returned unchanged")
    return given.status
