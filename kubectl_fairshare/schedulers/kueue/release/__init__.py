"""The releases of Kueue that are reproduced: a release is a value that chooses laws, and this is where it does.

Each law that a release changed is a field of ``KueueRelease``; modules that hold laws read the field, never a number.
``changed_features`` are those that a release changed and that are not reproduced for it.
Source: the release notes of Kueue, and its own code at v0.19.2 and at ff69552, on the way to v0.20.0.
"""

import re
from typing import Final

from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.kueue.release.gates import GateChanges, gate_changes
from kubectl_fairshare.schedulers.kueue.release.later import OFTEN_CHANGED, later_changes, later_features, rules_of

NAME: Final = "kueue"
SCHEDULER: Final = "Kueue"
_FORM: Final = r"v?([0-9]{1,4})\.([0-9]{1,4})(?:\.([0-9]{1,4}))?(?:[-+].*)?"


class KueueRelease(Value, frozen=True):
    """A release of Kueue, and the laws that hold in it.

    - ``deduced``: nothing names it; it is the newest one that knows all names of the input
    - ``assumed``: nothing names the release, so that it is the usual one
    - ``measured``: decisions of this release, or of the code that it is made of, were compared
    - ``rules_of``: the measured release by whose rules a later one is answered, and ``later`` are its known changes
    - ``gates``: feature gates that differ from those of 0.19
    - ``limits_first``: missing requests are the limits before a LimitRange adds defaults, not after
    - ``uncovered_counts``: a resource that the queue does not cover gives the reason, whatever fits beside it
    - ``exact_amounts``: no amount is unlimited, sums of any size are exact, and a share is rounded once
    - ``pod_level_at_least``: requests of the pod as a whole count where they exceed those of the containers
    - ``pods_are_freed``: victims also free the resource ``pods``
    - ``own_label_keys``: only the keys of the flavor's own labels count in node affinity, else those of all flavors of
      the resource group
    - ``hopeless_last``: a flavor without candidates ranks below each one that can serve, whatever is preferred
    - ``every_misfit``: all resources that do not fit are named, else the first in the order of a Go map
    - ``reason_tokens``: there are reasons of attempts, and finer reasons of conditions
    - ``namespace_words``: the later texts on namespaces that are missing or not selected
    - ``negative_requests``: requests below 0 count as they are, else as 0
    - ``waits_for_pods``: waitForPodsReady is on unless the Configuration turns it off
    - ``most_pod_sets``: the largest number of pod sets of a Workload
    - ``serves_v1alpha1``: Cohorts, Topologies and more in v1alpha1 are served
    - ``keeps_scan``: the scan of flavors goes on in the next cycle where the workload was skipped, or quota given back
    - ``submitter_beside_head``: the submitter of a RayJob in SidecarMode counts
    - ``autoscaler_counts``: the autoscaler next to the head of a Ray cluster counts
    - ``pod_level_defaults``: resources of the pod as a whole get defaults of a LimitRange, and requests from limits
    - ``crashes_without_cohort``: with fair sharing, the manager dies when the candidates of a ClusterQueue without a
      cohort do not suffice
    - ``wrapping_amounts``: amounts are plain 64-bit integers: what does not fit counts 0 or wraps, and so do sums
    - ``transformations_apart``: what transformations produce is kept apart from what pods request
    - ``whole_inputs``: transformations round their input up to whole units
    - ``zero_counts``: a request of 0 counts in the search for victims
    - ``borrowing_by_share``: fair sharing takes a queue that borrows with a share of 0 for one that does not borrow
    - ``reclaims_clamped``: pods that can be reclaimed count at most as many as there are
    - ``milli_usage``: past usage is kept in milli-units, of which each scaling cuts off the rest
    - ``weight_divides``: past usage is divided by a weight of 0 too, so a LocalQueue that used nothing comes first
    - ``starts_as_admitted``: a manager that meets a LocalQueue takes what it holds now for its past usage
    - ``penalty_sums``: entry penalties are one sum for each LocalQueue, whatever its ClusterQueue orders by
    - ``needs_local_queues``: the scheduler stops where past usage orders a workload whose LocalQueue is gone
    - ``preferences_swapped``: each of the two preferences of flavors acts as the other
    - ``sure_leaders``: the search for a place of workers keeps one for their leader
    - ``groups_share_flavors``: a pod set of a group that requests nothing takes the others' flavors with a topology
    - ``zeros_need_no_room``: pods that request nothing but 0 fit on their nodes in a cycle, however full these are
    - ``books_replacements``: the place that replaces a lost node is taken for later heads of the cycle
    - ``search_replaces``: the search for victims needs a place for the pods of a lost node, else for all pods
    - ``slice_constraints``: pod sets can ask for slices within slices; before, the API server drops what they ask so
    - ``charges_on_nodes``: what pods take of nodes is what their Workload is charged, and not what they request
    - ``topology_errors_refuse``: a pod set that no flavor with a topology serves is refused, else it has no place
    - ``absent_first``: a resource that a node does not offer is named before others that keep pods off it
    - ``whole_domains``: a new place is in the very domain of the old one, and not in one whose name begins so, too
    - ``domains_apart``: a host may have the name of a domain; before, chance decides which of the two is seen
    - ``topology_label``: a label marks pods that a topology places, beside the annotations
    - ``settings_gone``: fields of the Configuration that the release does not know
    - ``changed_features``: features whose decisions the release changed in a way that is not reproduced
    - ``later_features``: features that a release which was not measured, or one before it, may have changed
    """

    text: str
    number: tuple[int, int, int] = (0, 19, 2)
    deduced: bool = False
    assumed: bool = False
    measured: bool = True
    rules_of: str = ""
    later: tuple[str, ...] = ()
    later_features: frozenset[str] = frozenset()
    gates: GateChanges = GateChanges()
    limits_first: bool = False
    uncovered_counts: bool = False
    exact_amounts: bool = False
    pod_level_at_least: bool = False
    pods_are_freed: bool = False
    own_label_keys: bool = True
    hopeless_last: bool = True
    every_misfit: bool = True
    reason_tokens: bool = True
    namespace_words: bool = True
    negative_requests: bool = False
    waits_for_pods: bool = True
    most_pod_sets: int = 18
    keeps_scan: bool = True
    submitter_beside_head: bool = True
    autoscaler_counts: bool = True
    pod_level_defaults: bool = True
    crashes_without_cohort: bool = False
    wrapping_amounts: bool = False
    transformations_apart: bool = True
    whole_inputs: bool = False
    zero_counts: bool = False
    borrowing_by_share: bool = False
    reclaims_clamped: bool = True
    milli_usage: bool = False
    weight_divides: bool = False
    starts_as_admitted: bool = False
    penalty_sums: bool = False
    needs_local_queues: bool = False
    preferences_swapped: bool = False
    sure_leaders: bool = True
    groups_share_flavors: bool = True
    zeros_need_no_room: bool = True
    books_replacements: bool = True
    search_replaces: bool = True
    slice_constraints: bool = True
    charges_on_nodes: bool = False
    topology_errors_refuse: bool = True
    absent_first: bool = False
    whole_domains: bool = True
    domains_apart: bool = True
    topology_label: bool = False
    settings_gone: frozenset[str] = frozenset()
    serves_v1beta1: bool = True
    serves_v1alpha1: bool = False
    changed_features: frozenset[str] = frozenset()

    def __str__(self) -> str:
        return self.text

    def may_be(self, last: tuple[int, int] | None) -> bool:
        """Whether it is ``last`` or an older minor release; no release is older than None."""
        return last is not None and self.number[:2] <= last


_FIRST_MEASURED: Final = {16: 9, 17: 8, 18: 6, 19: 2, 20: 0}
"""By minor release, the patch level that is meant where none is named: the first that was measured in whole."""
_MEASURED: Final = {16: range(9, 10), 17: range(8, 9), 18: range(7), 19: range(2, 8), 20: range(1)}
"""Releases whose changes are all known: measured, or published in whole and put into the measured code."""
_ZEROS_DROPPED: Final = frozenset({(0, 17, 8), (0, 18, 4), (0, 19, 0)})
"""Releases that drop requests of 0, so that nothing is left of some: these fit 0 times anywhere."""
_SETTINGS_OF_19: Final = frozenset(
    {
        "clusterProfile.accessProviders",
        "metrics.customLabels.sourceKind",
        "metrics.customLabels.trackedValues",
        "multiKueue.incrementalDispatcherConfig",
        "resources.deviceClassMappings.sources.capacity",
        "tls.curvePreferences",
    }
)

_SETTINGS_OF_18: Final = frozenset({"resources.deviceClassMappings.sources", "resources.quotaCheckStrategy"})
_SETTINGS_OF_17: Final = frozenset({"metrics.customLabels", "metrics.localQueueMetrics", "visibilityServer"})
"""Fields of the Configuration by the release that brought them."""


def release_named(text: str) -> KueueRelease:
    """The release that ``0.19``, ``0.20`` or ``v0.19.7`` names; without a patch level the first that is measured.

    One before the oldest measured one is taken as that, one after 0.20 as 0.20, and neither as measured. Raises
    ``ValueError``.
    """
    match = re.fullmatch(_FORM, text)
    if match is None:
        raise ValueError(f"`{text}` is not a release; write `0.16`, `0.20` or `0.20.1`")
    major, minor = int(match[1]), int(match[2])
    first = _FIRST_MEASURED.get(minor, 0) if major == 0 else 0
    number = (major, minor, first if match[3] is None else int(match[3]))
    plain = match[3] is None or (minor in _FIRST_MEASURED and number[2] == first)
    return _release(number, f"v{major}.{minor}" if plain else f"v{major}.{minor}.{number[2]}")


def of_line(minor: str, sign: str) -> KueueRelease:
    """A release of a line whose patch level is not known; ``sign`` is what names the line.

    It is answered by the rules of the patch level that was measured.
    """
    found = release_named(minor)
    number = ".".join(map(str, found.number))
    changes = (*found.later, f"{sign}; its patch level is not known")
    features = found.later_features | OFTEN_CHANGED
    return replace(found, measured=False, rules_of=f"v{number}", later=changes, later_features=features)


def _release(number: tuple[int, int, int], text: str) -> KueueRelease:
    next_one = number >= (0, 20, 0)
    minor = number[1] if number[0] == 0 else max(20, number[1])
    return KueueRelease(
        text,
        number,
        measured=number[0] == 0 and number[2] in _MEASURED.get(minor, ()),
        rules_of=rules_of(number),
        later=later_changes(number),
        later_features=later_features(number),
        gates=gate_changes(minor, number[2]),
        limits_first=number >= (0, 19, 3),
        uncovered_counts=number >= (0, 19, 4),
        exact_amounts=number >= (0, 19, 5),
        pod_level_at_least=number >= (0, 19, 6),
        pods_are_freed=minor <= 17 or number >= (0, 19, 7),
        own_label_keys=_has(number, {17: 6, 18: 2}),
        hopeless_last=_has(number, {18: 5, 19: 1}),
        every_misfit=_has(number, {18: 5, 19: 1}),
        reason_tokens=_has(number, {18: 5}),
        namespace_words=_has(number, {18: 5}),
        negative_requests=not _has(number, {18: 5, 19: 1}),
        waits_for_pods=minor >= 19,
        most_pod_sets=18 if minor >= 19 else 10 if minor == 18 else 8,
        keeps_scan=_has(number, {18: 5}),
        submitter_beside_head=_has(number, {18: 3}),
        autoscaler_counts=minor >= 19,
        pod_level_defaults=_has(number, {17: 7, 18: 3}),
        crashes_without_cohort=minor <= 17,
        wrapping_amounts=minor <= 17,
        transformations_apart=_has(number, {18: 6, 19: 1}),
        whole_inputs=not _has(number, {17: 7, 18: 3}),
        zero_counts=minor <= 16,
        borrowing_by_share=minor <= 16,
        reclaims_clamped=_has(number, {17: 8}),
        milli_usage=not _has(number, {18: 5, 19: 1}),
        weight_divides=not _has(number, {18: 5, 19: 1}),
        starts_as_admitted=not _has(number, {17: 7, 18: 3}),
        penalty_sums=not _has(number, {18: 5, 19: 1}),
        sure_leaders=_has(number, {18: 5, 19: 1}),
        groups_share_flavors=_has(number, {18: 5, 19: 1}),
        zeros_need_no_room=number not in _ZEROS_DROPPED,
        slice_constraints=minor >= 17,
        charges_on_nodes=not _has(number, {17: 5, 18: 1}),
        topology_errors_refuse=_has(number, {17: 5, 18: 1}),
        whole_domains=_has(number, {18: 6, 19: 2}),
        domains_apart=_has(number, {18: 5, 19: 1}),
        topology_label=minor <= 16,
        absent_first=not _has(number, {17: 8, 18: 4}),
        search_replaces=_has(number, {17: 8, 18: 4}),
        books_replacements=_has(number, {18: 6, 19: 2}),
        needs_local_queues=not _has(number, {17: 8, 18: 4}),
        preferences_swapped=(0, 16, 0) <= number < (0, 16, 2),
        settings_gone=_settings_gone(minor),
        serves_v1beta1=not next_one,
        serves_v1alpha1=number < (0, 14, 0),
        changed_features=_changed(number),
    )


def _settings_gone(minor: int) -> frozenset[str]:
    of_19 = frozenset() if minor >= 19 else _SETTINGS_OF_19
    of_18 = frozenset() if minor >= 18 else _SETTINGS_OF_18
    return of_19 | of_18 | (frozenset() if minor >= 17 else _SETTINGS_OF_17)


def _has(number: tuple[int, int, int], since: dict[int, int]) -> bool:
    """Whether a release has what came with a patch level of some lines, ``since``, and with every later line."""
    _, minor, patch = number
    return patch >= since[minor] if minor in since else number >= (0, max(since), 0)


def _changed(number: tuple[int, int, int]) -> frozenset[str]:
    """The features whose changes, after 0.19.2 or up to it, were only read of in release notes."""
    after = {
        "ElasticJobsViaWorkloadSlices": (0, 19, 3),
        "TopologyAwareScheduling": (0, 19, 4),
        "EmptyPodSets": (0, 19, 6),
        "ExcludedInputs": (0, 19, 6),
        "SparkApplication": (0, 19, 6),
        "AdmissionFairSharing": (0, 19, 3),
        "PodSetGroups": (0, 19, 7),
        "PreemptorFirst": (0, 19, 3),
        "PodGroups": (0, 19, 7),
    }
    before = {
        "FlavorScans": {18: 5},
        "ElasticJobsViaWorkloadSlices": {18: 6},
        "TopologyAwareScheduling": {16: 9, 17: 8},
        "AdmissionFairSharing": {16: 6, 17: 1},
    }
    return frozenset(
        {feature for feature, first in after.items() if number >= first}
        | {feature for feature, since in before.items() if not _has(number, since)}
    )


DEFAULT: Final = _release((0, 19, 2), "v0.19")
"""The newest release that was measured in whole."""
NEWEST: Final = _release((0, 20, 0), "v0.20")
