"""The objects that quotas, pods and profiles name, and that the input lacks.

Tested in ``tests/unit/answers/test_missing_objects.py``.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_fairshare.answers.fidelity import ANY_NAMESPACE
from kubectl_fairshare.answers.missing_objects import Missing, missing_nodes, missing_objects
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.schedulers.koordinator.model import names
from kubectl_fairshare.schedulers.koordinator.model.objects import KoordinatorState, Pod

_LABELS: Final = ("metadata", "labels")


def missing_of(state: KoordinatorState, classes: Iterable[tuple[ObjectKey, Place]]) -> Missing:
    """The nodes and quotas that the input lacks and objects of the state name; and the ``classes`` of its pods."""
    named = [*classes, *missing_nodes(state.pods, state.nodes), *_parents(state), *_of_profiles(state)]
    named += (each for pod in state.pods for each in named_quota(state, pod))
    return missing_objects(state.absent, named)


def named_quota(state: KoordinatorState, pod: Pod) -> Iterator[tuple[ObjectKey, Place]]:
    """The quota that a pod's label names, if it is not known."""
    name = pod.labels.get(names.QUOTA_NAME, "")
    if name and not _is_known(state, name):
        yield _quota(name), Place(pod.key, (*_LABELS, names.QUOTA_NAME))


def _parents(state: KoordinatorState) -> Iterator[tuple[ObjectKey, Place]]:
    for quota in state.quotas.values():
        if quota.parent and not _is_known(state, quota.parent):
            yield _quota(quota.parent), Place(quota.key, (*_LABELS, names.PARENT))


def _of_profiles(state: KoordinatorState) -> Iterator[tuple[ObjectKey, Place]]:
    for profile in state.tree_profiles:
        if profile.quota and not _is_known(state, profile.quota):
            yield ObjectKey(*_QUOTA, profile.key.namespace, profile.quota), Place(profile.key, ("spec", "quotaName"))


_QUOTA: Final = (names.GROUP, names.KIND)


def _is_known(state: KoordinatorState, name: str) -> bool:
    return name in state.quotas or name in names.ASSUMED


def _quota(name: str) -> ObjectKey:
    """A quota, which is known by its name: its namespace is not."""
    return ObjectKey(*_QUOTA, ANY_NAMESPACE, name)
