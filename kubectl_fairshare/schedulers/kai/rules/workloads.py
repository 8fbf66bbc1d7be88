"""Workloads and the queues that they name."""

from collections.abc import Iterator

from kubectl_fairshare.finding import Finding, Related, Remedy, Severity
from kubectl_fairshare.lint.protocol import error_rule
from kubectl_fairshare.lint.words.figures import few, several, used_too
from kubectl_fairshare.lint.words.spelling import nearest
from kubectl_fairshare.schedulers.kai.admission.laws import POD_GROUP
from kubectl_fairshare.schedulers.kai.rules.given import KaiGiven
from kubectl_fairshare.schedulers.kai.rules.queues import at


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


@error_rule("A034")
def pod_group_structure(given: KaiGiven) -> Iterator[Finding]:
    """One finding for each PodGroup, at the first field that the webhook rejects."""
    for examined, cause in given.causes(POD_GROUP):
        yield Finding(
            examined.at(*cause.path),
            f"KAI's webhook rejects PodGroup `{examined.key.name}`: {cause.message}",
            Remedy("give sub-groups with children a minSubGroup, and all others a minMember"),
        )
