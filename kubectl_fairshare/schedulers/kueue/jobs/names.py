"""The names of the Workloads of jobs: those that Kueue gives, and those that jobs state.

Source: Kueue v0.19, job framework: a given name has a readable prefix and five digits that differ between owners; an
annotation that states one comes before the label (gate WorkloadIdentifierAnnotations, on by default).
"""

from collections.abc import Mapping
from typing import Final

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.jobs.kinds import UNKNOWN
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP

PREBUILT_KEY: Final = f"{GROUP}/prebuilt-workload-name"
NAMING_KEYS: Final = (PREBUILT_KEY, f"{GROUP}/pod-group-name")
_HASH_LENGTH: Final = 5
_LONGEST_PREFIX: Final = 253 - 1 - _HASH_LENGTH


def naming_field(metadata: Field, key: str) -> Field:
    """The annotation with which a job names a Workload or a group of pods; the label if the annotation is empty."""
    annotation = metadata.at("annotations", key)
    return annotation if annotation.text() else metadata.at("labels", key)


def workload_name(job: ObjectKey, uid: str, extra: str = "") -> str:
    """The name of the Workload of ``job``; ``extra`` is the generation of an elastic job.

    The hash includes the job's UID. Without a UID it is unknown, and the name has ``xxxxx`` instead.
    """
    prefix = f"{job.kind.lower()}-{job.name}"[:_LONGEST_PREFIX]
    return f"{prefix}-{_hash(job, uid, extra) if uid else UNKNOWN}"


def _hash(job: ObjectKey, uid: str, extra: str) -> str:
    parts = [job.kind, job.group, job.name, uid, *([extra] if extra else [])]
    import hashlib  # brings OpenSSL along

    return hashlib.sha1("\n".join(parts).encode(), usedforsecurity=False).hexdigest()[:_HASH_LENGTH]


def shown_name(key: ObjectKey, jobs: Mapping[ObjectKey, ObjectKey]) -> str:
    """A Workload by the name of its job, if that is known: users know the job."""
    job = jobs.get(key)
    return f"{key.namespace}/{key.name}" if job is None else f"{job.namespace}/{job.name}"
