"""How each figure of one node comes about, term by term, with the file and line of every field."""

from typing import Final

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.model.json import field_text
from kubectl_fairshare.report.text import figures
from kubectl_fairshare.report.text.heading import heading
from kubectl_fairshare.report.text.paragraph import paragraph
from kubectl_fairshare.report.text.table import folded
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.kueue.tree.derivation import Derivation
from kubectl_fairshare.schedulers.kueue.words.equations import quote
from kubectl_fairshare.schedulers.kueue.words.sentences import sentence
from kubectl_fairshare.trace import Fact, Step

_DEEPEST: Final = 12
_WORDS: Final = (
    "subtree: what a node may use by right. local: what of it never leaves the node (lendingLimit). free: what it "
    "could take now. potential: what it could take if nobody else used anything. lent: see shares."
)


def derivation_screen(derivation: Derivation, fidelity: Fidelity, view: View, *, fair: bool) -> str:
    """Every figure of the node; figures of other nodes that it rests on are indented under it, each once."""
    parts = ("fair sharing" if fair else "classical", "term by term")
    lines = [heading(parts, fidelity, view), "", view.paint("strong", f"{derivation.kind} {derivation.name}")]
    lines += paragraph(_WORDS, view, "", "", "dim")
    told: set[object] = set()
    last: FlavorResource | None = None
    for step in derivation.steps:
        pair = _pair(step)
        if pair != last:
            lines += ["", view.paint("strong", figures.pair(pair) if pair else "share")]
            last = pair
        lines += _step_lines(step, told, view)
    lines += ["", view.paint("dim", "The terms of another node: --explain NAME.")]
    return "\n".join(lines) + "\n"


def _pair(step: Step) -> FlavorResource | None:
    named = dict(step.operands)
    return FlavorResource(str(named["flavor"]), str(named["resource"])) if "flavor" in named else None


def _step_lines(step: Step, told: set[object], view: View) -> list[str]:
    """A step and what it rests on, indented; a step that was told before is not told again."""
    lines: list[str] = []
    to_come: list[tuple[Step | Fact, Step, int]] = [(step, step, 1)]
    while to_come:
        part, owner, depth = to_come.pop()
        indent = "  " * min(depth, _DEEPEST)
        if isinstance(part, Fact):
            lines.append(_fact_line(part, owner, indent + "  ", view))
        elif (known := (part.law, part.operands)) not in told:
            told.add(known)
            first, *more = folded(sentence(part), view.width - len(indent), indent + "    ")
            lines += [indent + first, *more]
            to_come.extend((below, part, depth + 1) for below in reversed(part.rests_on))
    return lines


def _fact_line(fact: Fact, step: Step, indent: str, view: View) -> str:
    """A field that was read: where it stands, whose it is, and its value."""
    owner = fact.place.object
    name = f"{owner.namespace}/{owner.name}" if owner.namespace else owner.name
    value = quote(fact.value, dict(step.operands).get("resource"))
    text = f"{indent}{value}  {name} {field_text(fact.place.path[-1:])}"
    cited = view.cite(fact.place)
    return view.paint("dim", f"{text}  {cited}" if cited else text)
