"""What a deployed network says of itself against the plan: ``netplan check-live``. It reads saved outputs."""
