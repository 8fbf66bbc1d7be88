"""The part of the plan screen about other pods: whose may be taken, who gives way, who stays and why."""

from typing import Final

from kubectl_fairshare.report.text.figures import NOTHING, amount, count
from kubectl_fairshare.report.text.listing import rest, shown
from kubectl_fairshare.report.text.paragraph import paragraph
from kubectl_fairshare.report.text.table import Column, Row, table, wrapped
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.elasticquota.explain.decision import Plan
from kubectl_fairshare.schedulers.elasticquota.explain.proof import victim_step
from kubectl_fairshare.schedulers.elasticquota.laws import Law
from kubectl_fairshare.schedulers.elasticquota.model.objects import Pod
from kubectl_fairshare.schedulers.elasticquota.preemption.victims import Fate, Trial
from kubectl_fairshare.schedulers.elasticquota.words.sentences import sentence
from kubectl_fairshare.trace import Step

_SIDES: Final = (Law.WITHIN_MIN, Law.OVER_MIN)


def victim_lines(plan: Plan, view: View) -> list[str]:
    """Whose pods may be taken, and on the chosen node who leaves, in order, and who does not."""
    if not plan.attempt.trials:
        return []
    sides = [step for step in plan.proof if step.law in _SIDES]
    lines = [line for step in sides[:1] for line in paragraph(sentence(step), view)]
    chosen = plan.chosen
    if chosen is None:
        return lines
    return [*lines, *_leaving(chosen, view), *_put_back(chosen, view), *_spared(plan, view)]


def _leaving(chosen: Trial, view: View) -> list[str]:
    columns = (
        Column("#"),
        Column(f"GIVES WAY ON {chosen.node}", right=False),
        Column("PRIORITY"),
        Column("HOLDS"),
        Column("BREAKS", right=False, kept=False),
    )
    some = chosen.victims[: shown(chosen.victims, view)]
    rows = [Row((str(i), *_cells(fate))) for i, fate in enumerate(some, 1)]
    head, *body = (f"  {line}" for line in table(columns, rows, view))
    lines, last = [head], ""
    for line, fate in zip(body, some, strict=True):
        lines.append(line)
        why = _why(fate)
        if why != last:
            lines += [view.paint("dim", part) for part in paragraph(why, view, "     ", "     ")]
        last = why
    return [*lines, *rest(chosen.victims, view)]


def _cells(fate: Fate) -> tuple[str, ...]:
    pod = fate.taken.pod
    leaving = " (leaving already)" if pod.terminating else ""
    return pod.name + leaving, str(pod.priority), held(pod), ", ".join(b.key.name for b in fate.budgets)


def held(pod: Pod) -> str:
    """What a pod costs its quota."""
    amounts = (f"{amount(r, pod.charge.of(r))} {r}" for r in pod.charge.listed() if pod.charge.of(r))
    return ", ".join(amounts) or NOTHING


def _why(fate: Fate) -> str:
    """What made the pod a candidate, and what needs it gone."""
    step = victim_step(fate)
    below = [sentence(part) for part in step.rests_on if isinstance(part, Step)]
    return "; ".join((*below, sentence(step)))


def _put_back(chosen: Trial, view: View) -> list[str]:
    spared = [f.taken.pod.name for f in chosen.fates if not f.leaves]
    if not spared:
        return []
    return [
        *wrapped("  put back, as it fits without: ", spared[: shown(spared, view)], view.width, ", "),
        *rest(spared, view),
    ]


def _spared(plan: Plan, view: View) -> list[str]:
    """Why the others on the node stay, by reason."""
    lines: list[str] = []
    for law in sorted({law for _, law in plan.spared}):
        names = [pod.name for pod, found in plan.spared if found is law]
        who = names[0] if len(names) == 1 else f"{names[0]} and {count(len(names) - 1, 'other')}"
        lines += paragraph(f"not taken: {who}: {sentence(Step(law, (), holds=False))}", view)
    return lines
