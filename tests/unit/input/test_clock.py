"""The clock."""

import time

from kubectl_fairshare.input.clock import moment


def test_now_is_in_nanoseconds_since_the_epoch() -> None:
    before = time.time_ns()
    assert before <= moment() <= time.time_ns()
