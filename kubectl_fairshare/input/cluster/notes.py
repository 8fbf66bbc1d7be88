"""What an answer from a cluster cannot know, or should be taken with care for.

Tested in ``tests/unit/input/cluster/test_read.py``.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from kubectl_fairshare.input.cluster.lists import Listed, version_number
from kubectl_fairshare.input.cluster.resources import UNKNOWN, ClusterReads, Resource
from kubectl_fairshare.input.extent import Unread
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.phrases import some_of

__all__ = ["UNKNOWN", "changed_meanwhile", "not_served", "unknown", "without_queues"]
_SHOWN: Final = 3


def unknown(unread: Sequence[Unread], texts: Mapping[str, str], command: str) -> Iterator[Problem]:
    """A note for each kind that may not be read, and one for all kinds of jobs; the first says what would help.

    ``texts`` say by kind what is then unknown.
    """
    help: str | None = f"`kubectl fairshare rbac {command}` prints the role that permits it"
    for kind, namespace in (each for each in unread if each.kind in texts):
        what = texts[kind]
        if namespace:
            yield Problem(
                f"you may read only namespace `{namespace}`, so for other namespaces these are unknown: {what}",
                kind,
                help,
            )
        else:
            yield Problem(f"you may not read this, so these are unknown: {what}", kind, help)
        help = None
    others = [each for each in unread if each.kind not in texts]
    for namespace in sorted({each.namespace for each in others}):
        kinds = ", ".join(each.kind for each in others if each.namespace == namespace)
        where = f"you may read only namespace `{namespace}`" if namespace else "you may not read this"
        yield Problem(f"{where}, so the owners of some workloads and pods are unknown", kinds, help)
        help = None


def not_served(resources: Sequence[Resource], reads: Iterable[ClusterReads], own: set[str]) -> Iterator[Problem]:
    """A note for kinds of a scheduler's state that its API does not serve: another version, or a part of it.

    ``own`` are the schedulers' API groups.
    """
    core = {resource for each in reads for resource in each.state if resource.group in own}
    for group in sorted({r.group for r in resources if r in core}):
        names = ", ".join(r.name for r in resources if r in core and r.group == group)
        message = (
            f"the cluster does not serve {names} in a supported version; answers assume that it has no such objects"
        )
        yield Problem(message, None, f"list them: `kubectl api-resources --api-group={group}`")


def without_queues(titles: str) -> Problem:
    """A note where no scheduler has anything to decide on: its API is served, and that is all."""
    message = f"the cluster has no queue or quota of {titles}"
    return Problem(message, None, "create one, or select another cluster with `--context`")


def changed_meanwhile(lists: Sequence[Listed], own: set[str]) -> Iterator[Problem]:
    """A note where objects changed after the first list was taken, so that lists may not be of one moment.

    Looks at objects of the schedulers' ``own`` groups: they lie in one store, where versions count up.
    """
    lists = [each for each in lists if each.resource.group in own]
    numbered = [(version_number(each.resource_version), each) for each in lists]
    lists = [each for number, each in numbered if number]
    first = min((number for number, _ in numbered if number), default=0)
    changed = sorted(
        str(manifest.key)
        for each in lists
        for manifest, version in zip(each.manifests, each.versions, strict=True)
        if version > first
    )
    if changed:
        message = f"changed while the lists were read: {some_of(changed, _SHOWN)}"
        yield Problem(message, None, "the answer may mix two moments; run it again if it looks odd")
