"""The derivation of a queue's fair share, term by term, with the file and line of every field."""

from typing import Final

from kubectl_fairshare.answers.blocks import Group, Layout, Remark, unfolded
from kubectl_fairshare.answers.derivation import derivation_blocks
from kubectl_fairshare.answers.documents import WrittenAnswer
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.shares_view import SharesView
from kubectl_fairshare.schedulers.kai.documents.shares import DERIVATION, kai_derivation_document
from kubectl_fairshare.schedulers.kai.explain.derivation import Derivation
from kubectl_fairshare.schedulers.kai.session.session import Session
from kubectl_fairshare.schedulers.kai.words.screens import figures as kai_figures
from kubectl_fairshare.schedulers.kai.words.screens.usage import usage_remarks
from kubectl_fairshare.schedulers.kai.words.sentences import sentence
from kubectl_fairshare.trace import Fact, Step

_WORDS: Final = (
    "Quotas come first, for every priority. Rounds then divide the rest, priority by priority: a queue gets the amount "
    "times its part over the sum of parts, cut to whole units (GPU, millicore, byte). Single units that the cuts left "
    "over come last."
)


def derivation_view(derivation: Derivation, session: Session, fidelity: Fidelity) -> SharesView:
    """The steps for each resource that is in use; each field is printed below the step that reads it."""
    shard, name = session.shard, f"Queue {derivation.queue}"
    of_shard = f"shard {shard.name}"
    groups: list[Group] = [[unfolded(name, "strong", ""), Remark(_WORDS, "dim", first="", more="")]]
    by_resource = {str(step.operand("resource")): step for step in derivation.steps}
    for resource in kai_figures.SHOWN:
        steps = derivation_blocks(by_resource[resource], sentence, _field, set())
        groups.append([unfolded(kai_figures.TITLES[resource], "strong", ""), *steps])
    if derivation.parent:
        groups.append([unfolded(f"For the share of {derivation.parent}: --explain {derivation.parent}.", "dim", "")])
    opening = (of_shard, kai_figures.formula(shard.time_aware, shard.k), "term by term")
    layout = Layout(opening, groups, [*usage_remarks(session.state.past)])
    document = WrittenAnswer(DERIVATION, kai_derivation_document(derivation, fidelity))
    return SharesView("--explain", f"{name}, term by term", "strong", fidelity, layout, document, (of_shard,))


def _field(fact: Fact, _: Step) -> str:
    """A field and its value."""
    path = ".".join(str(part) for part in fact.place.path[-2:])
    return f"{path} = {kai_figures.number(fact.value) if isinstance(fact.value, float) else fact.value}"
