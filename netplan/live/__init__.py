"""``netplan check-live``: compares the plan with saved outputs of the deployed network."""
