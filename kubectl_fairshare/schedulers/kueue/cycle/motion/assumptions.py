"""What a simulation takes for granted, as facts; a house's words say them.

Decides nothing: what a simulation takes for granted, as facts.
Tested in ``tests/unit/schedulers/kueue/cycle/motion/test_replay.py``.
"""

from collections.abc import Callable
from enum import StrEnum

from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.model.workload import Pending
from kubectl_fairshare.trace import Step


class Assumption(StrEnum):
    """What a simulation takes for granted."""

    PODS = "pods"
    UNREADY = "unready"
    CYCLES = "cycles"
    REQUEUED = "requeued"
    REQUEUED_LATE = "requeued late"
    CHECKS = "checks"
    SAMPLES = "samples"
    ENDLESS = "endless"
    COHORT_TIE = "cohort tie"
    NAMESPACES = "namespaces"


class Sayings(Value, frozen=True):
    """How facts are put in words: an assumption, the rule of an eviction, and why a workload is not considered.

    ``drained`` is the rule where a stop policy evicts, ``timed_out`` where pods are not ready in time.
    """

    assumption: Callable[[Assumption], str]
    rule: Callable[[Law], str]
    refusal: Callable[[Step, Pending], str]
    drained: str = "stopPolicy HoldAndDrain"
    timed_out: str = "waitForPodsReady.timeout"
