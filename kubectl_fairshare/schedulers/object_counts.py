"""Whether the ResourceQuotas of a namespace reject new objects for their number, before any scheduler sees them.

Source: Kubernetes 1.35, the evaluator of object counts: a quota with scopes counts no objects but pods.
Tested in ``tests/unit/schedulers/kueue/explain/test_creating.py``.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from kubectl_fairshare.answers.fidelity import TOO_MANY_OBJECTS, Gap
from kubectl_fairshare.jobs.context import RESOURCE_QUOTA
from kubectl_fairshare.jobs.creation import CreationQuota, creation_quota
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest

_ONE: Final = 10**9
_POD: Final = ("", "Pod")


def object_count_gaps(made: Iterable[ObjectKey], known: Mapping[ObjectKey, Manifest]) -> Iterator[Gap]:
    """A gap for each kind of which a namespace may not have as many objects as are to be ``made``; pods are left out.

    ``known`` are the objects of the input. Raises ``FairshareError`` for a field of another type.
    """
    wanted = Counter((key.namespace, *key[:2]) for key in made if key[:2] != _POD)
    quotas = [creation_quota(m) for key, m in known.items() if key[:2] == RESOURCE_QUOTA] if wanted else []
    for (namespace, group, kind), more in sorted(wanted.items()) if quotas else ():
        there = sum(1 for key in known if (key.namespace, *key[:2]) == (namespace, group, kind))
        counting = [quota for quota in quotas if quota.key.namespace == namespace and not quota.scopes]
        name = _resource_name(group, kind)
        full = tuple(Place(q.key, (*q.path, name)) for q in counting if _is_exceeded(q, name, there, more))
        if full:
            yield Gap(TOO_MANY_OBJECTS, full, touches=True, subject=kind)


def _resource_name(group: str, kind: str) -> str:
    from kubectl_fairshare.input.kinds import plural

    name = f"count/{plural(kind.lower())}"
    return f"{name}.{group}" if group else name


def _is_exceeded(quota: CreationQuota, name: str, there: int, more: int) -> bool:
    used = quota.used.get(name, there * _ONE)
    return name in quota.bounds and used + more * _ONE > quota.bounds[name]
