"""Several clusters on one fabric: each compiled with the files of the fabric, their switches rendered once.

Reading order: ``member`` (one of them), ``disagreements`` (what two may not state), ``joined`` (fabric and
switches of all), ``judged`` (checks of those), ``run``.
"""

from netplan.sharing.run import run

__all__ = ["run"]
