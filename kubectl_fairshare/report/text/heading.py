"""The first lines of answers: the verdict, the release; and what the engine leaves out."""

from collections.abc import Sequence
from typing import Final

from kubectl_fairshare.answers.fidelity import ANY_NAMESPACE, NOT_GIVEN, TAKEN_AS_MISSING, UNREAD, Fidelity, Gap
from kubectl_fairshare.answers.tables import Tone
from kubectl_fairshare.model.phrases import some_of
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.report.text.closing import certainty
from kubectl_fairshare.report.text.paragraph import ended, paragraph
from kubectl_fairshare.report.text.table import folded, wrapped_items
from kubectl_fairshare.report.text.view import View

_OBJECTS: Final = frozenset({NOT_GIVEN, TAKEN_AS_MISSING})
_REMEDY: Final = "; give its manifest with -f (`{}`), or --complete if it does not exist"


def heading(parts: Sequence[str], fidelity: Fidelity, view: View) -> str:
    """The scheduler's release, and at the right end whether the answer is exact; folded where it is too long."""
    text = " · ".join((f"{fidelity.scheduler} {fidelity.version}", *parts))
    tone: Tone = "good" if fidelity.settled else "wait"
    return "\n".join(ended(folded(text, view.width, "  "), certainty(fidelity), tone, view))


def verdict_lines(verdict: str, tone: Tone, fidelity: Fidelity, view: View) -> list[str]:
    """The verdict as the first line, and at its right end whether it is exact: the last line says the same."""
    lines = [view.paint(tone, line) for line in folded(verdict, view.width, "  ")]
    return ended(lines, certainty(fidelity), "good" if fidelity.settled else "wait", view)


def release_lines(parts: Sequence[str], fidelity: Fidelity, view: View) -> list[str]:
    """Below a verdict: the scheduler's release and its mode, and how much there is; folded where it is too long."""
    return wrapped_items("", (f"{fidelity.scheduler} {fidelity.version}", *parts), view.width)


def gap_lines(fidelity: Fidelity, view: View) -> list[str]:
    """A line for each feature that is not modelled: whether it can touch the answer, and where it is asked for."""
    lines = _rules_lines(fidelity, view)
    for gap in fidelity.gaps:
        text = f"{_lacking(gap)}: {gap.subject if gap.feature in _OBJECTS else fidelity.clause(gap)}"
        cited = [c for c in map(view.cite, gap.places) if c]
        if cited:
            text += f" ({some_of(cited, 2)})"
        if gap.feature == NOT_GIVEN and gap.touches:
            text += _REMEDY.format(_command(gap.subject))
        tone: Tone = "wait" if gap.touches else "dim"
        lines += paragraph(text, view, "", "  ", tone)
    return lines


def _rules_lines(fidelity: Fidelity, view: View) -> list[str]:
    """That the release was not measured, by whose rules it is answered, and what it and those before it changed."""
    if not fidelity.rules_of:
        return []
    name = f"{fidelity.scheduler} {fidelity.version}"
    if not fidelity.modelled:
        return paragraph(f"not measured: {name}, answered by the rules of {fidelity.rules_of}", view, "", "  ", "dim")
    text = f"not measured: {name}, by the rules of {fidelity.rules_of}, as no known change since can touch this answer"
    if view.explained:  # the last lines list them
        return paragraph(text, view, "", "  ", "dim")
    changes = f": {'; '.join(fidelity.later)}" if view.wide else " (`--explain` lists them)"
    return paragraph(text + changes, view, "", "  ", "dim")


def missing_lines(fidelity: Fidelity, view: View) -> list[str]:
    """A line for each object that the input lacks and that can change the answer: the command that fetches it."""
    missing = tuple(gap for gap in fidelity.gaps if gap.feature == NOT_GIVEN and gap.touches)
    return gap_lines(replace(fidelity, gaps=missing, rules_of=""), view)


def doubt_lines(fidelity: Fidelity, view: View) -> list[str]:
    """What can change the answer in one sentence, and a line for each object that the input lacks."""
    others = replace(fidelity, gaps=tuple(gap for gap in fidelity.gaps if gap.feature != NOT_GIVEN))
    doubts = "; ".join(others.doubts)
    sentence = paragraph(f"not exact: {doubts}", view, tone="wait") if doubts else []
    return [*sentence, *missing_lines(fidelity, view)]


def _command(subject: str) -> str:
    """The command that prints an object, of its kind and name; all of the kind if there are ``and N more``."""
    kind, _, name = subject.partition(" ")
    if " " in name:
        return f"kubectl get {kind.lower()} -A -o yaml"
    namespace, _, own = name.rpartition("/")
    if namespace == ANY_NAMESPACE:
        return f"kubectl get {kind.lower()} -A --field-selector metadata.name={own} -o yaml"
    return f"kubectl get {kind.lower()} {own}{f' -n {namespace}' if namespace else ''} -o yaml"


def _lacking(gap: Gap) -> str:
    """In what way the engine lacks what a gap is about."""
    if gap.feature == NOT_GIVEN:
        return "not in the input" if gap.touches else "not in the input, taken as existing"
    if gap.feature == TAKEN_AS_MISSING:
        return "not in the input, taken as missing"
    lacking = "not known" if gap.feature == UNREAD else "not modelled"
    return lacking if gap.touches else f"{lacking}, cannot change this answer"
