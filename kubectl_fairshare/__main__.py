"""``python -m kubectl_fairshare``: the program under its module name."""

import sys

from kubectl_fairshare.cli.main import console

if __name__ == "__main__":
    sys.exit(console())
