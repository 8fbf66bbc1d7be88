"""How each figure of one node is computed, term by term, with the file and line of every field."""

from typing import Final

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.model.json import field_text
from kubectl_fairshare.report.text.closing import closing_lines
from kubectl_fairshare.report.text.derivation import derivation_lines
from kubectl_fairshare.report.text.heading import heading
from kubectl_fairshare.report.text.paragraph import paragraph
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.kueue.tree.derivation import Derivation
from kubectl_fairshare.schedulers.kueue.words.equations import quote
from kubectl_fairshare.schedulers.kueue.words.figures import pair_text
from kubectl_fairshare.schedulers.kueue.words.sentences import sentence
from kubectl_fairshare.trace import Fact, Step

_WORDS: Final = (
    "subtree: the quota of a node and of all nodes below it. local: the part of it that the node does not lend "
    "(lendingLimit). free: what the node can take now. potential: what it could take if no other node used anything. "
    "lent: see shares."
)


def derivation_screen(derivation: Derivation, fidelity: Fidelity, view: View, *, fair: bool) -> str:
    """Every figure of the node; figures of other nodes that it rests on are indented under it, each once."""
    parts = ("fair sharing" if fair else "classical", "term by term")
    lines = [heading(parts, fidelity, view), "", view.paint("strong", f"{derivation.kind} {derivation.name}")]
    lines += paragraph(_WORDS, view, "", "", "dim")
    known: set[object] = set()
    last: FlavorResource | None = None
    for step in derivation.steps:
        pair = _pair(step)
        if pair != last:
            lines += ["", view.paint("strong", pair_text(pair) if pair else "share")]
            last = pair
        lines += derivation_lines(step, sentence, _field, view, known)
    lines += ["", view.paint("dim", "For another node: --explain NAME."), ""]
    lines += closing_lines(
        f"{derivation.kind} {derivation.name}, term by term", "strong", fidelity, parts[:1], view, ""
    )
    return "\n".join(lines) + "\n"


def _pair(step: Step) -> FlavorResource | None:
    named = dict(step.operands)
    return FlavorResource(str(named["flavor"]), str(named["resource"])) if "flavor" in named else None


def _field(fact: Fact, step: Step) -> str:
    """A field that was read: its value, its object, and its name."""
    owner = fact.place.object
    name = f"{owner.namespace}/{owner.name}" if owner.namespace else owner.name
    value = quote(fact.value, dict(step.operands).get("resource"))
    return f"{value}  {name} {field_text(fact.place.path[-1:])}"
