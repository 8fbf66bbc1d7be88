"""``python -m tests.consistency``: asks all questions about random states, and prints what contradicts."""

import sys

from tests.consistency.campaign import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
