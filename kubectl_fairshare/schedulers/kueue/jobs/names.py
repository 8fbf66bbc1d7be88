"""The names that Kueue gives to the Workloads of jobs.

Source: Kueue v0.19, job framework: a readable prefix and five digits that differ between owners.
"""

from collections.abc import Mapping
from typing import Final

from kubectl_fairshare.jobs.names import UNKNOWN
from kubectl_fairshare.model.location import ObjectKey

_HASH_LENGTH: Final = 5
_LONGEST_PREFIX: Final = 253 - 1 - _HASH_LENGTH


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
