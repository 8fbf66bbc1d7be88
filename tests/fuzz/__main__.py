"""``python -m tests.fuzz``: runs the program on inputs gone wrong, and keeps those that it cannot bear."""

import sys

from tests.fuzz.campaign import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
