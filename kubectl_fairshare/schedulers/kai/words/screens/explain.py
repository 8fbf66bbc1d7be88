"""How a queue's fair share comes about, term by term, with the file and line of every field."""

from typing import Final

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.report.text.derivation import derivation_lines
from kubectl_fairshare.report.text.heading import heading
from kubectl_fairshare.report.text.paragraph import paragraph
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.kai.explain.derivation import Derivation
from kubectl_fairshare.schedulers.kai.model.objects import Shard
from kubectl_fairshare.schedulers.kai.model.usage import PastUsage
from kubectl_fairshare.schedulers.kai.words.screens import figures as kai_figures
from kubectl_fairshare.schedulers.kai.words.screens.usage import usage_lines
from kubectl_fairshare.schedulers.kai.words.sentences import sentence
from kubectl_fairshare.trace import Fact, Step

_WORDS: Final = (
    "Quotas first, whatever the priority; then rounds by priority: an amount times the queue's part of all parts, cut "
    "to whole units (GPU, thousandth of a core, byte); then single units for what was cut off."
)


def kai_derivation_screen(
    derivation: Derivation, shard: Shard, past: PastUsage | None, fidelity: Fidelity, view: View
) -> str:
    """The steps for each resource that plays a part; fields that were read stand under the step that uses them."""
    parts = (f"shard {shard.name}", kai_figures.formula(shard.time_aware, shard.k), "term by term")
    lines = [heading(parts, fidelity, view), *usage_lines(past, view), ""]
    lines.append(view.paint("strong", f"Queue {derivation.queue}"))
    lines += paragraph(_WORDS, view, "", "", "dim")
    by_resource = {str(step.operand("resource")): step for step in derivation.steps}
    for resource in kai_figures.SHOWN:
        step = by_resource[resource]
        lines += ["", view.paint("strong", kai_figures.TITLES[resource])]
        lines += derivation_lines(step, sentence, _field, view, set())
    parent = derivation.parent
    if parent:
        lines += ["", view.paint("dim", f"What {parent} has to divide: --explain {parent}.")]
    return "\n".join(lines) + "\n"


def _field(fact: Fact, _: Step) -> str:
    """A field that was read, and its value."""
    path = ".".join(str(part) for part in fact.place.path[-2:])
    return f"{path} = {kai_figures.number(fact.value) if isinstance(fact.value, float) else fact.value}"
