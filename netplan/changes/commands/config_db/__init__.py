"""SONiC: JSON patches for ``config apply-patch``, and what they cannot do by ``config load`` and commands."""

from netplan.changes.commands.config_db.form import ConfigDbForm

__all__ = ["ConfigDbForm"]
