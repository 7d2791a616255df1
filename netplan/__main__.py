"""``python -m netplan``."""

from netplan.cli import main

if __name__ == "__main__":
    main("python -m netplan")
