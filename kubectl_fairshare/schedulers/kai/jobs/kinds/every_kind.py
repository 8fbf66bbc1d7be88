"""The kinds of jobs that KAI's pod grouper takes, each with the gang that it becomes."""

from collections.abc import Mapping
from typing import Final

from kubectl_fairshare.jobs.fields import Field, wrong
from kubectl_fairshare.jobs.made_pods import made_spec
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.kai.jobs.kinds.ray import RAY
from kubectl_fairshare.schedulers.kai.jobs.kinds.sets import SETS
from kubectl_fairshare.schedulers.kai.jobs.kinds.shape import (
    GangShape,
    PodRole,
    Shaped,
    Shapes,
    replaced,
    stated_minimum,
    unmodelled,
)
from kubectl_fairshare.schedulers.kai.jobs.kinds.training import TRAINING
from kubectl_fairshare.schedulers.kai.jobs.kinds.trainjob import TRAINER, of_train_job

_ANY: Final = -(1 << 31)
_AT_ONCE: Final = "Parallel"


def _of_job(job: Field) -> GangShape:
    """A Job: one pod is enough, unless an annotation states a minimum."""
    stated = stated_minimum(job.at("metadata", "annotations"), _ANY)
    return GangShape((_parallel(job),), 1 if stated is None else stated)


def _of_cron_job(template: Field) -> GangShape:
    """A job of a CronJob: KAI groups it without the annotation."""
    return GangShape((_parallel(template),))


def _parallel(job: Field) -> PodRole:
    """The pods of a Job that run at once."""
    spec = job.at("spec")
    parallelism = spec.at("parallelism").natural(1)
    count = min(parallelism, spec.at("completions").natural(parallelism))
    return PodRole("", count, _template(job, "spec", "template"))


def _of_pod_template(owner: Field) -> GangShape:
    """One pod."""
    return GangShape((PodRole("", 1, _template(owner, "template")),))


def _of_deployment(owner: Field) -> GangShape:
    """Pods that each have a PodGroup of their own; the first, as if it were scaled up, if it wants none."""
    return GangShape((PodRole("", 1, _template(owner, "spec", "template")),), copies=_replicas(owner))


def _of_replica_set(owner: Field) -> GangShape:
    """Pods of one PodGroup, all there at once; one of them is enough."""
    return GangShape((PodRole("", _replicas(owner), _template(owner, "spec", "template")),))


def _of_stateful_set(owner: Field) -> GangShape:
    """Pods of one PodGroup, each with a volume for every claim. They start one by one, unless it says otherwise."""
    template = _template(owner, "spec", "template")
    spec = made_spec(owner, template.at("spec").mapping())
    count = _replicas(owner) if owner.at("spec", "podManagementPolicy").text() == _AT_ONCE else 1
    return GangShape((PodRole("", count, replaced(template, {**template.mapping(), "spec": spec})),))


def _replicas(owner: Field) -> int:
    """The pods that an owner wants; 1 if it wants none now."""
    return max(1, owner.at("spec", "replicas").natural(1))


def _template(owner: Field, *path: str) -> Field:
    template = owner.at(*path)
    if template.value is None:
        raise wrong(template.place, "an object", None)
    return template


_V1: Final = frozenset({"v1"})
_KUBERNETES: Final[Shapes] = {
    ("batch", "Job"): Shaped(_V1, _of_job),
    ("batch", "CronJob"): Shaped(_V1, _of_cron_job),
    ("apps", "Deployment"): Shaped(_V1, _of_deployment),
    ("apps", "ReplicaSet"): Shaped(_V1, _of_replica_set),
    ("apps", "StatefulSet"): Shaped(_V1, _of_stateful_set),
    ("", "PodTemplate"): Shaped(_V1, _of_pod_template),
}
SHAPES: Final[Shapes] = {**_KUBERNETES, **TRAINING, **RAY, **SETS}
"""How each kind is read whose gangs are modelled."""


def shape_of(manifest: Manifest, above: Field, runtimes: Mapping[ObjectKey, Field]) -> GangShape:
    """The gang of an object. ``above`` is the object, or the job template in it.

    Raises ``UngroupedError`` for kinds and versions that are not modelled.
    """
    group, kind, version = manifest.key.group, manifest.key.kind, manifest.version
    if (group, kind, version) == (TRAINER, "TrainJob", "v1alpha1"):
        return of_train_job(above, runtimes)
    shaped = SHAPES.get((group, kind))
    if shaped is None or version not in shaped.versions:
        reason = f"the PodGroup that KAI makes of a {kind} of {manifest.api_version}"
        raise unmodelled(Place(manifest.key), reason)
    return shaped.shape(above)
