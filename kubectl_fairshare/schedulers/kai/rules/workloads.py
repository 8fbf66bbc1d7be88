"""Workloads and the queues that they name."""

from collections.abc import Iterator

from kubectl_fairshare.answers.holds import Hold
from kubectl_fairshare.finding import Finding, Related, Remedy, Severity
from kubectl_fairshare.jobs.creation import NewPods
from kubectl_fairshare.jobs.makers import makes_pods
from kubectl_fairshare.lint.protocol import error_rule, warning_rule
from kubectl_fairshare.lint.words.figures import few, several, used_too
from kubectl_fairshare.lint.words.spelling import nearest
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.kai.admission.laws import POD_GROUP
from kubectl_fairshare.schedulers.kai.explain.created import further_holds
from kubectl_fairshare.schedulers.kai.jobs.groups import submission_of
from kubectl_fairshare.schedulers.kai.rules.given import KaiGiven
from kubectl_fairshare.schedulers.kai.rules.queues import at
from kubectl_fairshare.schedulers.manifests.holds import rejected_pods


@error_rule("A016")
def workload_in_inner_queue(given: KaiGiven) -> Iterator[Finding]:
    """One finding for each inner queue, at the first workload that names it."""
    queues = given.queues
    if not queues.queues:
        return
    for name, members in queues.members.items():
        children = queues.children.get(name, ())
        if name in queues.queues and children:
            yield Finding(
                members[0].place,
                f"queue `{name}` has {several(len(children), 'child queue')}, so KAI skips "
                f"{several(len(members), 'workload')} in it",
                Remedy(f"name a leaf queue: {few(sorted(child.name for child in children))}"),
                evidence=(("workloads", str(len(members))),),
                related=(
                    Related("a child queue is here", at(children[0], "spec", "parentQueue")),
                    *used_too([m.place for m in members]),
                ),
            )


@error_rule("A021")
def workload_queue_not_found(given: KaiGiven) -> Iterator[Finding]:
    """One finding for each name without a Queue; milder if the input has no Queue at all."""
    queues = given.queues
    for name, members in queues.members.items():
        if queues.is_written(name):
            continue
        meant = nearest(name, queues.queues)
        yield Finding(
            members[0].place,
            f"queue `{name}` does not exist, so KAI does not schedule {several(len(members), 'workload')}",
            Remedy(f"write `{meant}`" if meant else "name an existing queue, or create this one"),
            evidence=(("workloads", str(len(members))),),
            related=used_too([member.place for member in members]),
            elsewhere=f"Queue {name}",
            severity=None if given.complete or meant else Severity.WARNING,
        )


@warning_rule("A041")
def pod_groups_of_one_name(given: KaiGiven) -> Iterator[Finding]:
    """One finding for each name and node pool, at the second PodGroup."""
    alike: dict[tuple[str, str], list[ObjectKey]] = {}
    for group in given.kai.pod_groups:
        if group.key in given.snapshot.manifests:
            alike.setdefault((group.pool or "", group.name), []).append(group.key)
    for (_, name), keys in sorted(alike.items()):
        if len(keys) > 1:
            first, second, *others = sorted(keys)
            namespaces = few([key.namespace for key in (first, second, *others)])
            yield Finding(
                Place(second, ("metadata", "name")),
                f"{len(keys)} namespaces have a PodGroup `{name}`, and KAI keeps one of them with the pods of all: "
                f"{namespaces}",
                Remedy("give each PodGroup a name that no other namespace has"),
                related=tuple(Related("the same name", Place(key, ("metadata", "name"))) for key in (first, *others)),
            )


@error_rule("A034")
def pod_group_structure(given: KaiGiven) -> Iterator[Finding]:
    """One finding for each PodGroup, at the first field that the webhook rejects."""
    for examined, cause in given.causes(POD_GROUP):
        yield Finding(
            examined.at(*cause.path),
            f"KAI's webhook rejects PodGroup `{examined.key.name}`: {cause.message}",
            Remedy("give sub-groups with children a minSubGroup, and all others a minMember"),
        )


@warning_rule("A042")
def quota_rejects_pods_of_group(given: KaiGiven) -> Iterator[Finding]:
    """One finding for each new object and ResourceQuota, for pods that name KAI as their scheduler."""

    def holds(maker: Manifest, bounds: NewPods) -> Iterator[Hold]:
        if makes_pods(maker) and maker.key.kind not in ("Pod", POD_GROUP):
            job = submission_of(maker, given.kai)
            if job.wanted > 1 and not any(pod.foreign for pod in job.pods):
                yield from further_holds(given.kai, bounds, job, 0)

    return rejected_pods(given.snapshot, holds) if given.queues.queues else iter(())
