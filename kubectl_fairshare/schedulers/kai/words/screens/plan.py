"""What only KAI's plan screens show: the job, the gates, the tests on all victims together, what stays open."""

from collections.abc import Sequence
from typing import Final

from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.report.text.listing import rest, shown_items
from kubectl_fairshare.report.text.paragraph import paragraph
from kubectl_fairshare.report.text.table import wrapped_items
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.kai.explain.decision import Placement, Plan, Reclaim
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES, Resources
from kubectl_fairshare.schedulers.kai.reclaim.validator import Compared, QuotaCheck
from kubectl_fairshare.schedulers.kai.words.screens import figures
from kubectl_fairshare.schedulers.kai.words.sentences import sentence
from kubectl_fairshare.trace import Fact, Step

_BUDGETS: Final = "Not modelled: the time budget of KAI's solver."
_PLACES: Final = "Not modelled: which nodes the pods get, and the time budget of KAI's solver."
_CONDITION: Final = "what KAI writes on the PodGroup"
_YES: Final = "So this yes means: quota and fairness allow it."
_FIRM: Final = "Neither can turn this refusal to reclaim into a yes in this cycle."
_NOT_FIRM: Final = "So this no is not final: KAI's solver may find another set of victims."


def job_lines(plan: Plan, view: View) -> list[str]:
    """The priority, whether the job is preemptible, and what its next pods request.

    KAI does not look at the priority of a job whose queue it does not know.
    """
    job = plan.job
    kind = "preemptible" if job.preemptible else "not preemptible"
    ranks = [f"priority {job.priority}", kind] if job.known else []
    if not job.tasks and job.group.ungrouped is not None:
        return wrapped_items("  ", ranks, view.width, indent="  ") if ranks else []
    amounts = [figures.with_unit(n, job.request.total[r]) for r, n in enumerate(RESOURCES) if job.request.total[r]]
    requests = f"requests {', '.join(amounts) or 'nothing'} for {count(len(job.next), 'pod')}"
    return wrapped_items("  ", [*ranks, requests], view.width, indent="  ")


def step_lines(title: str, steps: Sequence[Step], view: View, misfits: Sequence[str] = ()) -> list[str]:
    """The tests in KAI's order, each with its numbers. ``misfits`` are pods larger than every node."""
    if not steps and not misfits:
        return []
    lines = [view.paint("strong", title)]
    for step in steps:
        cited = [c for fact in step.rests_on if isinstance(fact, Fact) and (c := view.cite(fact.place))]
        lines += _mark_lines(step.holds, sentence(step) + (f"  ({', '.join(cited)})" if cited else ""), view)
    return [
        *lines,
        *(wrapped_items("  larger than every node: ", misfits, view.width, ", ", "    ") if misfits else ()),
    ]


def judged_lines(reclaim: Reclaim | None, view: View) -> list[str]:
    """A line for each judged item, then one for each comparison of the reclaimer's queues with their siblings."""
    verdict = None if reclaim is None else reclaim.verdict
    if verdict is None:
        return []
    lines = [view.paint("strong", "tests on all victims together")]
    for judged in shown_items(verdict.judged, view):
        reason = "over its share" if judged.by_share else "over its quota, and the reclaimer stays within its own"
        if not judged.allowed:
            reason = "not over its share, and not over its quota with the reclaimer within its own"
        item, held = _amounts(judged.item.total), _amounts(judged.held)
        text = f"{item} from {judged.queue}: {judged.victim} holds {held} at this point, {reason}"
        lines += _mark_lines(judged.allowed, text, view)
    lines += rest(verdict.judged, view)
    for compared in verdict.compared:
        lines += _mark_lines(compared.allowed, comparison(compared), view)
    return lines


def placed_lines(placement: Placement | None, view: View) -> list[str]:
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
        lines = [view.paint("strong", "nodes")]
        for node in shown_items([*nodes], view):
            lines += wrapped_items(f"  {node}: ", nodes[node], view.width, ", ", "    ")
        return [*lines, *rest([*nodes], view)]
    if not placement.condition:
        return []
    first, *others = (each.replace("\n", " ") for each in (placement.condition, *placement.other_conditions))
    lines = [view.paint("strong", _CONDITION), *paragraph(first, view, "  ", "  ")]
    return [*lines, *(line for other in others for line in ("or, by chance", *paragraph(other, view, "  ", "  ")))]


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


def open_lines(plan: Plan, view: View) -> list[str]:
    """What the answer leaves open, and whether that can change it."""
    if plan.placement is not None:
        return paragraph(_BUDGETS, view, "", "", "dim")
    text = _PLACES
    if plan.computed in (Outcome.ADMITTED, Outcome.PREEMPTS):
        text += f" {_YES}"
    elif plan.reclaim is not None:
        text += f" {_FIRM if plan.reclaim.firm else _NOT_FIRM}"
    return paragraph(text, view, "", "", "dim")


def _amounts(amounts: Resources) -> str:
    return figures.with_unit("gpu", amounts.gpu) if amounts.gpu else figures.with_unit("cpu", amounts.cpu)


def _mark_lines(holds: bool, text: str, view: View) -> list[str]:
    return paragraph(f"{'✓' if holds else '✗'} {text}", view, "  ", "    ", "" if holds else "wait")
