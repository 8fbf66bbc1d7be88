"""The part of the plan screen about flavors: what each pod set gets, and why other flavors were passed over."""

from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_fairshare.answers.blocks import Block, Group, Remark, Table, unfolded
from kubectl_fairshare.answers.number_text import NOTHING, amount
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.answers.tables import Column, Row
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination
from kubectl_fairshare.schedulers.kueue.explain.dead_ends import no_domain_step
from kubectl_fairshare.schedulers.kueue.explain.decision import Borrowed, Plan, borrowed_from
from kubectl_fairshare.schedulers.kueue.explain.evidence import evidence, selector_clash
from kubectl_fairshare.schedulers.kueue.flavors.assignment import FlavorAttempt, PodSetAssignment, Token
from kubectl_fairshare.schedulers.kueue.flavors.attempts import is_chosen, not_tried
from kubectl_fairshare.schedulers.kueue.laws import Grade, Law
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.kueue.topology.laws import TopologyLaw
from kubectl_fairshare.schedulers.kueue.words.figures import pair_text
from kubectl_fairshare.schedulers.kueue.words.sentences import sentence
from kubectl_fairshare.trace import Step

_GRADES: Final = {
    Grade.NO_CANDIDATES: "no workload may be preempted for it: ",
    Grade.PREEMPT: "only by preempting in its own queue: ",
    Grade.RECLAIM: "only by preempting in other queues: ",
}
_NO_PLACE: Final = (TopologyLaw.EMPTY, TopologyLaw.TOO_FEW)
_COLUMNS: Final = (
    Column("POD SET", right=False),
    Column("PODS"),
    Column("RESOURCE", right=False),
    Column("FLAVOR", right=False),
    Column("NEEDS"),
    Column("FREE"),
    Column("MISSING", kept=False),
)


def flavor_blocks(plan: Plan) -> Group:
    """The flavor for each resource of each pod set, what is free in it, and from which cohort the queue borrows."""
    assignment = plan.nomination.assignment
    if assignment is None:
        return []
    free = _free(plan)
    rows = [row for p in assignment.pod_sets for row in _rows(p, free)]
    table = [Table(_COLUMNS, rows, "  ")] if rows else []
    return [*table, *map(Remark, _borrowing(plan)), *scan_blocks(plan)]


def scan_blocks(plan: Plan) -> Group:
    """The cycles of the scan of flavors where several decide: those now, and those once others have ended."""
    return [Remark(clause) for clause in (*_cycles(plan), *_once_alone(plan))]


def _cycles(plan: Plan) -> Iterator[str]:
    """The cycles of a scan that takes several: what fails in each, and what the one that decides takes."""
    if any(n.assignment is not None and any(not p.failed for p in n.assignment.pod_sets) for n in plan.earlier):
        for number, nomination in enumerate((*plan.earlier, plan.nomination), 1):
            yield f"{'then ' if number > 1 else ''}cycle {number} of the scan {_scanned(nomination)}"


def _once_alone(plan: Plan) -> Iterator[str]:
    """The cycles of the scan that lets it in once others have ended: what fails in each, what the last one takes."""
    for number, nomination in enumerate(plan.once_alone, 1):
        when = "once others have ended, " if number == 1 else "then "
        yield f"{when}cycle {number} of the scan {_scanned(nomination)}"


def _scanned(nomination: Nomination) -> str:
    """The flavors that one cycle takes for the pod sets, and for which of them it fails."""
    pod_sets = () if nomination.assignment is None else nomination.assignment.pod_sets
    takes = ", ".join(f"{p.name} in {_flavors_of(p)}" for p in pod_sets if p.flavors)
    return f"puts {takes or 'nothing'}{'' if nomination.admits else _failure(nomination, pod_sets)}"


def _failure(nomination: Nomination, pod_sets: Sequence[PodSetAssignment]) -> str:
    """Why a cycle gives nothing: a pod set that no flavor serves, else victims or a place that it does not find."""
    failed = next((p for p in pod_sets if p.grade is not Grade.FIT), None)
    if failed is None:
        return ", and finds no place for the pods" if nomination.placed else ", and finds no victims"
    why = f": {sentence(failed.reasons[0])}" if failed.reasons else ""
    searched = "" if failed.grade is Grade.NO_FIT else ", and no victims"
    return f", and {failed.name} fails{why}{searched}"


def _flavors_of(pod_set: PodSetAssignment) -> str:
    return " and ".join(dict.fromkeys(flavor for flavor, _ in pod_set.flavors.values()))


def _free(plan: Plan) -> dict[FlavorResource, int]:
    """The free quota by flavor-resource, from the proof."""
    found = {}
    for step in plan.proof:
        names = dict(step.operands)
        value = names.get("free")
        if isinstance(value, int) and step.law in (Law.WITHIN_AVAILABLE, Law.EXCEEDS_AVAILABLE):
            found[FlavorResource(str(names.get("flavor")), str(names.get("resource")))] = value
    return found


def _rows(pod_set: PodSetAssignment, free: dict[FlavorResource, int]) -> Iterator[Row]:
    name, pods = pod_set.name, str(pod_set.count)
    for resource, needed in sorted(pod_set.requests.items()):
        flavor = pod_set.flavors[resource][0] if resource in pod_set.flavors else ""
        left = free.get(FlavorResource(flavor, resource)) if flavor else None
        missing = "" if left is None or needed <= left else amount(resource, needed - left)
        there = NOTHING if left is None else amount(resource, left)
        yield Row((name, pods, resource, flavor or NOTHING, amount(resource, needed), there, missing))
        name = pods = ""


def _borrowing(plan: Plan) -> Iterator[str]:
    assignment = plan.nomination.assignment
    if assignment is None or not any(p.flavors for p in assignment.pod_sets):
        return
    cohort = borrowed_from(plan, assignment.borrowing)
    borrows = "borrows" if plan.computed in (Outcome.ADMITTED, Outcome.PREEMPTS) else "would borrow"
    if not assignment.borrowing:
        yield f"{borrows} nothing (level 0): within the quota of {plan.nomination.cluster_queue}"
    else:
        because = "; ".join(map(_borrowed_clause, plan.borrowed))
        yield f"{borrows} from cohort {cohort or '?'} (level {assignment.borrowing}){because and f': {because}'}"


def _borrowed_clause(of: Borrowed) -> str:
    """A request that makes the workload borrow, with its numbers."""
    needed, used, quota = (amount(of.pair.resource, value) for value in (of.needed, of.used, of.quota))
    return f"{pair_text(of.pair)}: {needed} on top of {used} used is above the quota of {quota}"


def passed_over_blocks(plan: Plan, kueue: KueueState) -> Iterator[Block]:
    """Every flavor that was tried and not used, with the reason and its place; then the flavors not tried."""
    assignment = plan.nomination.assignment
    pod_sets = () if assignment is None else assignment.pod_sets
    for pod_set in pod_sets:
        found = list(_passed_over(plan, kueue, pod_set))
        if found:
            yield unfolded(f"passed over{f' for pod set {pod_set.name}' if len(pod_sets) > 1 else ''}")
            yield from found


def _passed_over(plan: Plan, kueue: KueueState, pod_set: PodSetAssignment) -> Iterator[Block]:
    queue = kueue.cluster_queues.get(plan.nomination.cluster_queue)
    for attempt in pod_set.attempts:
        if not is_chosen(pod_set, attempt):
            yield from _attempt_blocks(plan, kueue, attempt)
    for reason in (r for r in pod_set.reasons if r.law is Law.RESOURCE_UNAVAILABLE):
        place = evidence(kueue, queue, plan.workload.pod_sets, reason)
        yield _named(str(dict(reason.operands).get("resource")), sentence(reason), place)
    left = not_tried(pod_set, queue)
    if left:
        why = "an earlier resource has no flavor" if pod_set.failed else "the search ended earlier"
        yield _named(", ".join(left), f"not tried: {why}")


def _attempt_blocks(plan: Plan, kueue: KueueState, attempt: FlavorAttempt) -> Iterator[Block]:
    refused = _unplaced(plan, attempt)
    if refused:
        yield _named(attempt.flavor, refused)
        return
    if not attempt.reasons:
        text = "would fit" + (f" at borrowing level {attempt.borrow}" if attempt.borrow else "")
        earlier = _is_of_earlier(plan, attempt)
        why = "an earlier cycle of the scan tried it" if earlier else "another flavor is preferred"
        yield _named(attempt.flavor, f"{text}; {why}")
        return
    queue = kueue.cluster_queues.get(plan.nomination.cluster_queue)
    for i, reason in enumerate(attempt.reasons):
        place = evidence(kueue, queue, plan.workload.pod_sets, reason)
        opening = _GRADES.get(attempt.grade, "") if i == 0 else ""
        yield _named(attempt.flavor if i == 0 else "", opening + _words(plan, kueue, reason), place)


def _is_of_earlier(plan: Plan, attempt: FlavorAttempt) -> bool:
    """Whether an earlier cycle chose the flavor, and failed for another pod set or resource."""
    of = (p for n in plan.earlier if n.assignment is not None for p in n.assignment.pod_sets)
    return any(attempt.flavor in (flavor for flavor, _ in p.flavors.values()) for p in of)


def _unplaced(plan: Plan, attempt: FlavorAttempt) -> str:
    """Why a flavor that has the quota cannot place the pods, by this cycle or an earlier one; empty if it can."""
    for pod_set in (p for n in plan.earlier if n.assignment is not None for p in n.assignment.pod_sets):
        refused = next((r for r in pod_set.reasons if r.law in _NO_PLACE), None)
        if refused is not None and is_chosen(pod_set, attempt):
            return f"has quota, but {sentence(refused)}"
    if attempt.token is Token.TOPOLOGY_PLACEMENT_FAILED:
        return "has quota, but its topology has no place for the pods, even on free nodes"
    for nomination in plan.earlier:
        pod_sets = () if nomination.assignment is None else nomination.assignment.pod_sets
        for index in nomination.without_domain:
            if is_chosen(pod_sets[index], attempt):
                return f"has quota, but {sentence(no_domain_step(nomination, index))}"
    return ""


def _words(plan: Plan, kueue: KueueState, reason: Step) -> str:
    """The reason, with the node selector that excludes the flavor."""
    flavor = kueue.flavors.get(str(dict(reason.operands).get("flavor")))
    clash = selector_clash(flavor, plan.workload.pod_sets) if flavor is not None else None
    if reason.law is not Law.AFFINITY_MISMATCH or clash is None or flavor is None:
        return sentence(reason)
    wanted = ",".join(clash.values)
    return f"node selector {clash.key}={wanted} excludes it: its label is {flavor.node_labels[clash.key]}"


def _named(name: str, text: str, place: Place | None = None) -> Remark:
    return Remark(f"{name}: {text}" if name else text, place=place, first="     ", more="       ")
