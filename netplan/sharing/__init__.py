"""Several clusters on one fabric: each is compiled with the fabric's files, the switches are rendered once.

Reading order: ``member`` (a cluster), ``disagreements`` (what two may not state), ``joined`` (fabric and
switches of all), ``judged`` (checks of those), ``run``.
"""

from netplan.sharing.run import run

__all__ = ["run"]
