"""What becomes of a job under KAI, as a screen: the gates, what is idle, who gives way and why, what would help."""

from collections.abc import Sequence
from typing import Final

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.report.text.figures import count
from kubectl_fairshare.report.text.heading import feature, gap_lines, heading
from kubectl_fairshare.report.text.outcome import outcome_lines
from kubectl_fairshare.report.text.paragraph import paragraph
from kubectl_fairshare.report.text.table import Column, Row, folded, table, wrapped
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.kai.explain.decision import Candidate, KaiPlan, Reclaim, Remedy, RemedyKind
from kubectl_fairshare.schedulers.kai.laws import Law
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES, KaiState, Resources, TimeAware
from kubectl_fairshare.schedulers.kai.reclaim.validator import Bound, Compared
from kubectl_fairshare.schedulers.kai.session.jobs import Job
from kubectl_fairshare.schedulers.kai.words.screens import figures as kai_figures
from kubectl_fairshare.schedulers.kai.words.screens.usage import usage_lines
from kubectl_fairshare.schedulers.kai.words.sentences import sentence
from kubectl_fairshare.trace import Fact, Step

_NOT_DECIDED: Final = (
    "Not decided here: on which nodes pods fit together (fragmentation, affinity, topology), and how long KAI's solver "
    "searches."
)
_YES: Final = "A yes means that quotas and fairness permit it."
_FIRM: Final = "This no to reclaim is firm for this cycle."
_NOT_FIRM: Final = "This no is not firm: KAI's solver may try other sets of pods."
_MOST: Final = 20


def kai_plan_screens(plans: Sequence[KaiPlan], state: KaiState, view: View) -> str:
    """A screen for each plan, one below the other."""
    return "\n".join(kai_plan_screen(plan, state, view) for plan in plans)


def kai_plan_screen(plan: KaiPlan, state: KaiState, view: View) -> str:
    """One plan, the verdict first. How past usage counts is told where any is known."""
    lines = [
        *outcome_lines(plan.outcome, _verdict(plan), f"by what is modelled: {_outcome(plan)}", view),
        *_job(plan, view),
        "",
        view.paint("strong", "gates"),
    ]
    for step in plan.gates:
        lines += _step(step, view)
    if plan.misfits:
        lines += wrapped("  larger than any node: ", plan.misfits, view.width, ", ", "    ")
    if plan.reclaim is not None:
        lines += ["", *_reclaim(plan.reclaim, view)]
    if plan.displaced or (plan.lower and plan.computed is Outcome.WAITS):
        lines += ["", *_preempt(plan, view)]
    if plan.remedies:
        lines += ["", view.paint("strong", "would help"), *_remedies(plan.remedies, view)]
    lines += ["", *paragraph(_not_decided(plan), view, "", "", "dim"), ""]
    parts = [f"shard {plan.shard.name}", "as if considered now"]
    if state.past is not None or plan.shard.time_aware is TimeAware.PROPOSAL:
        parts.insert(1, kai_figures.formula(plan.shard.time_aware, plan.shard.k))
    lines += [heading(parts, plan.fidelity, view), *gap_lines(plan.fidelity, view), *usage_lines(state.past, view)]
    return "\n".join(lines) + "\n"


def _not_decided(plan: KaiPlan) -> str:
    """What this answer leaves open, and how firm it is."""
    if plan.computed in (Outcome.ADMITTED, Outcome.PREEMPTS):
        return f"{_NOT_DECIDED} {_YES}"
    if plan.reclaim is None:
        return _NOT_DECIDED
    return f"{_NOT_DECIDED} {_FIRM if plan.reclaim.firm else _NOT_FIRM}"


def _verdict(plan: KaiPlan) -> str:
    """The outcome in one clause."""
    if plan.outcome is not Outcome.UNKNOWN:
        return _outcome(plan)
    gaps = [feature(gap) for gap in plan.fidelity.gaps if gap.touches]
    return f"unknown: {'; '.join(gaps) or 'KAI itself leaves it to chance'}"


def _outcome(plan: KaiPlan) -> str:
    if plan.computed is Outcome.ADMITTED:
        return "admitted now: enough is idle" if plan.job.next else "admitted: none of its pods waits"
    if plan.computed is Outcome.PREEMPTS:
        pods = sum(len(eviction.tasks) for eviction in plan.victims)
        jobs = len({eviction.job.name for eviction in plan.victims})
        who = f"{count(pods, 'pod')} of {count(jobs, 'job')}"
        if plan.displaced:
            return f"admitted after preempting {who} of its own queue with a lower priority"
        return f"admitted after reclaiming {who}"
    binding = _binding(plan)
    why = _why(plan) if binding is None else sentence(binding)
    return f"{'waits' if plan.computed is Outcome.WAITS else 'can never run'}: {why}"


def _binding(plan: KaiPlan) -> Step | None:
    """The last test that fails; that too little is idle is no reason where the attempt to reclaim says more."""
    failing = [step for step in plan.proof if not step.holds]
    idle = (Law.IDLE, Law.IDLE_NODE)
    tried = plan.reclaim is not None and all(step.holds for step in plan.reclaim.steps)
    if plan.misfits or (tried and all(step.law in idle for step in failing)):
        return None
    bounds = [step for step in failing if step.law not in idle]
    return next(iter(bounds or failing), None)


def _why(plan: KaiPlan) -> str:
    """Why a job whose every test holds gets nothing."""
    if plan.reclaim is None:
        return "a pod of it is larger than any node" if plan.misfits else "it asks for more than the cluster has"
    if plan.reclaim.left_out and not plan.reclaim.enough:
        return "all that fairness lets go is not enough"
    if not plan.reclaim.candidates:
        return "no job of another queue may be reclaimed from"
    if not plan.reclaim.enough:
        return "all that may be reclaimed is not enough"
    refused = (
        next((one for one in plan.reclaim.verdict.compared if not one.allowed), None) if plan.reclaim.verdict else None
    )
    if refused is not None:
        return f"no set of victims is fair: {_comparison(refused)}"
    return "the jobs that would have to give way may not be taken together"


def _job(plan: KaiPlan, view: View) -> list[str]:
    job = plan.job
    kind = "preemptible" if job.preemptible else "not preemptible"
    asked = [kai_figures.told(n, job.request.total[r]) for r, n in enumerate(RESOURCES) if job.request.total[r]]
    way = " → ".join((f"{job.group.key.namespace}/{job.name}", job.queue, *(s.queue.name for s in plan.chain[1:])))
    pods = f"{count(len(job.next), 'pod')} next"
    items = [way, f"priority {job.priority}", kind, f"{pods}: {', '.join(asked) or 'asks for nothing'}"]
    return wrapped("  ", items, view.width, indent="  ")


def _step(step: Step, view: View) -> list[str]:
    mark = "✓" if step.holds else "✗"
    cited = [c for fact in step.rests_on if isinstance(fact, Fact) and (c := view.cite(fact.place))]
    text = sentence(step) + (f"  ({', '.join(cited)})" if cited else "")
    lines = folded(f"{mark} {text}", view.width - 2, "  ")
    return [view.paint("" if step.holds else "wait", f"  {line}") for line in lines]


def _lower(job: Job, lost: int) -> str:
    loses = f", loses {count(lost, 'pod')}" if lost else ""
    return f"{job.name} (priority {job.priority}{loses})"


def _preempt(plan: KaiPlan, view: View) -> list[str]:
    """The jobs of its own queue with a lower priority, and how many pods each would lose."""
    lost: dict[str, int] = {}
    for eviction in plan.displaced:
        lost[eviction.job.name] = lost.get(eviction.job.name, 0) + len(eviction.tasks)
    names = [_lower(job, lost.get(job.name, 0)) for job in plan.lower[:_MOST]]
    more = len(plan.lower) - _MOST
    label = (
        "of its own queue, with a lower priority: " if lost else "not enough in its own queue with a lower priority: "
    )
    lines = wrapped("  " + label, [*names, *([f"{more} more"] if more > 0 else [])], view.width, ", ", "    ")
    return [view.paint("strong", "preempt"), *lines]


def _reclaim(reclaim: Reclaim, view: View) -> list[str]:
    lines = [view.paint("strong", "reclaim")]
    for step in reclaim.steps:
        lines += _step(step, view)
    if reclaim.candidates:
        lines += ["", *_candidates(reclaim, view)]
        if not (reclaim.ordered and reclaim.defined):
            text = "KAI itself leaves to chance which of these go, or whether they may: its order is that of a Go map"
            lines += paragraph(text, view, "", "", "wait")
    if reclaim.left_out:
        text = "kept, as no strategy lets them go after those before them: "
        lines += ["", *(view.paint("dim", line) for line in wrapped(text, reclaim.left_out[:_MOST], view.width, ", "))]
    if reclaim.passed_over:
        lines.append("")
    for passed in reclaim.passed_over:
        text = f"{count(passed.jobs, 'job')} of {passed.queue} passed over: {sentence(passed.step)}"
        lines += paragraph(text, view, "", "  ", "dim")
    return [*lines, *_judged(reclaim, view)]


def _candidates(reclaim: Reclaim, view: View) -> list[str]:
    """The candidates in victim order, and how many pods each would lose."""
    lost: dict[str, int] = {}
    for eviction in reclaim.taken:
        lost[eviction.job.name] = lost.get(eviction.job.name, 0) + len(eviction.tasks)
    columns = (
        Column("CANDIDATE", right=False),
        Column("QUEUE", right=False),
        Column("COMPARED", right=False, rank=1),
        Column("HOLDS", right=False),
        Column("MAY HOLD", right=False, rank=2),
        Column("LOSES", right=False),
        Column("", right=False, kept=False),
    )
    rows = [_row(one, lost.get(one.job.name, 0)) for one in reclaim.candidates[:_MOST]]
    lines = table(columns, rows, view)
    more = len(reclaim.candidates) - _MOST
    return [*lines, view.paint("dim", f"and {more} more")] if more > 0 else lines


def _row(one: Candidate, lost: int) -> Row:
    cells = (
        one.job.name,
        one.job.queue,
        f"{one.asker} : {one.victim}",
        _amounts(one.held),
        _bounds(one.allocatable),
        count(lost, "pod") if lost else "–",
        "elastic, safe below its minimum" if one.safe else "",
    )
    return Row(cells, "" if lost else "dim")


def _amounts(amounts: Resources) -> str:
    return kai_figures.told("gpu", amounts.gpu) if amounts.gpu else kai_figures.told("cpu", amounts.cpu)


def _bounds(amounts: Resources) -> str:
    return kai_figures.told_bound("gpu", amounts.gpu)


def _judged(reclaim: Reclaim, view: View) -> list[str]:
    """Each item that was judged, and the siblings that the asking side was held against."""
    verdict = reclaim.verdict
    if verdict is None:
        return []
    lines = ["", view.paint("strong", "judged together")]
    for judged in verdict.judged[:_MOST]:
        reason = "over its share" if judged.by_share else "over its quota, and the asker within its own"
        if not judged.allowed:
            reason = "neither over its share nor over its quota with the asker within its own"
        amount = _amounts(judged.item.total)
        text = f"{amount} of {judged.queue}: {judged.victim} holds {_amounts(judged.held)} then, {reason}"
        lines += _marked(judged.allowed, text, view)
    for compared in verdict.compared:
        lines += _marked(compared.allowed, _comparison(compared), view)
    return lines


def _comparison(compared: Compared | Bound) -> str:
    if isinstance(compared, Bound):
        return f"what cannot be preempted in {compared.queue} stays within its quota"
    resource = RESOURCES[compared.resource]
    ours, theirs = kai_figures.ratio(compared.ours), kai_figures.ratio(compared.theirs)
    times = f" × {kai_figures.number(compared.multiplier)}" if compared.multiplier != 1 else ""
    if compared.ours <= 1:
        return (
            f"{resource}: {compared.queue} at {ours} of its fair share, not above it ({compared.sibling} at {theirs})"
        )
    side = f"{compared.queue} at {ours}{times} of its fair share"
    return f"{resource}: {side} must stay below {compared.sibling} at {theirs}"


def _marked(holds: bool, text: str, view: View) -> list[str]:
    lines = folded(f"{'✓' if holds else '✗'} {text}", view.width - 2, "  ")
    return [view.paint("" if holds else "wait", f"  {line}") for line in lines]


def _remedies(remedies: Sequence[Remedy], view: View) -> list[str]:
    lines = []
    for remedy in remedies:
        then = "admitted" if remedy.outcome is Outcome.ADMITTED else f"{count(remedy.victims, 'job')} would give way"
        lines += paragraph(f"{_change(remedy, view)}: {then}", view)
    return lines


def _change(remedy: Remedy, view: View) -> str:
    if remedy.kind is RemedyKind.PREEMPTIBLE:
        return "make the job preemptible"
    parts = []
    for queue, resource, before, after, place in remedy.changes:
        cited = f" ({view.cite(place)})" if view.cite(place) else ""
        amounts = f"{kai_figures.bound(resource, before)} to {kai_figures.told(resource, after)}"
        parts.append(f"{queue} {resource}.{remedy.kind.value} from {amounts}{cited}")
    return f"raise {', '.join(parts)}"
