"""The first line of every answer, and what the engine leaves out."""

from collections.abc import Sequence
from typing import Final

from kubectl_fairshare.engines.fidelity import Fidelity, Gap
from kubectl_fairshare.render.text.table import folded
from kubectl_fairshare.render.text.view import View

_FEATURES: Final = {
    "AdmissionCheckStateUnknown": "the state of AdmissionCheck {0} is not in the input",
    "AdmissionFairSharing": "admission fair sharing (queues ordered by past usage)",
    "ConcurrentAdmission": "concurrent admission",
    "MultiKueue": "what MultiKueue does with it once it has quota here",
    "NamespacePresumed": "namespace {0} is not in the input and taken as existing",
    "TopologyAwareScheduling": "topology-aware scheduling (where on the nodes the pods fit)",
    "WaitForPodsReady.blockAdmission": "waitForPodsReady.blockAdmission (one admission at a time)",
}


def heading(parts: Sequence[str], fidelity: Fidelity, view: View) -> str:
    """``Kueue v0.19 · …``, and at the right end whether the answer is exact. Too long a line is not cut."""
    text = " · ".join((f"{fidelity.scheduler} {fidelity.version}", *parts))
    verdict = "exact" if fidelity.exact else "not exact"
    room = max(view.width - len(text) - len(verdict), 2)
    return text + " " * room + view.paint("good" if fidelity.exact else "wait", verdict)


def gap_lines(fidelity: Fidelity, view: View) -> list[str]:
    """A line for each feature that is not modelled: whether it can touch the answer, and where it is asked for."""
    lines = []
    for gap in fidelity.gaps:
        text = f"{'not modelled' if gap.touches else 'not modelled, cannot touch this'}: {feature(gap)}"
        cited = [c for c in map(view.cite, gap.places) if c]
        if cited:
            more = f" and {len(cited) - 2} more" if len(cited) > 2 else ""
            text += f" ({', '.join(cited[:2])}{more})"
        tone = "wait" if gap.touches else "dim"
        lines += [view.paint(tone, line) for line in folded(text, view.width, "  ")]
    return lines


def feature(gap: Gap) -> str:
    """What is not modelled, in words; a setting that has none is named as it is."""
    return _FEATURES.get(gap.feature, gap.feature).format(gap.subject)
