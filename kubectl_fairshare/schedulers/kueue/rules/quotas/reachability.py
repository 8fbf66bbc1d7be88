"""Quota that cannot be used: by its own queue, by other queues, or by a known workload."""

from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_fairshare.finding import Finding, Related, Remedy, Severity
from kubectl_fairshare.lint.protocol import warning_rule
from kubectl_fairshare.lint.words.figures import few, figure
from kubectl_fairshare.model.amounts import add
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.kueue.model.objects import ResourceGroup
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Pending, PodSet
from kubectl_fairshare.schedulers.kueue.rules.cohorts.trees import known_trees, quota_place, title
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven
from kubectl_fairshare.schedulers.kueue.rules.quotas.demand import asked_by_sets, demands, pods_place, source_of, usable
from kubectl_fairshare.schedulers.kueue.rules.submissions import default_queue, queue_place
from kubectl_fairshare.schedulers.kueue.tree.forest import Forest, TreeNode

_UNIVERSAL: Final = ("cpu", "memory", "pods")


def _queues(given: KueueGiven) -> Iterator[TreeNode]:
    for tree in known_trees(given):
        yield from tree.queues


def _elsewhere(given: KueueGiven, node: TreeNode) -> str:
    return "" if node.parent is None else f"quota in cohort {given.forest.nodes[given.forest.root(node.id)].name}"


@warning_rule("K084")
def dead_flavor(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each useless flavor, otherwise for each resource that no flavor of a group has.

    If a borrowingLimit shows that the queue is expected to borrow, the finding is at the limit.
    """
    for node in _queues(given):
        if all(quota.nominal for quota in node.quotas.values()):
            continue
        for group in node.queue.groups:
            none = {
                pair
                for pair in (FlavorResource(flavor, resource) for flavor in group.flavors for resource in group.covered)
                if not node.quotas[pair].nominal and not given.forest.potential(node.id, pair)
            }
            if any(quota_place(node, pair, "nominalQuota") in given.unmeant_zeros for pair in none):
                continue
            if none and not any(node.quotas[pair].borrowing_limit for pair in none):
                yield from _dead(given, node, group, none)


def _dead(given: KueueGiven, node: TreeNode, group: ResourceGroup, none: set[FlavorResource]) -> Iterator[Finding]:
    severity = Severity.INFO if _closed(node) else None
    everywhere = [r for r in group.covered if all(FlavorResource(f, r) in none for f in group.flavors)]
    whole = len(everywhere) == len(group.covered)
    for resource in [] if whole else everywhere:
        pair = FlavorResource(group.flavors[0], resource)
        yield Finding(
            quota_place(node, pair, "nominalQuota"),
            f"{title(node)} covers `{resource}`, but has no quota for it in any flavor and cannot borrow it",
            Remedy("give quota, or remove the resource"),
            evidence=(("potential", figure(resource, 0)), ("flavors", few(group.flavors))),
            elsewhere=_elsewhere(given, node),
            severity=severity,
        )
    for flavor in group.flavors:
        lacking = [r for r in group.covered if FlavorResource(flavor, r) in none and (whole or r not in everywhere)]
        needed = [r for r in lacking if r in _UNIVERSAL]
        if lacking and (needed or len(lacking) == len(group.covered)):
            resource = (needed or lacking)[0]
            yield Finding(
                quota_place(node, FlavorResource(flavor, resource), "nominalQuota"),
                f"flavor `{flavor}` can never be used by {title(node)}: {few(needed or lacking)} quota 0, nothing to "
                "borrow",
                Remedy("give quota, or remove the flavor"),
                evidence=(("potential", figure(resource, 0)),),
                elsewhere=_elsewhere(given, node),
                severity=severity,
            )


def _closed(node: TreeNode) -> bool:
    """Whether every quota of a queue without a cohort is 0: that is how a queue is closed on purpose."""
    return node.parent is None and not any(quota.nominal for quota in node.quotas.values())


@warning_rule("K094")
def nothing_to_borrow(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each quota of 0 with a borrowingLimit whose parent has nothing."""
    for node in _queues(given):
        for pair, quota in node.quotas.items():
            if quota.nominal or not quota.borrowing_limit or node.parent is None:
                continue
            if given.forest.potential(node.parent, pair) == 0:
                parent = given.forest.nodes[node.parent].name
                yield Finding(
                    quota_place(node, pair, "borrowingLimit"),
                    f"{title(node)} has no {pair.resource} in `{pair.flavor}`, and cohort `{parent}` has none to lend",
                    Remedy("give quota here or in the cohort, or let the other queues lend"),
                    evidence=(
                        ("nominalQuota", figure(pair.resource, 0)),
                        ("borrowingLimit", figure(pair.resource, quota.borrowing_limit)),
                        (f"potential of {parent}", figure(pair.resource, 0)),
                    ),
                    elsewhere=_elsewhere(given, node),
                )


@warning_rule("K093")
def cohort_quota_unreachable(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each quota of a Cohort that no queue of its tree can use."""
    forest = given.forest
    for tree in known_trees(given):
        if not tree.queues:
            continue
        reaching = _reaching(tree.cohorts, tree.queues)
        for node in tree.cohorts:
            for pair, quota in node.quotas.items():
                if quota.nominal and not _of_use(forest, node, pair, reaching):
                    listed = [q.name for q in tree.queues if pair in q.quotas]
                    why = f"{few(listed)} may not borrow it" if listed else "no ClusterQueue lists it"
                    yield Finding(
                        quota_place(node, pair, "nominalQuota"),
                        f"{figure(pair.resource, quota.nominal)} in `{pair.flavor}` of {title(node)} cannot be used: "
                        f"{why}",
                        Remedy("let a ClusterQueue borrow it, or remove it"),
                        evidence=(("nominalQuota", figure(pair.resource, quota.nominal)),),
                        elsewhere=f"ClusterQueues of cohort {tree.root.name}",
                    )


def _reaching(cohorts: tuple[TreeNode, ...], queues: tuple[TreeNode, ...]) -> dict[int, set[FlavorResource]]:
    """For each cohort, the pairs that some queue below can borrow from it."""
    found: dict[int, set[FlavorResource]] = {}
    for node in (*queues, *reversed(cohorts)):
        if node.parent is not None:
            own = set(node.quotas) if node.is_queue else found.get(node.id, set())
            closed = {pair for pair, quota in node.quotas.items() if quota.borrowing_limit == 0}
            found.setdefault(node.parent, set()).update(own - closed)
    return found


def _of_use(forest: Forest, node: TreeNode, pair: FlavorResource, reaching: dict[int, set[FlavorResource]]) -> bool:
    """Whether a queue below the cohort, or below one that it lends to, can borrow the pair."""
    while pair not in reaching.get(node.id, ()):
        if node.parent is None or forest.quota(node.id, pair).lending_limit == 0:
            return False
        node = forest.nodes[node.parent]
    return True


@warning_rule("K098")
def workload_too_large(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each workload, at the first of its pod sets that can never have its flavors."""
    yield from too_large(given).values()


def too_large(given: KueueGiven) -> dict[ObjectKey, Finding]:
    """Why workloads can never get their quota, by workload. A cohort cycle has no quota."""
    queues = {queue.name: queue for queue in _queues(given)}
    found: dict[ObjectKey, Finding] = {}
    for pending, queue in demands(given):
        node = queues.get(queue.name)
        finding = None if node is None else next(_too_large(given, pending, node), None)
        if finding is not None:
            found[pending.key] = finding
    return found


def _too_large(given: KueueGiven, pending: Pending, node: TreeNode) -> Iterator[Finding]:
    totals: dict[tuple[int, str], int] = {}
    serving: dict[int, list[str]] = {}
    for pod_sets, asked in asked_by_sets(pending, node.queue):
        for i, group in enumerate(node.queue.groups):
            wanted = {r: amount for r, amount in asked.items() if r in group.covered and amount}
            flavors = usable(given, group, pod_sets) if wanted else []
            if not flavors:
                continue
            short = [_short(given.forest, node, flavor, wanted) for flavor in flavors]
            if all(short):
                # The flavor that lacks the fewest resources explains most.
                resource = min(short, key=len)[0]
                yield _never(given, pending, node, pod_sets, (resource, wanted[resource]), flavors)
            serving[i] = sorted({*serving.get(i, ()), *flavors})
            for resource, amount in wanted.items():
                totals[i, resource] = add(totals.get((i, resource), 0), amount)
    for (i, resource), total in sorted(totals.items()):
        reach = _reach(given.forest, node, serving[i], resource)
        if total > sum(reach.values()):
            yield _never_together(given, pending, node, (resource, total), reach)


def _reach(forest: Forest, node: TreeNode, flavors: Iterable[str], resource: str) -> dict[str, int]:
    """The most of a resource that a queue can use in each flavor."""
    return {flavor: forest.potential(node.id, FlavorResource(flavor, resource)) for flavor in flavors}


def _never_together(
    given: KueueGiven, pending: Pending, node: TreeNode, wanted: tuple[str, int], reach: dict[str, int]
) -> Finding:
    resource, total = wanted
    best = max(reach, key=lambda flavor: reach[flavor])
    return Finding(
        pods_place(pending, pending.pod_sets[0]),
        f"the pod sets of {source_of(pending)} request {figure(resource, total)} together, and {title(node)} can get "
        f"{figure(resource, sum(reach.values()))} at most",
        Remedy("request less, or raise quota or limits"),
        evidence=(
            ("asked for", figure(resource, total)),
            *((f"potential in {flavor}", figure(resource, amount)) for flavor, amount in list(reach.items())[:5]),
        ),
        related=(
            Related("quota here", quota_place(node, FlavorResource(best, resource), "nominalQuota")),
            *default_queue(given.snapshot, queue_place(pending)),
        ),
        elsewhere=_elsewhere(given, node),
    )


def _short(forest: Forest, node: TreeNode, flavor: str, wanted: dict[str, int]) -> list[str]:
    """The resources that the flavor can never have enough of."""
    return [r for r in sorted(wanted) if wanted[r] > forest.potential(node.id, FlavorResource(flavor, r))]


def _never(
    given: KueueGiven,
    pending: Pending,
    node: TreeNode,
    pod_sets: tuple[PodSet, ...],
    wanted: tuple[str, int],
    flavors: list[str],
) -> Finding:
    resource, amount = wanted
    reach = _reach(given.forest, node, flavors, resource)
    best = max(flavors, key=lambda flavor: reach[flavor])
    least = "at least " if any(p.min_count is not None for p in pod_sets) else ""
    return Finding(
        pods_place(pending, pod_sets[0]),
        f"{source_of(pending)} requests {least}{figure(resource, amount)} in total, and {title(node)} can get "
        f"{figure(resource, reach[best])} in `{best}` at most",
        Remedy("request less, or raise quota or limits"),
        evidence=(
            ("asked for", figure(resource, amount)),
            *((f"potential in {flavor}", figure(resource, reach[flavor])) for flavor in flavors[:5]),
        ),
        related=(
            Related("quota here", quota_place(node, FlavorResource(best, resource), "nominalQuota")),
            *default_queue(given.snapshot, queue_place(pending)),
        ),
        elsewhere=_elsewhere(given, node),
    )
