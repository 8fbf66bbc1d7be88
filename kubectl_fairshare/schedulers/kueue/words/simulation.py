"""What a simulation of Kueue assumes, in words. Tested in ``tests/unit/policy/simulation/test_run.py``."""

from typing import Final

from kubectl_fairshare.schedulers.kueue.cycle.motion.assumptions import Assumption, Sayings
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.words.sentences import RULES, refusal_clause

_ASSUMPTIONS: Final = {
    Assumption.PODS: "pods are ready as soon as their Workload is admitted, and release quota as soon as they stop",
    Assumption.UNREADY: "pods that are not ready now become so in time, unless `--ready` says otherwise",
    Assumption.CYCLES: "scheduling cycles take no time",
    Assumption.REQUEUED: "inadmissible Workloads are requeued 1s after quota is released in their cohort tree",
    Assumption.REQUEUED_LATE: "inadmissible Workloads are requeued 10s after quota is released in their cohort tree",
    Assumption.CHECKS: "admission checks pass at once",
    Assumption.SAMPLES: "past usage is sampled once in each interval, counted from the start and from each admission",
    Assumption.ENDLESS: "if Workloads evict each other at the same moment, the next cycle runs 1s later",
    Assumption.COHORT_TIE: "of cohorts with equal shares, their names decide which gives victims, not the seed",
    Assumption.NAMESPACES: "namespaces that the input lacks exist, and have no labels but their name",
}


def sayings() -> Sayings:
    """How Kueue's replay speaks."""
    return Sayings(_ASSUMPTIONS.__getitem__, lambda law: RULES.get(Law(law), str(law)), refusal_clause)
