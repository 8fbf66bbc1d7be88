"""One scheduling cycle as ``cycle`` shows it: the outcome of every head, and the workloads not considered.

Tested in ``tests/unit/schedulers/kueue/words/screens/test_cycle.py``.
"""

from collections.abc import Iterator, Mapping, Sequence

from kubectl_fairshare.answers.fidelity import NOT_GIVEN, Fidelity, Gap
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.values import Value, field, replace
from kubectl_fairshare.schedulers.kueue.cycle.cycle import CycleRun, HeadStatus, ProcessedHead
from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination, nominate
from kubectl_fairshare.schedulers.kueue.cycle.possible import possible_cycles
from kubectl_fairshare.schedulers.kueue.cycle.queues import waiting
from kubectl_fairshare.schedulers.kueue.cycle.refusal import workloads_left_out
from kubectl_fairshare.schedulers.kueue.explain.doubts import chance_crash, is_alone, short_admission, slice_places
from kubectl_fairshare.schedulers.kueue.explain.past_usage import head_doubts, victim_doubts
from kubectl_fairshare.schedulers.kueue.explain.planning import decision_gaps, is_passing, outcome_of
from kubectl_fairshare.schedulers.kueue.explain.position import earlier_preemptors, unordered_heads
from kubectl_fairshare.schedulers.kueue.gaps import FEWER_PODS, NO_DOMAIN, cycle_gaps, fidelity_of, no_queues
from kubectl_fairshare.schedulers.kueue.jobs.laws import is_left_alone
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.model.workload import Pending
from kubectl_fairshare.schedulers.kueue.tree.state import State
from kubectl_fairshare.trace import Fact, Step


class CycleOutcome(Value, frozen=True):
    """One scheduling cycle. ``waiting`` maps a ClusterQueue to the number of workloads that wait in it.

    ``left_out`` are pending workloads that are in no queue, each with the reason: ``never`` those of them that no
    queue takes before something is changed, ``open`` those for which that is not known. ``outcomes`` maps the key of
    each head to its outcome. ``possible`` are the cycles that ties allow, this one first, if there are several, each
    with its outcomes. ``finer_reasons`` as in the Configuration.
    """

    fair: bool
    round: CycleRun
    waiting: Mapping[str, int]
    fidelity: Fidelity
    left_out: tuple[tuple[Pending, Step], ...] = ()
    never: frozenset[ObjectKey] = frozenset()
    open: frozenset[ObjectKey] = frozenset()
    outcomes: Mapping[ObjectKey, Outcome] = field(default_factory=dict)
    possible: tuple[tuple[CycleRun, Mapping[ObjectKey, Outcome]], ...] = ()
    finer_reasons: bool | None = False

    def reason_of(self, entry: ProcessedHead) -> str:
        """Kueue's reason for the outcome of a head; empty before there are finer reasons."""
        return entry.reason if self.finer_reasons is not None else ""


def cycle_report(state: State) -> CycleOutcome:
    """The result of one cycle over all pending workloads."""
    queues = waiting(state)
    ways = possible_cycles(state)
    run = ways.results[0]
    placed = any(entry.nomination.placed for entry in run.entries)
    left_out = workloads_left_out(state)
    lines = (*unordered_heads(state, queues), *earlier_preemptors(state, queues))
    orders = (*head_doubts(state), *run_doubts(state, run), *lines)
    every = _outcomes_of(state, ways.results)
    outcomes = every[0]
    alone = all(is_alone(state, e.nomination, outcomes[e.nomination.workload.key]) for e in run.entries)
    gaps = (*cycle_gaps(state, placed=placed, alone=alone), *orders, *heads_not_given(left_out))
    fidelity = fidelity_of(state.configuration, (*gaps, *no_queues(state.kueue)))
    ends = {workload.key: _left_out_end(state, workload, step) for workload, step in left_out}
    return CycleOutcome(
        fair=state.fair,
        round=run,
        waiting={name: len(queue) for name, queue in queues.items()},
        fidelity=replace(fidelity, outcomes=len(ways.results), all_outcomes=ways.complete),
        left_out=left_out,
        never=frozenset(key for key, end in ends.items() if end is Outcome.NEVER),
        open=frozenset(key for key, end in ends.items() if end is Outcome.UNKNOWN),
        outcomes=outcomes,
        possible=tuple(zip(ways.results, every, strict=True)) if len(ways.results) > 1 else (),
        finer_reasons=state.configuration.finer_reasons,
    )


def heads_not_given(left_out: Sequence[tuple[Pending, Step]]) -> Iterator[Gap]:
    """What the input lacks of workloads that are in no queue for that reason: they may be heads."""
    for _, step in left_out:
        if step.law is Law.NOT_GIVEN:
            places = tuple(fact.place for fact in step.rests_on if isinstance(fact, Fact))
            yield Gap(NOT_GIVEN, places, touches=True, subject=f"{step.operand('kind')} {step.operand('name')}")


def _outcomes_of(state: State, runs: Sequence[CycleRun]) -> tuple[dict[ObjectKey, Outcome], ...]:
    """The outcomes of heads by the ways that chance may take; one that never gets in by one of them alone waits."""
    every = tuple(_outcomes(state, run) for run in runs)
    final = {key for key in every[0] if all(outcomes.get(key) is Outcome.NEVER for outcomes in every)}
    return tuple(
        {key: Outcome.WAITS if end is Outcome.NEVER and key not in final else end for key, end in outcomes.items()}
        for outcomes in every
    )


def _outcomes(state: State, run: CycleRun) -> dict[ObjectKey, Outcome]:
    return {e.nomination.workload.key: _outcome(state, e) for e in run.entries}


def _left_out_end(state: State, workload: Pending, because: Step) -> Outcome:
    """The outcome of a workload in no queue: Waits also where it starts outside of quota."""
    if because.law is Law.NOT_GIVEN:
        return Outcome.UNKNOWN
    if is_left_alone(workload) or is_passing(state, state.cluster_queue_of(workload), because.law):
        return Outcome.WAITS
    return _never_or_unknown(state, nominate(state, workload))


def _never_or_unknown(state: State, nomination: Nomination) -> Outcome:
    """Never as certain as in the plan: Unknown where what is not modelled, or not given, may let it in."""
    doubted = any(gap.touches for gap in decision_gaps(state, nomination, Outcome.NEVER))
    return Outcome.UNKNOWN if doubted else Outcome.NEVER


def run_doubts(state: State, run: CycleRun) -> Iterator[Gap]:
    """What a cycle over these heads leaves in doubt: an order of trees or of victims that is not in the input."""
    yield from first_tree_doubts(state, run)
    for entry in run.entries:
        if entry.nomination.without_domain and (entry.status is HeadStatus.ASSUMED or entry.preempts):
            yield Gap(NO_DOMAIN, (Place(entry.nomination.workload.key),), touches=True)
        if entry.nomination.shrinks and entry.status is HeadStatus.ASSUMED:
            yield Gap(FEWER_PODS, (Place(entry.nomination.workload.key),), touches=True)
        yield from short_admission(entry.nomination)
        yield from chance_crash(entry.nomination)
        yield from slice_places(entry.nomination)
    found = (gap for entry in run.entries for gap in victim_doubts(state, entry.nomination))
    yield from dict.fromkeys(found)


def first_tree_doubts(state: State, run: CycleRun) -> Iterator[Gap]:
    """Where one workload is admitted at a time, and those that could be are of several trees."""
    waits = [e for e in run.entries if e.law is Law.PODS_READY_FIRST or e.status is HeadStatus.ASSUMED]
    trees = {state.forest.root(e.nomination.queue) for e in waits if e.nomination.queue is not None}
    if state.configuration.block_admission and not state.unready and len(trees) > 1:
        yield Gap("WaitForPodsReady.blockAdmission", (), touches=True)


def _outcome(state: State, entry: ProcessedHead) -> Outcome:
    """The outcome of a head."""
    if entry.preempts:
        return Outcome.PREEMPTS
    if entry.status is HeadStatus.ASSUMED:
        return Outcome.ADMITTED
    holds = entry.nomination.second is not None
    never = not holds and outcome_of(state, entry.nomination) is Outcome.NEVER
    return _never_or_unknown(state, entry.nomination) if never else Outcome.WAITS
