"""The derivation of a queue's fair share, term by term, with the file and line of every field."""

from typing import Final

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.report.text.closing import closing_lines
from kubectl_fairshare.report.text.derivation import derivation_lines
from kubectl_fairshare.report.text.drawing import lines_of
from kubectl_fairshare.report.text.heading import heading
from kubectl_fairshare.report.text.paragraph import paragraph
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.kai.explain.derivation import Derivation
from kubectl_fairshare.schedulers.kai.model.objects import Shard
from kubectl_fairshare.schedulers.kai.model.usage import PastUsage
from kubectl_fairshare.schedulers.kai.words.screens import figures as kai_figures
from kubectl_fairshare.schedulers.kai.words.screens.usage import usage_remarks
from kubectl_fairshare.schedulers.kai.words.sentences import sentence
from kubectl_fairshare.trace import Fact, Step

_WORDS: Final = (
    "Quotas come first, for every priority. Rounds then divide the rest, priority by priority: a queue gets the amount "
    "times its part over the sum of parts, cut to whole units (GPU, millicore, byte). Single units that the cuts left "
    "over come last."
)


def kai_derivation_screen(
    derivation: Derivation, shard: Shard, past: PastUsage | None, fidelity: Fidelity, view: View
) -> str:
    """The steps for each resource that is in use; each field is printed below the step that reads it."""
    parts = (f"shard {shard.name}", kai_figures.formula(shard.time_aware, shard.k), "term by term")
    lines = [heading(parts, fidelity, view), *lines_of(usage_remarks(past), view), ""]
    lines.append(view.paint("strong", f"Queue {derivation.queue}"))
    lines += paragraph(_WORDS, view, "", "", "dim")
    by_resource = {str(step.operand("resource")): step for step in derivation.steps}
    for resource in kai_figures.SHOWN:
        step = by_resource[resource]
        lines += ["", view.paint("strong", kai_figures.TITLES[resource])]
        lines += derivation_lines(step, sentence, _field, view, set())
    parent = derivation.parent
    if parent:
        lines += ["", view.paint("dim", f"For the share of {parent}: --explain {parent}.")]
    closing = closing_lines(f"Queue {derivation.queue}, term by term", "strong", fidelity, parts[:1], view, "")
    lines += ["", *closing]
    return "\n".join(lines) + "\n"


def _field(fact: Fact, _: Step) -> str:
    """A field and its value."""
    path = ".".join(str(part) for part in fact.place.path[-2:])
    return f"{path} = {kai_figures.number(fact.value) if isinstance(fact.value, float) else fact.value}"
