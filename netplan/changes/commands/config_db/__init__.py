"""SONiC: JSON patches for ``config apply-patch``; what patches cannot do goes by ``config load`` and
commands."""

from netplan.changes.commands.config_db.form import ConfigDbForm

__all__ = ["ConfigDbForm"]
