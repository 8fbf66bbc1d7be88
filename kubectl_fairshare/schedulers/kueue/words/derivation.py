"""How each figure of one node is computed, term by term, with the file and line of every field."""

from typing import Final

from kubectl_fairshare.answers.blocks import Block, Layout, Remark, unfolded
from kubectl_fairshare.answers.derivation import derivation_blocks
from kubectl_fairshare.answers.documents import WrittenAnswer
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.shares_view import SharesView
from kubectl_fairshare.model.json import field_text
from kubectl_fairshare.schedulers.kueue.documents.shares import DERIVATION, derivation_document
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


def derivation_view(derivation: Derivation, fidelity: Fidelity, *, fair: bool) -> SharesView:
    """Every figure of the node; figures of other nodes that it rests on are indented under it, each once."""
    name, mode = f"{derivation.kind} {derivation.name}", "fair sharing" if fair else "classical"
    groups: list[list[Block]] = [[unfolded(name, "strong", ""), Remark(_WORDS, "dim", first="", more="")]]
    known: set[object] = set()
    last: FlavorResource | None = None
    for step in derivation.steps:
        pair = _pair(step)
        if pair != last:
            groups.append([unfolded(pair_text(pair) if pair else "share", "strong", "")])
            last = pair
        groups[-1] += derivation_blocks(step, sentence, _field, known)
    groups.append([unfolded("For another node: --explain NAME.", "dim", "")])
    layout = Layout((mode, "term by term"), groups)
    document = WrittenAnswer(DERIVATION, derivation_document(derivation, fidelity))
    return SharesView("--explain", f"{name}, term by term", "strong", fidelity, layout, document, (mode,))


def _pair(step: Step) -> FlavorResource | None:
    named = dict(step.operands)
    return FlavorResource(str(named["flavor"]), str(named["resource"])) if "flavor" in named else None


def _field(fact: Fact, step: Step) -> str:
    """A field that was read: its value, its object, and its name."""
    owner = fact.place.object
    name = f"{owner.namespace}/{owner.name}" if owner.namespace else owner.name
    value = quote(fact.value, dict(step.operands).get("resource"))
    return f"{value}  {name} {field_text(fact.place.path[-1:])}"
