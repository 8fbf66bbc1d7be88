"""The last line of an answer: the verdict once more, where the eye rests after a long screen."""

from collections.abc import Sequence
from itertools import chain

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.tables import Tone
from kubectl_fairshare.report.text.paragraph import paragraph
from kubectl_fairshare.report.text.table import folded, width
from kubectl_fairshare.report.text.view import View

SIGN = "⇒"
_ASSUMED = "--release assumed"


def exactness(fidelity: Fidelity, parts: Sequence[str] = ()) -> str:
    """How sure the answer is, and what it reproduces: ``exact (SCHEDULER v1.2, its mode)``.

    A release that nothing names is said to be assumed, with the option that names another one.
    """
    version = fidelity.version.replace(" (", ", ").replace(")", "")
    assumed = (_ASSUMED,) if fidelity.assumed else ()
    release = ", ".join((f"{fidelity.scheduler} {version}", *parts, *assumed))
    return f"{certainty(fidelity)} ({release})"


def certainty(fidelity: Fidelity) -> str:
    """``exact``, ``by the rules of`` an older release, ``not exact``, or one of several outcomes that ties allow."""
    if not fidelity.modelled:
        return "not exact"
    if fidelity.settled:
        return f"by the rules of {fidelity.rules_of}" if fidelity.rules_of else "exact"
    if fidelity.outcomes == 1:
        return "one of several possible outcomes"
    return f"one of {fidelity.outcomes}{'' if fidelity.all_outcomes else ' or more'} possible outcomes"


def closing_lines(
    verdict: str, tone: Tone, fidelity: Fidelity, parts: Sequence[str], view: View, end: str
) -> list[str]:
    """``⇒ not now · exact (SCHEDULER v1.2, its mode)``; ``tone`` is that of the verdict.

    ``end`` is at the right end, if there is room: the first line has it, too. Before it is what changed since the
    release by whose rules is answered, if that is asked for.
    """
    lines = folded(f"{SIGN} {verdict} · {exactness(fidelity, parts)}", view.width, "  ")
    gap = view.width - width(lines[-1]) - width(end)
    painted = [view.paint(tone, line) for line in lines]
    last = painted[-1] + " " * gap + view.paint("dim", end) if end and gap > 1 else painted[-1]
    return [*change_lines(fidelity, view), *painted[:-1], last]


def change_lines(fidelity: Fidelity, view: View) -> list[str]:
    """What changed since the release by whose rules is answered, a paragraph for each patch, if that is asked for."""
    if not (view.explained and fidelity.rules_of):
        return []
    title = f"since {fidelity.rules_of}, up to {fidelity.scheduler} {fidelity.version}:"
    lines = (paragraph(change, view, "  ", "    ") for change in fidelity.later)
    return [title, *chain.from_iterable(lines), ""]
