"""What of an input a release may have changed that is answered by the rules of an earlier one.

Tested in ``tests/unit/schedulers/kueue/test_later_releases.py``.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from kubectl_fairshare.answers.fidelity import Gap
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import Pending
from kubectl_fairshare.schedulers.kueue.release.later import CHECKS, DEVICES, SHARING, SLICES, STOPPING, TOPOLOGY

_FIELDS: Final = {
    SHARING: "admission fair sharing",
    SLICES: "slices of elastic jobs",
    TOPOLOGY: "how pods are placed by topology",
    CHECKS: "admission checks",
    DEVICES: "which devices count",
    STOPPING: "stopPolicy",
}
_NONE: Final = "None"
LATER_WORDS: Final = {
    f"Later{feature}": f"{words}: Kueue {{0}} may have changed that, and was not measured"
    for feature, words in _FIELDS.items()
}
"""The gaps in clauses; {0} is the release."""


def later_gaps(state: KueueState, asked: Iterable[Pending] = ()) -> Iterator[Gap]:
    """The features that the input uses and that a release which was not measured may have changed.

    Workloads that are ``asked`` for count as those that wait do.
    """
    release = state.configuration.release
    if not release.later_features:
        return
    for feature, places in _uses(state, (*state.pending, *asked)).items():
        if feature in release.later_features and places:
            yield Gap(f"Later{feature}", tuple(dict.fromkeys(places)), touches=True, subject=release.text)


def _uses(state: KueueState, workloads: Sequence[Pending]) -> Mapping[str, Sequence[Place]]:
    """Where the input uses each feature that later releases changed."""
    queues, settings = state.cluster_queues.values(), state.configuration
    shared = queues if settings.admission_sharing is not None else ()
    flavors = state.flavors.values() if settings.topology else ()
    claims = [p for w in workloads if w.refusal is not None for p in w.refusal.places if "resourceClaims" in p.path]
    mapped = tuple(Place(q.key, ()) for q in queues) if settings.device_resources or settings.sourced_classes else ()
    stopped = [q.key for q in queues if q.stop_policy != _NONE]
    stopped += [q.key for q in state.local_queues.values() if q.stop_policy != _NONE]
    return {
        SHARING: [Place(q.key, ("spec", "admissionScope")) for q in shared if q.admission_scope],
        SLICES: [Place(w.source or w.key) for w in workloads if w.replaces is not None],
        TOPOLOGY: [Place(f.key, ("spec", "topologyName")) for f in flavors if f.topology],
        CHECKS: [Place(q.key, ("spec", "admissionChecksStrategy")) for q in queues if q.checks],
        DEVICES: [*claims, *mapped],
        STOPPING: [Place(key, ("spec", "stopPolicy")) for key in stopped],
    }
