"""The parents and children of queues."""

from collections.abc import Iterator

from kubectl_fairshare.finding import Finding, Insert, Related, Remedy, Severity
from kubectl_fairshare.lint.protocol import error_rule, info_rule, warning_rule
from kubectl_fairshare.lint.words.figures import several, used_too
from kubectl_fairshare.lint.words.spelling import nearest
from kubectl_fairshare.model.json import inside
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kai.admission.laws import PARENT, PARENT_RESOURCES, RESOURCES
from kubectl_fairshare.schedulers.kai.model.objects import Queue
from kubectl_fairshare.schedulers.kai.rules.given import KaiGiven
from kubectl_fairshare.schedulers.kai.rules.queues import at

_EVERYTHING = {"quota": 0, "limit": -1, "overQuotaWeight": 1}


@error_rule("A001")
def queue_without_resources(given: KaiGiven) -> Iterator[Finding]:
    """One finding for each Queue that is rejected for this."""
    for examined, _ in given.causes(RESOURCES):
        whole = {resource: dict(_EVERYTHING) for resource in ("cpu", "memory", "gpu")}
        edits = (Insert(examined.at("spec"), "resources", whole),) if "spec" in examined.manifest.data else ()
        yield Finding(
            examined.at("spec"),
            f"Queue `{examined.key.name}` has no `resources`: KAI's webhook rejects it",
            Remedy("write quota, limit and overQuotaWeight for cpu, memory and gpu", edits),
        )


@error_rule("A002")
def parent_queue_not_found(given: KaiGiven) -> Iterator[Finding]:
    """One finding for each name without a Queue, and one for each queue whose parent is in another node pool."""
    queues = given.queues
    missing: dict[str, list[Queue]] = {}
    for queue in queues:
        parent = queues.parent(queue)
        if queue.parent and not queues.is_written(queue.parent):
            missing.setdefault(queue.parent, []).append(queue)
        elif parent is not None and parent.pool != queue.pool:
            yield _elsewhere(given, queue, parent)
    for name, orphans in sorted(missing.items()):
        lost = sum(1 + queues.below(queue.name) for queue in orphans)
        meant = nearest(name, queues.queues)
        yield Finding(
            at(orphans[0], "spec", "parentQueue"),
            f"queue `{name}` does not exist, so KAI ignores {several(lost, 'queue')} below it",
            Remedy(f"write `{meant}`" if meant else "create the queue, or name another one"),
            evidence=(("queues ignored", str(lost)),),
            related=used_too([at(queue, "spec", "parentQueue") for queue in orphans]),
            elsewhere=f"Queue {name}",
            severity=None if given.complete or meant else Severity.WARNING,
        )
    for examined, cause in given.causes(PARENT):
        yield Finding(examined.at(*cause.path), cause.message, Remedy("create the queue, or name another one"))


def _elsewhere(given: KaiGiven, queue: Queue, parent: Queue) -> Finding:
    label = given.kai.pool_label
    own, other = (f"node pool `{pool}`" if pool else "no node pool" for pool in (queue.pool, parent.pool))
    return Finding(
        at(queue, "spec", "parentQueue"),
        f"the parent `{parent.name}` is in {other}, and this queue in {own}: its scheduler does not see the parent and "
        f"ignores {several(1 + given.queues.below(queue.name), 'queue')}",
        Remedy(f"give both the same label `{label}`"),
        related=(Related("the parent is here", at(parent, "metadata", "name")),),
    )


@error_rule("A003")
def parent_without_resources(given: KaiGiven) -> Iterator[Finding]:
    """One finding for each Queue without resources that a server has accepted."""
    queues = given.queues
    for queue in queues:
        children = queues.children.get(queue.name, ())
        if not queue.stated and children:
            yield Finding(
                at(queue, "spec"),
                f"queue `{queue.name}` has no `resources`, so its limits are 0 and "
                f"{several(queues.below(queue.name), 'queue')} below it can run nothing",
                Remedy("write quota, limit and overQuotaWeight for cpu, memory and gpu"),
                related=(Related("a child is here", at(children[0], "spec", "parentQueue")),),
            )
    for examined, cause in given.causes(PARENT_RESOURCES):
        yield Finding(examined.at(*cause.path), cause.message, Remedy("write `resources` on the parent"))


@error_rule("A007")
def queue_with_children_deleted(given: KaiGiven) -> Iterator[Finding]:
    """One finding for each Queue with a deletionTimestamp and children."""
    queues = given.queues
    for queue in queues:
        children = queues.children.get(queue.name, ())
        if not children:
            continue
        if inside(given.snapshot.manifests[at(queue).object].data, "metadata", "deletionTimestamp"):
            yield Finding(
                at(queue, "metadata", "deletionTimestamp"),
                f"queue `{queue.name}` is being deleted: KAI will ignore "
                f"{several(queues.below(queue.name), 'queue')} below it",
                Remedy("move the children below another queue first"),
                evidence=(("children", ", ".join(child.name for child in children)),),
                related=(Related("a child is here", at(children[0], "spec", "parentQueue")),),
            )


@error_rule("A008")
def queue_cycle(given: KaiGiven) -> Iterator[Finding]:
    """One finding for each cycle, at its first name."""
    queues = given.queues
    for cycle in queues.cycles:
        first, *rest = (queues.queues[name] for name in cycle)
        way = " → ".join(f"`{name}`" for name in (*cycle, first.name))
        message = f"queues form a cycle of parents: {way}" if rest else f"queue `{first.name}` is its own parent"
        yield Finding(
            at(first, "spec", "parentQueue"),
            message,
            Remedy("remove one of these parents, or name another one"),
            evidence=(("queues", str(len(cycle))),),
            related=tuple(Related("the cycle continues here", at(queue, "spec", "parentQueue")) for queue in rest),
        )


@warning_rule("A018")
def display_name_twice(given: KaiGiven) -> Iterator[Finding]:
    """One finding for each displayed name of several queues, at the second queue."""
    shown: dict[str, list[Queue]] = {}
    for queue in given.queues:
        shown.setdefault(queue.display_name or queue.name, []).append(queue)
    for name, queues in sorted(shown.items()):
        if len(queues) > 1:
            places = [_name_place(queue) for queue in queues]
            yield Finding(
                places[1],
                f"`{name}` is the displayed name of {several(len(queues), 'queue')}",
                Remedy("give every queue a unique displayName"),
                evidence=(("queues", ", ".join(sorted(queue.name for queue in queues))),),
                related=tuple(Related("also here", p) for p in (places[0], *places[2:7])),
            )


def _name_place(queue: Queue) -> Place:
    return at(queue, "spec", "displayName") if queue.display_name else at(queue, "metadata", "name")


@info_rule("A022", advice=True)
def equal_creation(given: KaiGiven) -> Iterator[Finding]:
    """One finding for each group of siblings with equal creation time and priority."""
    groups: dict[tuple[str, int, int], list[Queue]] = {}
    for queue in given.queues:
        if queue.created:
            groups.setdefault((queue.parent, queue.priority, queue.created), []).append(queue)
    for queues in groups.values():
        if len(queues) > 1:
            places = [at(queue, "metadata", "creationTimestamp") for queue in queues]
            names = ", ".join(f"`{queue.name}`" for queue in queues[:5])
            yield Finding(
                places[0],
                f"{len(queues)} sibling queues have the same creation time, so their order is undefined: {names}",
                Remedy("give them different priorities if their order matters"),
                evidence=(("priority", str(queues[0].priority)),),
                related=used_too(places),
            )
