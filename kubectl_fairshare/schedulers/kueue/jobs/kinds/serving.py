"""Kinds that keep pods running.

Each pod of a Deployment is a workload, a StatefulSet is one workload, and each replica of a LeaderWorkerSet is one.

Source: Kueue v0.19 integrations ``deployment``, ``statefulset``, ``leaderworkerset.x-k8s.io/leaderworkerset``.
"""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.model.errors import NoWorkloadError, Problem
from kubectl_fairshare.schedulers.kueue.jobs.kinds.kind import MAIN, JobKind, Known, PodTemplate, named, pod_template
from kubectl_fairshare.schedulers.kueue.release import KueueRelease

_LWS: Final = "leaderworkerset.x-k8s.io"
_MOST_REPLICAS: Final = 1_000_000


def _of_deployment(deployment: Field, known: Known) -> tuple[PodTemplate, ...]:
    del known
    _replicas(deployment)
    return (pod_template(MAIN, 1, deployment.at("spec", "template")),)


def _of_stateful_set(stateful: Field, known: Known) -> tuple[PodTemplate, ...]:
    del known
    return (pod_template(MAIN, _replicas(stateful), stateful.at("spec", "template")),)


def _of_leader_worker_set(leaders: Field, known: Known) -> tuple[PodTemplate, ...]:
    del known
    _replicas(leaders)
    group = leaders.at("spec", "leaderWorkerTemplate")
    size, leader = group.at("size").natural(1), group.at("leaderTemplate")
    if leader.value is None:
        return (pod_template(MAIN, size, group.at("workerTemplate")),)
    workers = pod_template("worker", max(0, size - 1), group.at("workerTemplate"))
    return (pod_template("leader", 1, leader), workers)


def _replicas(root: Field) -> int:
    """The requested number of replicas. Raises ``NoWorkloadError`` for 0, as there is nothing to admit."""
    replicas = root.at("spec", "replicas")
    if replicas.natural(1) == 0:
        message = "it has 0 replicas, so there is nothing to admit"
        raise NoWorkloadError(Problem(message, replicas.place, "ask again with the replicas that it will have"))
    return replicas.natural(1)


def _of_new_set(leaders: Field, _elastic: bool, release: KueueRelease) -> Iterator[Problem]:
    replicas = leaders.at("spec", "replicas")
    if release.replicas_bounded and replicas.natural(1) > _MOST_REPLICAS:
        message = f"{replicas.natural(1)} replicas: Kueue's webhook accepts {_MOST_REPLICAS} at most"
        yield Problem(message, replicas.place, "write fewer replicas")


SERVING_KINDS: Final = (
    JobKind(*named("apps", "Deployment"), _of_deployment, of_pods=True),
    JobKind(*named("apps", "StatefulSet"), _of_stateful_set),
    JobKind(
        *named(_LWS, "LeaderWorkerSet"),
        _of_leader_worker_set,
        native=False,
        named="-0",
        rejections=_of_new_set,
    ),
)
