"""Preemption under fair sharing: a walk down the tree to whoever has the largest share."""

from dataclasses import dataclass, field

from tests.property.obvious.preemption import (
    Question,
    Target,
    asking,
    candidates,
    fits,
    in_candidate_order,
    needed_targets,
    without,
)
from tests.property.obvious.tree import State, ancestors, borrows, children, holding, releasing, root_of, share, within
from tests.property.obvious.world import Node, Workload


@dataclass
class Walk:
    """One walk over the candidates that are left, per queue in candidate order; ``dropped`` nodes are not visited."""

    left: dict[str, list[Workload]]
    dropped: set[Node] = field(default_factory=set)


def fair_targets(question: Question) -> list[Target]:
    """The workloads to evict; none when that would not help."""
    world = question.state.world
    left = {queue: found for queue in _queues(question) if (found := candidates(question, queue))}
    state = holding(question.state, question.queue, question.wanted)
    entitled = within(state, question.node, question.short)
    strategies = world.strategies or []
    targets, retry = _first_pass(asking(question, state), Walk(left), entitled, strategies[0])
    done = bool(targets) and _fits(question, _evicted(state, targets))  # asked only after a target was taken
    if not done and len(strategies) > 1:
        targets = _second_pass(asking(question, state), Walk(retry), targets)
    state = _evicted(state, targets)
    if not targets or not _fits(question, state):
        return []
    return needed_targets(state, targets, lambda s: _fits(question, s))


def _evicted(state: State, targets: list[Target]) -> State:
    return without(state, [target.victim for target in targets])


def _fits(question: Question, state: State) -> bool:
    """Whether the workload fits, what was added for it set aside."""
    return fits(releasing(state, question.queue, question.wanted), question)


def _queues(question: Question) -> list[str]:
    """The own queue, and every queue of the tree that borrows in a short flavor-resource."""
    state, found = question.state, [question.queue]
    for name in sorted(state.world.queues):
        node = ("ClusterQueue", name)
        same_tree = root_of(state.world, node) == root_of(state.world, question.node)
        if name != question.queue and same_tree and any(borrows(state, node, fr) for fr in question.short):
            found.append(name)
    return found


def _first_pass(
    question: Question, walk: Walk, entitled: bool, strategy: str
) -> tuple[list[Target], dict[str, list[Workload]]]:
    """The targets taken until the workload fits, and the candidates refused."""
    targets: list[Target] = []
    retry: dict[str, list[Workload]] = {}
    state = question.state
    while (queue := _next_queue(question, state, walk)) is not None:
        while walk.left[queue]:
            candidate = walk.left[queue].pop(0)
            reason = _first_pass_reason(question, state, candidate, entitled, strategy)
            if reason is None:
                retry.setdefault(queue, []).append(candidate)
                continue
            targets.append(Target(candidate, reason))
            state = without(state, [candidate])
            if _fits(question, state):
                return targets, retry
            break
    return targets, retry


def _first_pass_reason(
    question: Question, state: State, candidate: Workload, entitled: bool, strategy: str
) -> str | None:
    """Why the candidate may be taken; None when it may not."""
    if candidate.queue == question.queue:
        return "InClusterQueue"
    if entitled:
        return "InCohortReclamation"
    return "InCohortFairSharing" if _passes(question, state, candidate, strategy) else None


def _passes(question: Question, state: State, candidate: Workload, strategy: str) -> bool:
    """Rules S2-a and S2-b: compare the two sides right below the lowest common ancestor."""
    mine, theirs = _sides(question, candidate.queue)
    new_share = share(state, mine).rank()
    if strategy == "LessThanOrEqualToFinalShare":
        return new_share <= share(without(state, [candidate]), theirs).rank()
    return new_share < share(state, theirs).rank()


def _sides(question: Question, queue: str) -> tuple[Node, Node]:
    world = question.state.world
    theirs: Node = ("ClusterQueue", queue)
    my_way = [question.node, *ancestors(world, question.node)]
    their_way = [theirs, *ancestors(world, theirs)]
    return [n for n in my_way if n not in their_way][-1], [n for n in their_way if n not in my_way][-1]


def _second_pass(question: Question, walk: Walk, targets: list[Target]) -> list[Target]:
    """More targets, from those refused at first: one try per queue, rule S2-b."""
    taken = list(targets)
    state = _evicted(question.state, taken)
    while (queue := _next_queue(question, state, walk)) is not None:
        candidate = walk.left.pop(queue)[0]
        if _passes(question, state, candidate, "LessThanInitialShare"):
            taken.append(Target(candidate, "InCohortFairSharing"))
            state = without(state, [candidate])
            if _fits(question, state):
                return taken
    return taken


def _next_queue(question: Question, state: State, walk: Walk) -> str | None:
    """The queue to take from next; None when nothing is left."""
    root = root_of(state.world, question.node)
    if root[0] == "ClusterQueue":
        return root[1] if walk.left.get(root[1]) else None
    while root not in walk.dropped:
        found = _descend(question, state, walk, root)
        if found is not None:
            return found
    return None


def _descend(question: Question, state: State, walk: Walk, cohort: Node) -> str | None:
    """The next queue below the cohort; None after a cohort with nothing left was dropped."""
    my_way = ancestors(state.world, question.node)
    queues: list[Node] = []
    cohorts: list[Node] = []
    for child in children(state.world, cohort):
        if child in walk.dropped or (child[0] == "ClusterQueue" and not walk.left.get(child[1])):
            continue
        mine = child == question.node or child in my_way
        if not mine and not share(state, child).borrowing:
            walk.dropped.add(child)
        elif child[0] == "ClusterQueue":
            queues.append(child)
        else:
            cohorts.append(child)
    if not queues and not cohorts:
        walk.dropped.add(cohort)
        return None
    highest = _highest_queue(question, state, walk, queues)
    top = max(cohorts, key=lambda c: share(state, c).rank(), default=None)
    if top is not None and (highest is None or share(state, top).rank() >= share(state, highest).rank()):
        return _descend(question, state, walk, top)
    return highest[1] if highest is not None else None


def _highest_queue(question: Question, state: State, walk: Walk, queues: list[Node]) -> Node | None:
    """The queue of the highest share; among equals that whose first candidate comes first."""
    if not queues:
        return None
    highest = max(share(state, queue).rank() for queue in queues)
    firsts = [walk.left[queue[1]][0] for queue in queues if share(state, queue).rank() == highest]
    return ("ClusterQueue", in_candidate_order(firsts, question.queue)[0].queue)
