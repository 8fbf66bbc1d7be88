"""The moment of asking, where a cluster is asked and not a file."""

import time


def moment() -> int:
    """Now, in nanoseconds since the epoch."""
    return time.time_ns()
