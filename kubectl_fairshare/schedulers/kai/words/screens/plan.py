"""What only KAI's plans show: the job, the gates, the items judged together, what stays open."""

from collections.abc import Sequence
from typing import Final

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.report.text.figures import count
from kubectl_fairshare.report.text.listing import rest, shown
from kubectl_fairshare.report.text.paragraph import paragraph
from kubectl_fairshare.report.text.table import wrapped
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.kai.explain.decision import Placement, Plan, Reclaim
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES, Resources
from kubectl_fairshare.schedulers.kai.reclaim.validator import Compared, QuotaCheck
from kubectl_fairshare.schedulers.kai.words.screens import figures
from kubectl_fairshare.schedulers.kai.words.sentences import sentence
from kubectl_fairshare.trace import Fact, Step

_BUDGETS: Final = "Not decided here: how long KAI's solver searches."
_PLACES: Final = "Not decided here: on which nodes pods fit together, and how long KAI's solver searches."
_CONDITION: Final = "what KAI writes on the PodGroup"
_YES: Final = "A yes means that quotas and fairness permit it."
_FIRM: Final = "This no to reclaim is firm for this cycle."
_NOT_FIRM: Final = "This no is not firm: KAI's solver may try other sets of pods."


def job_lines(plan: Plan, view: View) -> list[str]:
    """Priority, whether it can be preempted, and what its next pods ask for."""
    job = plan.job
    kind = "preemptible" if job.preemptible else "not preemptible"
    amounts = [figures.with_unit(n, job.request.total[r]) for r, n in enumerate(RESOURCES) if job.request.total[r]]
    pods = f"{count(len(job.next), 'pod')} next: {', '.join(amounts) or 'asks for nothing'}"
    return wrapped("  ", [f"priority {job.priority}", kind, pods], view.width, indent="  ")


def step_lines(title: str, steps: Sequence[Step], view: View, misfits: Sequence[str] = ()) -> list[str]:
    """Tests in KAI's order, each with its numbers; ``misfits`` are pods larger than any node."""
    if not steps and not misfits:
        return []
    lines = [view.paint("strong", title)]
    for step in steps:
        cited = [c for fact in step.rests_on if isinstance(fact, Fact) and (c := view.cite(fact.place))]
        lines += _marked(step.holds, sentence(step) + (f"  ({', '.join(cited)})" if cited else ""), view)
    return [*lines, *(wrapped("  larger than any node: ", misfits, view.width, ", ", "    ") if misfits else ())]


def judged_lines(reclaim: Reclaim | None, view: View) -> list[str]:
    """Each item that was judged, and the siblings that the asking side was compared with."""
    verdict = None if reclaim is None else reclaim.verdict
    if verdict is None:
        return []
    lines = [view.paint("strong", "judged together")]
    for judged in shown(verdict.judged, view):
        reason = "over its share" if judged.by_share else "over its quota, and the asker within its own"
        if not judged.allowed:
            reason = "neither over its share nor over its quota with the asker within its own"
        item, held = _amounts(judged.item.total), _amounts(judged.held)
        lines += _marked(judged.allowed, f"{item} of {judged.queue}: {judged.victim} holds {held} then, {reason}", view)
    lines += rest(verdict.judged, view)
    for compared in verdict.compared:
        lines += _marked(compared.allowed, comparison(compared), view)
    return lines


def placed_lines(placement: Placement | None, view: View) -> list[str]:
    """The nodes that pods get, and what KAI writes where they get none."""
    if placement is None:
        return []
    nodes: dict[str, list[str]] = {}
    for suffix, pods in (("", placement.bound), (", once others have left", placement.waiting)):
        for pod, node in pods:
            nodes.setdefault(f"{node}{suffix}", []).append(pod)
    for pod, node in placement.moves:
        nodes.setdefault(f"{node}, to make room", []).append(pod)
    if nodes:
        lines = [view.paint("strong", "nodes")]
        for node in shown([*nodes], view):
            lines += wrapped(f"  {node}: ", nodes[node], view.width, ", ", "    ")
        return [*lines, *rest([*nodes], view)]
    if not placement.condition:
        return []
    text = placement.condition.replace("\n", " ")
    return [view.paint("strong", _CONDITION), *paragraph(text, view, "  ", "  ")]


def comparison(compared: Compared | QuotaCheck) -> str:
    """A queue on the asker's way up against a sibling, or against its quota, in one clause."""
    if isinstance(compared, QuotaCheck):
        return f"what cannot be preempted in {compared.queue} stays within its quota"
    resource = RESOURCES[compared.resource]
    ours, theirs = figures.ratio(compared.ours), figures.ratio(compared.theirs)
    times = f" × {figures.number(compared.multiplier)}" if compared.multiplier != 1 else ""
    if compared.ours <= 1:
        side = f"{compared.queue} at {ours} of its fair share"
        return f"{resource}: {side}, not above it ({compared.sibling} at {theirs})"
    side = f"{compared.queue} at {ours}{times} of its fair share"
    return f"{resource}: {side} must stay below {compared.sibling} at {theirs}"


def open_lines(plan: Plan, view: View) -> list[str]:
    """What this answer leaves open, and how firm it is."""
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


def _marked(holds: bool, text: str, view: View) -> list[str]:
    return paragraph(f"{'✓' if holds else '✗'} {text}", view, "  ", "    ", "" if holds else "wait")
