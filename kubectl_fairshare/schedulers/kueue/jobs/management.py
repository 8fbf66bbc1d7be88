"""Whether Kueue manages a job, and in which LocalQueue.

Source: Kueue v0.19 on managed jobs: the integration must be on, the namespace selected, and the job
must name its queue, get the default one, or be managed without a name.
"""

from collections.abc import Iterable
from typing import Final

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.jobs.context import Context
from kubectl_fairshare.schedulers.kueue.jobs.kinds.kind import JobKind
from kubectl_fairshare.schedulers.kueue.jobs.laws import JobLaw
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP
from kubectl_fairshare.schedulers.kueue.model.workload import Refusal
from kubectl_fairshare.schedulers.kueue.release import KueueRelease

QUEUE_LABEL: Final = f"{GROUP}/queue-name"
DEFAULT_QUEUE: Final = "default"
_THROUGH: Final = {"ray.io/rayservice": "ray.io/raycluster"}
_SUSPEND: Final = (("spec", "suspend"), ("spec", "runPolicy", "suspend"))
_OTHERS: Final = ("volcano", "kai.scheduler", "run.ai", "yunikorn")


def local_queue(root: Field, kind: JobKind, context: Context, *, stored: bool) -> tuple[str, Refusal | None]:
    """The name of the job's LocalQueue, or why Kueue does not manage the job.

    The name is empty for a job that is managed without a queue name: such a job waits for ever.
    A job gets the default queue on creation, so a ``stored`` job never gets it.
    """
    queue, refusal = _queue(root.at("metadata"), kind, context, stored=stored)
    return queue, None if refusal is None else replace(refusal, suspended=_is_suspended(root))


def managing(framework: str, release: KueueRelease) -> str:
    """The integration by which a release manages jobs of a framework; empty where it has none for them.

    Where a release does not know RayServices, it manages the cluster that KubeRay makes of one: that has the labels and
    annotations of the service, and is made of the same pods.
    """
    return framework if framework not in release.frameworks_gone else _THROUGH.get(framework, "")


def naming_outer_label(refusal: Refusal, root: Field) -> Refusal:
    """The refusal of a job that ``root`` carries; a queue label of ``root`` itself is named as one that is not read."""
    label = root.at("metadata", "labels", QUEUE_LABEL)
    if refusal.law != JobLaw.NO_QUEUE_NAME or not label.text():
        return refusal
    *first, keys = refusal.operands
    named = ", ".join(filter(None, (f"label {QUEUE_LABEL} in the {root.owner.kind}'s own metadata", keys)))
    return replace(refusal, operands=(*first, named), places=(label.place, *refusal.places))


def _is_suspended(root: Field) -> bool:
    """Whether the job's own fields keep it from creating pods."""
    return any(_flag(root, path) for path in _SUSPEND)


def _flag(root: Field, path: tuple[str, ...]) -> bool:
    value = root.value
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value is True


def look_alikes(metadata: Field) -> tuple[Place, ...]:
    """The labels and annotations that look like misspellings of Kueue's queue label."""
    fields = (metadata.at(where) for where in ("labels", "annotations"))
    found = (field.at(key).place for field in fields for key in field.mapping() if _looks_alike(key))
    return tuple(place for place in found if place.path[-2:] != ("labels", QUEUE_LABEL))


def keys_of(places: Iterable[Place]) -> str:
    """``label a, annotation b``: labels and annotations as a sentence names them."""
    return ", ".join(f"{str(place.path[-2]).removesuffix('s')} {place.path[-1]}" for place in places)


def _looks_alike(key: str) -> bool:
    """Whether a key contains "queue" in a domain that is Kueue's or belongs to no scheduler."""
    domain, _, name = key.lower().rpartition("/")
    plain = name.replace("-", "").replace("_", "")
    if any(other in domain for other in _OTHERS):
        return False
    return plain in ("queuename", "localqueue", "kueuequeuename") or ("kueue" in domain and plain.endswith("queue"))


def _queue(metadata: Field, kind: JobKind, context: Context, *, stored: bool) -> tuple[str, Refusal | None]:
    job = metadata.owner
    named = metadata.at("labels").at(QUEUE_LABEL).text()
    release = context.configuration.release
    framework = managing(kind.framework, release)
    if not framework:
        return named, Refusal(JobLaw.FRAMEWORK_UNKNOWN, (release.text, kind.framework), places=(Place(job),))
    if context.frameworks is not None and framework not in context.frameworks:
        return named, Refusal(JobLaw.FRAMEWORK_OFF, (framework,), places=(Place(job),))
    if not context.manages_namespace(job.namespace):
        return named, Refusal(JobLaw.NAMESPACE_NOT_MANAGED, (job.namespace,), places=(Place(job),))
    if named:
        return named, None
    if not stored and job.namespace in context.default_queues:
        return DEFAULT_QUEUE, None
    if context.configuration.manage_unlabelled:
        return "", None
    alike = look_alikes(metadata)
    keys = keys_of(alike)
    places = alike or (metadata.at("labels").place,)
    return "", Refusal(JobLaw.NO_QUEUE_NAME, (job.kind, job.namespace, job.name, keys), places=places)
