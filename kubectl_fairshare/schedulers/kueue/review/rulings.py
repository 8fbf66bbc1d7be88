"""The outcome of one more Workload on a state, without the explanation that ``plan`` gives.

Tested in ``tests/unit/policy/test_capacity.py`` and ``tests/unit/policy/test_sandboxes.py``.
"""

from collections.abc import Mapping
from functools import partial

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.amounts import UNLIMITED
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.cycle.alone import scan
from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination, Nominator
from kubectl_fairshare.schedulers.kueue.cycle.possible import possible_scans
from kubectl_fairshare.schedulers.kueue.cycle.stopping import stopping_head
from kubectl_fairshare.schedulers.kueue.explain.binding import bindings
from kubectl_fairshare.schedulers.kueue.explain.doubts import plan_gaps, stop_gaps
from kubectl_fairshare.schedulers.kueue.explain.past_usage import victim_doubts
from kubectl_fairshare.schedulers.kueue.explain.planning import alone_of, outcome_of
from kubectl_fairshare.schedulers.kueue.flavors.assignment import PodSetAssignment
from kubectl_fairshare.schedulers.kueue.gaps import EQUAL_CHOICES
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder, Pending, Usage
from kubectl_fairshare.schedulers.kueue.preemption.replay import Replay
from kubectl_fairshare.schedulers.kueue.review.sizes import sizes_of
from kubectl_fairshare.schedulers.kueue.tree.state import State
from kubectl_fairshare.schedulers.kueue.words.limit_words import limit_clause
from kubectl_fairshare.schedulers.kueue.words.messages import pod_set_message
from kubectl_fairshare.schedulers.kueue.words.sentences import sentence
from kubectl_fairshare.schedulers.kueue.words.topology_sentences import node_filters, topology_sentence
from kubectl_fairshare.schedulers.sandbox import Ruling


def ruling(state: State, workload: Pending, replay: Replay | None = None) -> Ruling:
    """The outcome of the Workload as the head of its queue, once all its flavors were scanned.

    ``replay`` has earlier searches for Workloads of the same queue on the same state.
    """
    replay = replay or Replay()
    nominations = scan(state, workload, replay)
    found = nominations[-1]
    outcome = outcome_of(state, found)
    if outcome is Outcome.ADMITTED and state.unready:
        outcome = Outcome.WAITS
    if found.refused is None and stopping_head(state) is not None:
        return Ruling(Outcome.WAITS, what_binds=partial(_binding, state, found, Outcome.WAITS), gaps=stop_gaps(state))
    targets = found.search.targets if found.search is not None and found.admits else ()
    return Ruling(
        outcome,
        tuple(target.holder.name for target in targets),
        tuple(sorted({target.holder.cluster_queue for target in targets})),
        partial(_binding, state, found, outcome),
        partial(_within, found),
        (*plan_gaps(state, found, outcome), *victim_doubts(state, found)),
        sizes_of(state, found, replay),
        partial(_ties, state, workload, nominations),
    )


def _ties(state: State, workload: Pending, nominations: tuple[Nomination, ...]) -> tuple[Gap, ...]:
    """A gap if ties decide whether the Workload gets in, or from which queues its victims are."""
    ways = possible_scans(state, workload, first=nominations)
    ends = {
        (outcome_of(state, way[-1]), frozenset(t.holder.cluster_queue for t in way[-1].leaving)) for way in ways.results
    }
    return EQUAL_CHOICES if len(ends) > 1 or not ways.complete else ()


def entry(state: State, workload: Pending) -> Ruling:
    """The outcome of the Workload if no search finds a victim: it gets in, or what keeps it out.

    A scan of several flavors may stop at one in which preemption helps, and one that stops at a flavor without room on
    its nodes goes on in the next cycle, so that these are left to ``ruling``.
    """
    queue = state.forest.queue_ids[state.cluster_queue_of(workload)]
    found = Nominator(state, queue, workload, preempting=False).nominate()
    if _holds_up(state) or not (found.admits or _may_go_on(state, queue)):
        return Ruling(Outcome.WAITS, what_binds=partial(_binding, state, found, Outcome.WAITS))
    if _has_choice(state, queue):
        return ruling(state, workload)
    return Ruling(Outcome.ADMITTED, gaps=tuple(plan_gaps(state, found, Outcome.ADMITTED)))


def _enters(state: State, workload: Pending) -> bool:
    """Whether the Workload gets in if no search finds a victim, as ``entry`` says, without what keeps it out."""
    queue = state.forest.queue_ids[state.cluster_queue_of(workload)]
    found = Nominator(state, queue, workload, preempting=False).nominate()
    if not (found.admits or _may_go_on(state, queue)):
        return False
    return not _has_choice(state, queue) or ruling(state, workload).outcome is Outcome.ADMITTED


def _holds_up(state: State) -> bool:
    """Whether nothing gets in now: pods are not ready, or a head stops the manager."""
    return bool(state.unready) or stopping_head(state) is not None


def _may_go_on(state: State, queue: int) -> bool:
    """Whether a scan of flavors may stop at one whose nodes have no room, though another one has some."""
    return _has_choice(state, queue) and _has_nodes(state, queue)


def _has_nodes(state: State, queue: int) -> bool:
    """Whether a flavor of the queue has nodes to choose from."""
    names = [name for group in state.forest.nodes[queue].queue.groups for name in group.flavors]
    return any(name in state.kueue.flavors and state.kueue.flavors[name].topology is not None for name in names)


def _has_choice(state: State, queue: int) -> bool:
    """Whether a resource of the queue has several flavors."""
    return any(len(group.flavors) > 1 for group in state.forest.nodes[queue].queue.groups)


def copies(state: State, workload: Pending, most: int) -> int:
    """How many such Workloads get in one after another, without preemption; at most ``most``.

    Where the Workload has no choice of flavors or nodes, n of them leave the same ledger, whatever their order, and
    each one leaves less for the next: the first that does not get in is found by bisection.
    """
    if _holds_up(state):
        return 0
    queue = state.forest.queue_ids[state.cluster_queue_of(workload)]
    if not _is_forced(state, queue):
        return _one_by_one(state, workload, most)
    usage = _usage(state, queue, workload)
    low, high = 0, most
    while usage and low < high:
        middle = (low + high) // 2
        after = state.ledger.plus(queue, {pair: amount * middle for pair, amount in usage.items()})
        if _enters(state.with_usage(after, state.occupancy), workload):
            low = middle + 1
        else:
            high = middle
    return low


def _is_forced(state: State, queue: int) -> bool:
    """Whether no flavor of the queue is one of several in its group, and none has nodes to choose from."""
    return not _has_choice(state, queue) and not _has_nodes(state, queue)


def _one_by_one(state: State, workload: Pending, most: int) -> int:
    for number in range(most):
        if not _enters(state, workload):
            return number
        found = scan(state, workload)[-1]
        usage = {} if found.assignment is None else found.assignment.usage
        state = state.after((), (_holder(found, usage, f"{workload.name}-{number}"),))
    return most


def _usage(state: State, queue: int, workload: Pending) -> Usage:
    """What the Workload takes of quota if it gets in now; nothing if it does not."""
    found = Nominator(state, queue, workload, preempting=False).nominate()
    return found.assignment.usage if found.admits and found.assignment is not None else {}


def _holder(found: Nomination, usage: Usage, name: str) -> Holder:
    """A copy that got in, with its flavors and its place on the nodes."""
    workload, key = found.workload, found.workload.key._replace(name=name)
    queue, moment = found.cluster_queue, workload.created
    priority = workload.priority
    holder = Holder(key, name, queue, workload.local_queue, priority, moment, moment, moment, False, usage)
    return replace(holder, placements=found.lasting)


def hints(state: State, queue: int) -> Mapping[FlavorResource, tuple[int, ...]]:
    """What is free for the queue, what it can ever hold, and what is free once all that borrow have left."""
    found = {}
    for pair in state.forest.nodes[queue].quotas:
        free, potential = state.ledger.free(queue, pair), state.forest.potential(queue, pair)
        found[pair] = (free, *(() if potential >= UNLIMITED else (potential,)))
    return found


def _binding(state: State, found: Nomination, outcome: Outcome) -> str:
    if state.unready:
        return f"`waitForPodsReady.blockAdmission`: pods of {state.unready[0].key.name} are not ready"
    head = stopping_head(state)
    if head is not None and head.refused is not None:
        return sentence(head.refused)
    alone = alone_of(state, found) if outcome is Outcome.NEVER else None
    if alone is not None:
        state, found = state.emptied(), alone
    if found.assignment is None or found.queue is None:
        return ""
    limits = "; ".join(limit_clause(each) for each in bindings(state, found.queue, found.assignment))
    return limits or "; ".join(filter(None, map(_refused, found.assignment.pod_sets)))


def _refused(pod_set: PodSetAssignment) -> str:
    """The filters that keep the pods off nodes, otherwise what Kueue says of the pod set."""
    filtered = next((reason for reason in pod_set.reasons if node_filters(reason)), None)
    return pod_set_message(pod_set) if filtered is None else topology_sentence(filtered)


def _within(found: Nomination) -> int | None:
    """What the last search for victims came to, of the pair that it was for."""
    for pair, _, search in reversed(found.simulations):
        came_to = search.examined.came_to
        if came_to is not None and found.queue is not None:
            return came_to().free(found.queue, pair)
    return None
