"""What of an input may differ between a release and the measured one by whose rules it is answered.

Decides nothing: which known changes of later patches concern an input.
Tested in ``tests/unit/schedulers/kueue/test_later_releases.py`` and ``test_earlier_releases.py`` there.
"""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.release import patch

_FIELDS: Final = {
    patch.SHARING: "admission fair sharing",
    patch.SLICES: "slices of elastic jobs",
    patch.TOPOLOGY: "how pods are placed by topology",
    patch.CHECKS: "admission checks",
    patch.DEVICES: "which devices count",
    patch.STOPPING: "stopPolicy",
    patch.FAIR: "fair sharing",
    patch.LABELS: "which labels of flavors count for the nodes that pods choose",
    patch.AMOUNTS: "amounts near the bounds of 64 bits, and below 0",
    patch.PREFERENCES: "which of several flavors is preferred",
    patch.RAY: "what Ray clusters ask for",
    patch.POD_LEVEL: "resources of the pod as a whole",
    patch.RECLAIMS: "pods that can be reclaimed",
    patch.TRANSFORMED: "transformations of resources",
    patch.EQUAL_HEADS: "which of two heads of one moment comes first",
    patch.NO_REQUESTS: "Workloads that request nothing",
}
LATER_WORDS: Final = {
    f"Later{feature}": f"{words}: patch releases changed that, and Kueue {{0}} was not measured"
    for feature, words in _FIELDS.items()
}
"""The gaps in clauses; {0} is the release."""


def later_release_gaps(state: KueueState) -> Iterator[Gap]:
    """The features that the input uses and that a release which was not measured may have changed."""
    release = state.configuration.release
    if not release.later_features:
        return
    for feature, places in state.often_changed.items():
        if feature in release.later_features and places:
            yield Gap(f"Later{feature}", tuple(dict.fromkeys(places)), touches=True, subject=release.text)
