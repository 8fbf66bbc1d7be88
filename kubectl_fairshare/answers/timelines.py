"""What queues of a file held over time, cycle by cycle; amounts are GPUs.

Tested in ``tests/unit/report/test_timelines.py``.
"""

from kubectl_fairshare.answers.blocks import Layout
from kubectl_fairshare.answers.documents import WrittenAnswer
from kubectl_fairshare.model.values import Value


class QueueTimeline(Value, frozen=True):
    """One queue: what it held and its fair share in each cycle, and the part of the capacity that it holds late.

    ``least`` and ``most`` are what it holds late; a queue that is ``inner`` has children.
    """

    name: str
    inner: bool
    held: tuple[float, ...]
    fair_shares: tuple[float, ...]
    part: float
    least: float
    most: float


class Timelines(Value, frozen=True):
    """The answer to `simulate` for a file of queues; ``late`` names the cycles that parts are of."""

    title: str
    verdict: str
    late: str
    capacity: float
    queues: tuple[QueueTimeline, ...]
    layout: Layout
    document: WrittenAnswer
