"""What only KAI's plan screens show: the job, the gates, the tests on all victims together, what stays open."""

from collections.abc import Sequence
from typing import Final

from kubectl_fairshare.answers.blocks import Entries, Group, Items, Remark, unfolded
from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kai.explain.decision import Placement, Plan, Reclaim
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES, Resources
from kubectl_fairshare.schedulers.kai.reclaim.validator import Compared, JudgedItem, QuotaCheck
from kubectl_fairshare.schedulers.kai.words.screens import figures
from kubectl_fairshare.schedulers.kai.words.sentences import sentence
from kubectl_fairshare.trace import Step, facts_of

_BUDGETS: Final = "Not modelled: the time budget of KAI's solver."
_PLACES: Final = "Not modelled: which nodes the pods get, and the time budget of KAI's solver."
_CONDITION: Final = "what KAI writes on the PodGroup"
_YES: Final = "So this yes means: quota and fairness allow it."
_FIRM: Final = "Neither can turn this refusal to reclaim into a yes in this cycle."
_NOT_FIRM: Final = "So this no is not final: KAI's solver may find another set of victims."


def job_blocks(plan: Plan) -> Group:
    """The priority, whether the job is preemptible, and what its next pods request.

    KAI does not look at the priority of a job whose queue it does not know.
    """
    job = plan.job
    kind = "preemptible" if job.preemptible else "not preemptible"
    ranks = [f"priority {job.priority}", kind] if job.known else []
    if not job.tasks and job.group.ungrouped is not None:
        return [Items("  ", ranks, " · ")] if ranks else []
    amounts = [figures.with_unit(n, job.request.total[r]) for r, n in enumerate(RESOURCES) if job.request.total[r]]
    requests = f"requests {', '.join(amounts) or 'nothing'} for {count(len(job.next), 'pod')}"
    return [Items("  ", [*ranks, requests], " · ")]


def step_blocks(label: str, steps: Sequence[Step], misfits: Sequence[str] = ()) -> Group:
    """The tests in KAI's order, each with its numbers. ``misfits`` are pods larger than every node."""
    if not steps and not misfits:
        return []
    marks = (_mark(step.holds, sentence(step), [fact.place for fact in facts_of((step,))]) for step in steps)
    return [unfolded(label, "strong", ""), *marks, Items("  larger than every node: ", misfits, indent="    ")]


def judged_blocks(reclaim: Reclaim | None) -> Group:
    """A line for each judged item, then one for each comparison of the reclaimer's queues with their siblings."""
    verdict = None if reclaim is None else reclaim.verdict
    if verdict is None:
        return []
    label = unfolded("tests on all victims together", "strong", "")
    compared = (_mark(each.allowed, comparison(each)) for each in verdict.compared)
    return [label, Entries(verdict.judged, lambda each: [_judged(each)]), *compared]


def _judged(of: JudgedItem) -> Remark:
    reason = "over its share" if of.by_share else "over its quota, and the reclaimer stays within its own"
    if not of.allowed:
        reason = "not over its share, and not over its quota with the reclaimer within its own"
    item, held = _amounts(of.item.total), _amounts(of.held)
    return _mark(of.allowed, f"{item} from {of.queue}: {of.victim} holds {held} at this point, {reason}")


def placed_blocks(placement: Placement | None) -> Group:
    """The node of each pod; if no pod gets one, the condition that KAI writes."""
    if placement is None:
        return []
    nodes: dict[str, list[str]] = {}
    for suffix, pods in (("", placement.bound), (" after evictions", placement.waiting)):
        for pod, node in pods:
            nodes.setdefault(f"{node}{suffix}", []).append(pod)
    for pod, node in placement.moves:
        nodes.setdefault(f"{node}, moved there to make room", []).append(pod)
    if nodes:
        said = Entries([*nodes], lambda node: [Items(f"  {node}: ", nodes[node], indent="    ")])
        return [unfolded("nodes", "strong", ""), said]
    if not placement.condition:
        return []
    first, *others = (
        Remark(each.replace("\n", " "), more="  ") for each in (placement.condition, *placement.other_conditions)
    )
    by_chance = (block for other in others for block in (unfolded("or, by chance", indent=""), other))
    return [unfolded(_CONDITION, "strong", ""), first, *by_chance]


def comparison(compared: Compared | QuotaCheck) -> str:
    """One comparison in one clause: a queue above the reclaimer against a sibling, or against its quota."""
    if isinstance(compared, QuotaCheck):
        return f"{compared.queue} stays within its quota for non-preemptible jobs"
    resource = RESOURCES[compared.resource]
    ours, theirs = figures.ratio(compared.ours), figures.ratio(compared.theirs)
    times = f" × {figures.number(compared.multiplier)}" if compared.multiplier != 1 else ""
    if compared.ours <= 1:
        side = f"{compared.queue} would hold {ours} of its fair share"
        return f"{resource}: {side}, within it ({compared.sibling}: {theirs})"
    side = f"{compared.queue} would hold {ours}{times} of its fair share"
    return f"{resource}: {side} and must stay below the {theirs} of {compared.sibling}"


def open_blocks(plan: Plan) -> Group:
    """What the answer leaves open, and whether that can change it."""
    text = _PLACES
    if plan.placement is not None:
        text = _BUDGETS
    elif plan.computed in (Outcome.ADMITTED, Outcome.PREEMPTS):
        text += f" {_YES}"
    elif plan.reclaim is not None:
        text += f" {_FIRM if plan.reclaim.firm else _NOT_FIRM}"
    return [Remark(text, "dim", first="", more="")]


def _amounts(amounts: Resources) -> str:
    return figures.with_unit("gpu", amounts.gpu) if amounts.gpu else figures.with_unit("cpu", amounts.cpu)


def _mark(holds: bool, text: str, within: Sequence[Place] = ()) -> Remark:
    return Remark(f"{'✓' if holds else '✗'} {text}", "" if holds else "wait", within=within)
