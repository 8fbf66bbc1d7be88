"""The whole answer for one workload: the decision, the limits that bind, and the candidates that were examined."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum

from kubectl_fairshare.answers.fidelity import Fidelity, Gap
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.choices import Possible
from kubectl_fairshare.schedulers.kueue.cycle.alone import scan
from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination, nominate, refusal
from kubectl_fairshare.schedulers.kueue.cycle.nominations import Nominations
from kubectl_fairshare.schedulers.kueue.cycle.possible import other_draws, possible_scans
from kubectl_fairshare.schedulers.kueue.cycle.queues import blocking_step
from kubectl_fairshare.schedulers.kueue.cycle.stopping import stopped, stopping_head
from kubectl_fairshare.schedulers.kueue.explain.binding import bindings, bindings_of_usage, bindings_out_of_reach
from kubectl_fairshare.schedulers.kueue.explain.borrowing import borrowed_requests
from kubectl_fairshare.schedulers.kueue.explain.dead_ends import no_domain_step, skipped_steps
from kubectl_fairshare.schedulers.kueue.explain.decision import (
    Ancestor,
    Binding,
    Limit,
    Plan,
    Remedy,
    SparedCandidate,
    UnitGround,
)
from kubectl_fairshare.schedulers.kueue.explain.doubts import plan_gaps, stop_gaps
from kubectl_fairshare.schedulers.kueue.explain.not_asked import deciding_search, not_asked
from kubectl_fairshare.schedulers.kueue.explain.past_usage import victim_doubts
from kubectl_fairshare.schedulers.kueue.explain.position import queue_position
from kubectl_fairshare.schedulers.kueue.explain.reaching import admitting_scan, gets_in_ever, is_simple, out_of_reach
from kubectl_fairshare.schedulers.kueue.explain.remedies.matching import matching_remedies
from kubectl_fairshare.schedulers.kueue.explain.remedies.search import remedies
from kubectl_fairshare.schedulers.kueue.explain.remedies.trying import after_pods
from kubectl_fairshare.schedulers.kueue.flavors.assignment import FlavorAttempt, Mode, Token
from kubectl_fairshare.schedulers.kueue.gaps import RUNNING_SUBSETS, fidelity_of
from kubectl_fairshare.schedulers.kueue.jobs.laws import JobLaw, is_left_alone
from kubectl_fairshare.schedulers.kueue.laws import Law, Share
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Holder, Pending
from kubectl_fairshare.schedulers.kueue.preemption.targets import SearchResult, Target, Trial
from kubectl_fairshare.schedulers.kueue.tree.derivation import available_step, potential_step
from kubectl_fairshare.schedulers.kueue.tree.state import State
from kubectl_fairshare.trace import Fact, Operand, Step

_NEVER = (Token.EXCEEDS_MAX_QUOTA, Token.NO_MATCHING_FLAVOR, Token.TOPOLOGY_PLACEMENT_FAILED)
# The reasons for an inactive queue that end without a change of the configuration.
_PASSING = frozenset(("Stopped", "AdmissionCheckInactive"))
_FOR_A_TIME = frozenset(
    {
        *(Law.LOCAL_QUEUE_STOPPED, Law.ADMISSION_GATED, Law.CHECKS_FAILED, Law.SCHEDULER_CRASH),
        *(Law.BACKOFF, Law.ON_HOLD, Law.NOT_REQUEUED),
    }
)
"""What keeps a workload from being considered until a stop is lifted, or for a time."""
_GETS_IN = (Outcome.ADMITTED, Outcome.PREEMPTS)


def plan(
    state: State,
    workload: Pending,
    *,
    remedied: bool = True,
    briefly: bool = False,
    listed: bool = False,
    queues: Mapping[str, Sequence[Pending]] | None = None,
    nominations: Nominations | None = None,
) -> Plan:
    """The decision for ``workload`` as the head of its queue, now, with remedies if ``remedied``.

    ``listed`` skips looks at every queue, ``briefly`` also domains. ``queues``, ``nominations``: what is known of them.
    """
    *earlier, last = (found_ways := _ways(state, workload, nominations)).results[0]
    nomination = _with_facts(state, _with_attempts(last, earlier))
    ways = ends_of(state, (nomination, *(each[-1] for each in found_ways.results[1:])))
    computed = ways[0][0]
    kept_out, blocked, unready, held = _held_back(state, workload, nomination, computed)
    computed = Outcome.WAITS if held else computed
    search, short = deciding_search(nomination)
    fidelity = _fidelity(state, nomination, computed, found_ways)
    found, crowded = _grounds(state, nomination) if nomination.placed and not briefly else ((), ())
    alone, where, deciding = _rested_on(state, nomination, computed)
    binds = () if held else (*_limits(where, deciding, computed), *crowded)
    once_alone = () if computed is not Outcome.WAITS else _once_alone(state, nomination, briefly=briefly)
    remedied, listed = remedied and not (briefly or unready or kept_out), listed or briefly
    return Plan(
        workload=workload,
        outcome=computed if _is_settled(fidelity, ways) else Outcome.UNKNOWN,
        computed=computed,
        nomination=nomination,
        local_queue=_local_queue(state, workload),
        targets=() if blocked is not None else _targets(nomination),
        put_back=() if nomination.search is None else nomination.search.put_back,
        refused=() if listed else _spared_candidates(state, search),
        not_asked=() if listed else not_asked(state, nomination, search, short),
        trials=search.trials,
        bindings=() if computed in _GETS_IN else (_bindings_once_alone(state, once_alone) or _passing(binds, computed)),
        standing=queue_position(state, workload, nomination.cluster_queue, queues),
        remedies=_remedies(state, nomination, computed, binds, found) if remedied else (),
        proof=() if listed else (*_proof(where, deciding, binds), *_pods_first(unready), *filter(None, (blocked,))),
        checks=_checks(state, nomination),
        controllers={name: check.controller for name, check in state.kueue.checks.items()},
        ties=tuple((state.forest.nodes[a].name, state.forest.nodes[b].name) for a, b in search.ties),
        fidelity=fidelity,
        path=_path(state, nomination.queue),
        names=_names(state, search),
        earlier=tuple(earlier),
        once_alone=tuple(once_alone),
        grounds=found,
        unready=unready,
        blocked=blocked,
        possible=ways if len(ways) > 1 and blocked is None else (),
        borrowed=() if briefly else tuple(borrowed_requests(state, nomination)),
        finer_reasons=state.configuration.finer_reasons,
        drawn=other_draws(state, workload, last),
        alone=alone,
        stops=stopping_head(state) is not None,
    )


def _held_back(
    state: State, workload: Pending, nomination: Nomination, computed: Outcome
) -> tuple[Step | None, Step | None, tuple[Holder, ...], bool]:
    """What keeps the workload out of its queue, that if it decides, pods that must be ready, whether it waits so."""
    kept_out = None if nomination.refused is not None else blocking_step(state, workload)
    blocked = None if computed is Outcome.NEVER else kept_out  # quota keeps it out for good, whatever is lifted
    unready = state.unready if computed is Outcome.ADMITTED and blocked is None else ()
    return kept_out, blocked, unready, bool(unready) or (blocked is not None and computed in _GETS_IN)


def _rested_on(state: State, nomination: Nomination, computed: Outcome) -> tuple[Nomination | None, State, Nomination]:
    """The nomination without all running work if there is one, then the state and the nomination that decide."""
    alone = alone_of(state, nomination) if computed is Outcome.NEVER else None
    return (None, state, nomination) if alone is None else (alone, state.emptied(), alone)


def _fidelity(
    state: State, nomination: Nomination, computed: Outcome, ways: Possible[tuple[Nomination, ...]]
) -> Fidelity:
    found = fidelity_of(state.configuration, decision_gaps(state, nomination, computed))
    return replace(found, outcomes=len(ways.results), all_outcomes=ways.complete)


def _ways(state: State, workload: Pending, nominations: Nominations | None) -> Possible[tuple[Nomination, ...]]:
    """The nominations that ties allow; one that is refused where a head stops the manager, unless none ever fits."""
    refused = stopped(state, workload)
    found = possible_scans(state, workload, first=scan(state, workload, nominations=nominations))
    if refused is None or refusal(state, workload) is not None:
        return found
    never = found.complete and all(outcome_of(state, each[-1]) is Outcome.NEVER for each in found.results)
    return found if never else Possible(((refused,),))


def decision_gaps(state: State, nomination: Nomination, computed: Outcome) -> Iterator[Gap]:
    """What is not certain of the decision about one workload."""
    yield from plan_gaps(state, nomination, computed)
    if nomination.crashes:
        yield from stop_gaps(state)
    yield from victim_doubts(state, nomination)
    yield from reach_gaps(state, nomination, computed)


def _is_settled(fidelity: Fidelity, ways: Sequence[tuple[Outcome, Nomination]]) -> bool:
    """Whether the outcome is certain: no gap can change it, and neither can chance."""
    return fidelity.modelled and fidelity.all_outcomes and len({outcome for outcome, _ in ways}) == 1


def _grounds(state: State, nomination: Nomination) -> tuple[tuple[UnitGround, ...], tuple[Binding, ...]]:
    """The domains for the pods that a topology places, and those of them that bind."""
    from kubectl_fairshare.schedulers.kueue.explain.topology import ground_bindings, grounds

    found = grounds(state, nomination)
    return found, ground_bindings(nomination, found)


def _pods_first(unready: Sequence[Holder]) -> Iterator[Step]:
    """The step that says whose pods must be ready first."""
    if unready:
        facts = tuple(Fact(Place(holder.key, ("status", "conditions")), None) for holder in unready)
        yield Step(Law.PODS_READY_FIRST, (("workloads", len(unready)),), holds=False, rests_on=facts)


def _remedies(
    state: State, nomination: Nomination, computed: Outcome, binds: tuple[Binding, ...], found: tuple[UnitGround, ...]
) -> tuple[Remedy, ...]:
    by_quota = remedies(state, nomination, computed, binds)
    if computed is Outcome.ADMITTED:
        return by_quota
    by_policy: Iterable[Remedy] = ()
    if computed is Outcome.WAITS:
        from kubectl_fairshare.schedulers.kueue.explain.remedies.policy import policy_remedies

        by_policy = policy_remedies(state, nomination)
    by_match = matching_remedies(state, nomination, computed)
    by_topology = _of_topology(state, nomination, found) if nomination.placed else ()
    every = (*by_match, *by_quota, *by_policy, *by_topology)
    return tuple(replace(each, outcome=after_pods(state, each.outcome)) for each in every) if state.unready else every


def _of_topology(state: State, nomination: Nomination, found: tuple[UnitGround, ...]) -> tuple[Remedy, ...]:
    from kubectl_fairshare.schedulers.kueue.explain.remedies.topology import topology_remedies

    doubted = any(gap.touches for gap in plan_gaps(state, nomination, after_pods(state, Outcome.ADMITTED)))
    return tuple(replace(remedy, doubted=doubted) for remedy in topology_remedies(state, nomination, found))


def _with_facts(state: State, nomination: Nomination) -> Nomination:
    """The nomination with the facts behind its rejection, if it is one."""
    if nomination.refused is None:
        return nomination
    from kubectl_fairshare.schedulers.kueue.cycle.refusal import with_facts

    return replace(nomination, refused=with_facts(state, nomination.workload, nomination.refused))


def _with_attempts(last: Nomination, earlier: Sequence[Nomination]) -> Nomination:
    """The last nomination of a scan, with the flavors that earlier cycles examined."""
    if last.assignment is None or not earlier:
        return last
    before: dict[str, tuple[FlavorAttempt, ...]] = {}
    for pod_set in (p for n in earlier if n.assignment is not None for p in n.assignment.pod_sets):
        before[pod_set.name] = (*before.get(pod_set.name, ()), *pod_set.attempts)
    pod_sets = (
        replace(p, attempts=_last_attempts((*before.get(p.name, ()), *p.attempts))) for p in last.assignment.pod_sets
    )
    return replace(last, assignment=replace(last.assignment, pod_sets=tuple(pod_sets)))


def _last_attempts(attempts: Iterable[FlavorAttempt]) -> tuple[FlavorAttempt, ...]:
    """The last attempt with each flavor, in the order of the first attempts."""
    return tuple({attempt.flavor: attempt for attempt in attempts}.values())


def _path(state: State, queue: int | None) -> tuple[Ancestor, ...]:
    """The nodes from the workload's queue up to its root."""
    nodes = () if queue is None else (state.forest.nodes[n] for n in state.forest.path(queue))
    return tuple(
        Ancestor(
            n.name,
            "ClusterQueue" if n.is_queue else "Cohort",
            n.height,
            n.spec is not None,
            state.ledger.share(n.id),
        )
        for n in nodes
    )


def _names(state: State, search: SearchResult) -> dict[int, str]:
    """The names of the nodes that a search compared."""
    compared = {n for trial in search.trials for n in (trial.queue, *(trial.at or ()))}
    return {n: state.forest.nodes[n].name for n in sorted(compared)}


def ends_of(state: State, ways: Sequence[Nomination]) -> tuple[tuple[Outcome, Nomination], ...]:
    """The outcomes of the ways that chance may take; one that ends for good only waits where another does not."""
    found = tuple((outcome_of(state, each), each) for each in ways)
    if all(end is Outcome.NEVER for end, _ in found):
        return found
    return tuple((Outcome.WAITS if end is Outcome.NEVER else end, each) for end, each in found)


def outcome_of(state: State, nomination: Nomination) -> Outcome:
    """The outcome by quota alone; Never only if an empty cluster would not be enough."""
    if nomination.refused is not None:
        if is_left_alone(nomination.workload):
            return Outcome.UNMANAGED
        if nomination.refused.law is Law.NOT_GIVEN:
            return Outcome.UNKNOWN
        refusal_of = nomination.workload.refusal
        passing = is_passing(state, nomination.cluster_queue, nomination.refused.law)
        passing = passing or (refusal_of is not None and refusal_of.law == JobLaw.NOT_CREATED)
        return Outcome.WAITS if passing else Outcome.NEVER
    if nomination.admits:
        return Outcome.ADMITTED if nomination.mode is Mode.FIT else Outcome.PREEMPTS
    never = _is_to_be_checked(state, nomination) and reached(state, nomination) is False
    return Outcome.NEVER if never else Outcome.WAITS


def _is_to_be_checked(state: State, nomination: Nomination) -> bool:
    """Whether it takes more than Kueue's token to know that the workload gets in once others have ended."""
    assignment = nomination.assignment
    if not nomination.fits or (nomination.mode is Mode.FIT and nomination.without_domain):
        return True
    if assignment is None or nomination.gated or nomination.mode is Mode.FIT:
        return False
    # Beside a flavor that fits, Kueue has no token for a resource that the queue does not cover.
    untold = assignment.token is None and assignment.mode is Mode.NO_FIT
    untold = untold or not state.configuration.release.every_misfit  # what it did not measure may be out of reach
    return untold or assignment.token in _NEVER or not is_simple(state, nomination)


def alone_of(state: State, nomination: Nomination) -> Nomination | None:
    """The nomination without all running work, where Kueue's token for this one is of what passes."""
    assignment = nomination.assignment
    if nomination.refused is not None or assignment is None or assignment.token in (None, *_NEVER):
        return None
    return scan(state.emptied(), nomination.workload)[-1]


def reached(state: State, nomination: Nomination) -> bool | None:
    """Whether the workload gets in after some of the running work has ended; None if that is not known."""
    queue = nomination.queue
    return None if queue is None else gets_in_ever(state, queue, nomination.workload)


def reach_gaps(state: State, nomination: Nomination, computed: Outcome) -> Iterator[Gap]:
    """A gap where it is not known whether the workload gets in once running work has ended."""
    unsure = computed is Outcome.WAITS and nomination.refused is None and not nomination.admits
    if unsure and _is_to_be_checked(state, nomination) and reached(state, nomination) is None:
        where = nomination.workload.source or nomination.workload.key
        yield Gap(RUNNING_SUBSETS, (Place(where),), touches=True)


def _once_alone(state: State, nomination: Nomination, *, briefly: bool) -> Sequence[Nomination]:
    """The cycles that let the workload in once others have ended, where Kueue's token says that none does."""
    queue, assignment = nomination.queue, nomination.assignment
    if queue is None or assignment is None or nomination.refused is not None or assignment.token not in _NEVER:
        return ()
    return admitting_scan(state, queue, nomination.workload, briefly=briefly)


def _bindings_once_alone(state: State, cycles: Sequence[Nomination]) -> tuple[Binding, ...]:
    """The limits behind what the cycle that lets it in once others have ended takes, and is not free now.

    Those of an earlier cycle are none: that one fails whatever ends.
    """
    *_, last = cycles or (None,)
    if last is None or last.queue is None or last.assignment is None:
        return ()
    return bindings_of_usage(state, last.queue, last.assignment.usage) or _bindings_of_fewest(state, last)


def _passing(binds: tuple[Binding, ...], computed: Outcome) -> tuple[Binding, ...]:
    """The limits without those that no end of work moves, of a workload that such ends let in: it goes another way.

    Another way is a flavor of a later cycle, or fewer pods: 6 of 8 are more than a flavor ever has, 3 of 7 are not.
    """
    return tuple(each for each in binds if computed is Outcome.NEVER or not each.ever)


def _bindings_of_fewest(state: State, last: Nomination) -> tuple[Binding, ...]:
    """The limits that keep the fewest pods out, if it gets in with a part of its pods that would fit now.

    The bisection over the numbers of pods misses that part: it looks at smaller ones, which fail now.
    """
    pod_sets = last.workload.pod_sets
    fewest = tuple(p if p.min_count is None else replace(p, count=p.min_count, min_count=None) for p in pod_sets)
    if fewest == pod_sets:
        return ()
    return _bindings(state, nominate(state, replace(last.workload, pod_sets=fewest)))


def is_passing(state: State, cluster_queue: str, law: StrEnum) -> bool:
    """Whether a workload is not considered because of a stop that can be lifted, or for a time."""
    inactivity = state.inactive.get(cluster_queue)
    stopped = law is Law.QUEUE_INACTIVE and inactivity is not None and _PASSING.issuperset(inactivity.reasons)
    return stopped or law in _FOR_A_TIME


def _bindings(state: State, nomination: Nomination) -> tuple[Binding, ...]:
    if nomination.queue is None or nomination.assignment is None:
        return ()
    return bindings(state, nomination.queue, nomination.assignment)


def _limits(state: State, nomination: Nomination, computed: Outcome) -> tuple[Binding, ...]:
    """The limits that bind. A never whose release stopped at a resource that is short now has those for good."""
    found = _bindings(state, nomination)
    measured = state.configuration.release.every_misfit or any(each.ever for each in found)
    if measured or computed is not Outcome.NEVER or nomination.queue is None or nomination.refused is not None:
        return found
    beyond = out_of_reach(state, nomination.queue, nomination.workload)
    return bindings_out_of_reach(state, nomination.queue, beyond) or found


def _local_queue(state: State, workload: Pending) -> Place | None:
    local = state.kueue.local_queues.get((workload.key.namespace, workload.local_queue))
    return None if local is None else Place(local.key, ("spec", "clusterQueue"))


def _spared_candidates(state: State, search: SearchResult) -> tuple[SparedCandidate, ...]:
    """The candidates that were examined and are not victims, each with its last trial.

    A candidate that was spared in the attempt with borrowing is reported with that trial, even if the failed attempt
    without borrowing took it.
    """
    gone = {t.holder.key for t in (*search.targets, *search.put_back)}
    last: dict[ObjectKey, Trial] = {}
    for trial in search.trials:
        before = last.get(trial.holder.key)
        in_vain = trial.taken and before is not None and before.law is Law.ONLY_WITHOUT_BORROWING
        if trial.holder.key not in gone and not in_vain:
            last[trial.holder.key] = trial
    return tuple(_spared_candidate(state, search, trial) for trial in last.values())


def _spared_candidate(state: State, search: SearchResult, trial: Trial) -> SparedCandidate:
    nodes = state.forest.nodes
    if trial.taken:  # taken by an attempt that failed
        law = Law.NOT_NEEDED if search.targets else Law.NOT_ENOUGH
        return SparedCandidate(trial.holder, nodes[trial.queue].name, law)
    at = None if trial.at is None else (nodes[trial.at[0]].name, nodes[trial.at[1]].name)
    return SparedCandidate(trial.holder, nodes[trial.queue].name, trial.law, at, trial.mine, trial.theirs)


def _checks(state: State, nomination: Nomination) -> tuple[str, ...]:
    """The admission checks that apply to the assigned flavors."""
    if nomination.queue is None or nomination.assignment is None or not nomination.admits:
        return ()
    flavors = {flavor for p in nomination.assignment.pod_sets for flavor, _ in p.flavors.values()}
    uses = state.forest.nodes[nomination.queue].queue.checks
    return tuple(sorted(c.name for c in uses if not c.on_flavors or flavors & {*c.on_flavors}))


def _proof(state: State, nomination: Nomination, binds: tuple[Binding, ...]) -> tuple[Step, ...]:
    """The steps that the outcome rests on: each request compared with what is available, then each victim."""
    queue, assignment = nomination.queue, nomination.assignment
    if nomination.refused is not None:
        return (nomination.refused,)
    if queue is None or assignment is None:
        return ()
    steps = [_demand_step(state, queue, pair, amount) for pair, amount in sorted(assignment.usage.items())]
    known = {FlavorResource(str(s.operand("flavor")), str(s.operand("resource"))) for s in steps}
    quotas = [b for b in binds if b.kind is not Limit.DOMAIN and b.pair not in known]
    steps += [_demand_step(state, queue, b.pair, b.needed) for b in quotas]
    steps += [no_domain_step(nomination, index) for index in nomination.without_domain]
    steps += skipped_steps(state, nomination)
    steps += [
        r for p in assignment.pod_sets for a in p.attempts for r in a.reasons if "resource" not in dict(r.operands)
    ]
    return (*steps, *(_victim_step(state, t) for t in _targets(nomination)))


def _targets(nomination: Nomination) -> tuple[Target, ...]:
    """The workloads to preempt; empty if the cycle skips the workload."""
    return nomination.search.targets if nomination.search is not None and nomination.admits else ()


def _demand_step(state: State, queue: int, pair: FlavorResource, amount: int) -> Step:
    free, potential = state.ledger.free(queue, pair), state.forest.potential(queue, pair)
    operands: list[tuple[str, Operand]] = [("flavor", pair.flavor), ("resource", pair.resource), ("needed", amount)]
    if amount > potential:
        rests = (potential_step(state.forest, queue, pair),)
        return Step(Law.EXCEEDS_POTENTIAL, (*operands, ("potential", potential)), holds=False, rests_on=rests)
    available = (available_step(state, queue, pair),)
    if amount <= free:
        return Step(Law.WITHIN_AVAILABLE, (*operands, ("free", free)), holds=True, rests_on=available)
    more: tuple[tuple[str, Operand], ...] = (("free", free), ("more", amount - free))
    return Step(Law.EXCEEDS_AVAILABLE, (*operands, *more), holds=False, rests_on=available)


def _share_operand(share: Share) -> float:
    """A share as one number: infinite for a borrower with weight 0."""
    return math.inf if share.rank else share.value


def _victim_step(state: State, target: Target) -> Step:
    trial, nodes = target.trial, state.forest.nodes
    operands: list[tuple[str, Operand]] = [
        ("workload", target.holder.name),
        ("cluster queue", nodes[target.queue].name),
    ]
    operands.append(("priority", target.holder.priority))
    if trial.at is not None and trial.mine is not None and trial.theirs is not None:
        operands += [("side", nodes[trial.at[0]].name), ("other side", nodes[trial.at[1]].name)]
        operands += [("new share", _share_operand(trial.mine)), ("old share", _share_operand(trial.theirs))]
    return Step(trial.law, tuple(operands), holds=True)
