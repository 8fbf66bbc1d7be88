"""The kinds of jobs that KAI's pod grouper takes, each with the gang that it becomes."""

from collections.abc import Callable, Mapping
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


def _of_one(*path: str) -> Callable[[Field], GangShape]:
    """An owner of which each pod, or the first, starts by itself."""

    def shape(owner: Field) -> GangShape:
        return GangShape((PodRole("", 1, _template(owner, *path)),))

    return shape


def _of_stateful_set(owner: Field) -> GangShape:
    """Pods that start one by one, each with a volume for every claim."""
    template = _template(owner, "spec", "template")
    spec = made_spec(owner, template.at("spec").mapping())
    return GangShape((PodRole("", 1, replaced(template, {**template.mapping(), "spec": spec})),))


def _template(owner: Field, *path: str) -> Field:
    template = owner.at(*path)
    if template.value is None:
        raise wrong(template.place, "an object", None)
    return template


_V1: Final = frozenset({"v1"})
_KUBERNETES: Final[Shapes] = {
    ("batch", "Job"): Shaped(_V1, _of_job),
    ("batch", "CronJob"): Shaped(_V1, _of_cron_job),
    ("apps", "Deployment"): Shaped(_V1, _of_one("spec", "template")),
    ("apps", "ReplicaSet"): Shaped(_V1, _of_one("spec", "template")),
    ("apps", "StatefulSet"): Shaped(_V1, _of_stateful_set),
    ("", "PodTemplate"): Shaped(_V1, _of_one("template")),
}
_SHAPES: Final[Shapes] = {**_KUBERNETES, **TRAINING, **RAY, **SETS}


def shape_of(manifest: Manifest, above: Field, runtimes: Mapping[ObjectKey, Field]) -> GangShape:
    """The gang of an object. ``above`` is the object, or the job template in it.

    Raises ``UngroupedError`` for kinds and versions that are not modelled.
    """
    group, kind, version = manifest.key.group, manifest.key.kind, manifest.version
    if (group, kind, version) == (TRAINER, "TrainJob", "v1alpha1"):
        return of_train_job(above, runtimes)
    shaped = _SHAPES.get((group, kind))
    if shaped is None or version not in shaped.versions:
        reason = f"the PodGroup that KAI makes of a {kind} of {manifest.api_version}"
        raise unmodelled(Place(manifest.key), reason)
    return shaped.shape(above)
