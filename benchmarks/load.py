"""Load time and memory at the design size against PyYAML's C loader: ``python benchmarks/load.py [HOSTS]``.

Each loader runs in a process of its own on the same text, so peaks do not add up; the ratio is of one run.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time

HCAS = 8


def inventory(hosts: int) -> str:
    """An inventory with every host and HCA written out, none as a range."""
    lines = ["version: 1", "site: benchmark", "hosts:"]
    for host in range(hosts):
        lines += [f"  gpu-{host:05d}:", "    type: hgx", f"    id: {host + 1}", "    hcas:"]
        for hca in range(HCAS):
            number = host * HCAS + hca
            mac = ":".join(f"{number:012x}"[i : i + 2] for i in range(0, 12, 2))
            lines += [
                f"      roce{hca}:",
                "        model: connectx-7",
                f'        pci: "0000:{0x18 + 16 * hca:02x}:00.0"',
                f"        netdev: ens{hca}f0np0",
                f"        rail: {hca}",
                "        speed_gbps: 400",
                f'        mac: "{mac}"',
            ]
    return "\n".join(lines) + "\n"


def measure(loader: str, hosts: int) -> None:
    """Print seconds and peak MiB of one loader, then exit."""
    text = inventory(hosts)
    if loader == "netplan":
        from netplan.load import load_texts

        start = time.perf_counter()
        document = load_texts({"site.yaml": text})
        seconds = time.perf_counter() - start
        data = document.data
        if document.problems:
            raise SystemExit(f"unexpected: {document.problems[0]}")
    else:
        import yaml

        start = time.perf_counter()
        data = yaml.load(text, Loader=yaml.CSafeLoader)
        seconds = time.perf_counter() - start
    if len(data["hosts"]) != hosts:
        raise SystemExit("wrong number of hosts")
    unit = 2**20 if sys.platform == "darwin" else 2**10
    print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit)


def main() -> None:
    hosts = int(sys.argv[1]) if len(sys.argv) > 1 else 12_500
    if len(sys.argv) > 2:
        measure(sys.argv[2], hosts)
        return
    results = {}
    for loader in ("netplan", "CSafeLoader"):
        command = [sys.executable, __file__, str(hosts), loader]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        seconds, peak = map(float, output.split())
        results[loader] = seconds
        print(f"{loader:12} {seconds:6.2f} s  {peak:5.0f} MiB peak")
    text = inventory(hosts)
    print(f"{hosts} hosts, {len(text) / 2**20:.1f} MiB, {text.count(chr(10))} lines")
    ratio = results["CSafeLoader"] / results["netplan"]
    print(f"CSafeLoader takes {ratio:.1f} times as long, and has no positions")


if __name__ == "__main__":
    main()
