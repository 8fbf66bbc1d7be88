"""Engines: each decides as one real scheduler does, as pure functions over a snapshot."""

from functools import cache
from typing import TYPE_CHECKING, Final

from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuotaState
from kubectl_fairshare.schedulers.kai.model.objects import KaiState
from kubectl_fairshare.schedulers.kueue.model.state import KueueState

if TYPE_CHECKING:  # an engine is large, and whoever asks for a part of one does not want all
    from kubectl_fairshare.input.known import KnownSchedulers
    from kubectl_fairshare.lint.house import Houses
    from kubectl_fairshare.schedulers.kueue.engine import KueueEngine

KUEUE: Final = "kueue"
ELASTICQUOTA: Final = "elasticquota"
KAI: Final = "kai"


def schedulers(snapshot: Snapshot) -> tuple[str, ...]:
    """The engines of the schedulers whose quotas the snapshot holds; Kueue's where it holds none.

    Raises ``FairshareError`` where the only quotas are of a scheduler that is not known here.
    """
    kueue, elasticquota = snapshot.part(KueueState), snapshot.part(ElasticQuotaState)
    found = []
    if kueue.cluster_queues or kueue.cohorts or kueue.local_queues:
        found.append(KUEUE)
    if snapshot.part(KaiState).queues:
        found.append(KAI)
    if elasticquota.quotas:
        found.append(ELASTICQUOTA)
    if not found and elasticquota.foreign:
        message = "ElasticQuota of `scheduling.sigs.k8s.io` is Koordinator's, which decides in another way"
        remedy = "read quotas of `scheduling.x-k8s.io`, which are those of scheduler-plugins"
        raise FairshareError(*(Problem(message, place, remedy) for place in elasticquota.foreign))
    return tuple(found) or (KUEUE,)


def for_snapshot(snapshot: Snapshot) -> "KueueEngine":
    """The engine for the scheduler whose objects the snapshot holds: Kueue's, so far the only one."""
    from kubectl_fairshare.schedulers.kueue.engine import KueueEngine

    del snapshot
    return KueueEngine()


@cache
def known_schedulers() -> "KnownSchedulers":
    """What every scheduler reads of an input."""
    from kubectl_fairshare.input.known import KnownSchedulers
    from kubectl_fairshare.schedulers.elasticquota.reads import READS as ELASTICQUOTA_READS
    from kubectl_fairshare.schedulers.kai.reads import READS as KAI_READS
    from kubectl_fairshare.schedulers.kueue.reads import READS as KUEUE_READS

    return KnownSchedulers((KUEUE_READS, KAI_READS, ELASTICQUOTA_READS))


def lint_houses() -> "Houses":
    """What every scheduler brings to lint."""
    from kubectl_fairshare.schedulers.elasticquota.linting import LINTED as ELASTICQUOTA_LINTED
    from kubectl_fairshare.schedulers.kai.linting import LINTED as KAI_LINTED
    from kubectl_fairshare.schedulers.kueue.linting import LINTED as KUEUE_LINTED

    return KUEUE_LINTED, KAI_LINTED, ELASTICQUOTA_LINTED
