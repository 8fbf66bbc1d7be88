"""``python -m tests.bench``: how fast the program is, as ratios, next to the goals."""

import sys

from tests.bench.run import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
