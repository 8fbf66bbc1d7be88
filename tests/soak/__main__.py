"""``python -m tests.soak``: asks the properties about cases that no run before had, and keeps what fails."""

import sys

from tests.soak.campaign import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
