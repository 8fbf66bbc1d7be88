"""What of an input a release may have changed that is answered by the rules of an earlier one.

Tested in ``tests/unit/schedulers/kueue/test_later_releases.py``.
"""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.release.later import CHECKS, DEVICES, SHARING, SLICES, STOPPING, TOPOLOGY

_FIELDS: Final = {
    SHARING: "admission fair sharing",
    SLICES: "slices of elastic jobs",
    TOPOLOGY: "how pods are placed by topology",
    CHECKS: "admission checks",
    DEVICES: "which devices count",
    STOPPING: "stopPolicy",
}
LATER_WORDS: Final = {
    f"Later{feature}": f"{words}: Kueue {{0}} may have changed that, and was not measured"
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
