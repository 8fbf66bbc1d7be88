"""The laws of decisions, requests and texts that releases of Kueue changed, as a table: a row each.

Source: change numbers are those of Kueue's repository; the patch level of each was looked up in the code of the
releases, and the recordings of v0.16.9, v0.17.8, v0.18.0 to v0.18.6, v0.19.2 and v0.20.0 pin what they are about.
Tested in ``tests/unit/schedulers/kueue/test_laws_by_release.py``.
"""

from typing import Final

from kubectl_fairshare.schedulers.kueue.release.law import ReleaseLaw

_ON_18_5: Final = {"0.18.5": True, "0.19.0": False, "0.19.1": True}
_OFF_18_5: Final = {"0.18.5": False, "0.19.0": True, "0.19.1": False}
"""What both lines got within a week, each in a patch of its own."""

AMOUNTS: Final = (
    ReleaseLaw(
        "limits_first",
        "Missing requests are the limits before a LimitRange adds defaults, not after.",
        "#15023",
        False,
        {"0.19.3": True},
    ),
    ReleaseLaw(
        "exact_amounts",
        "No amount is unlimited, sums of any size are exact, and a share is rounded once.",
        "#15026, #15653",
        False,
        {"0.19.5": True},
    ),
    ReleaseLaw(
        "wrapping_amounts",
        "Amounts are plain 64-bit integers: what does not fit counts 0 or wraps, and so do sums.",
        "#11156, #11182, #11139",
        True,
        {"0.18.0": False},
    ),
    ReleaseLaw(
        "sums_saturate",
        "What the pod sets before one got and what it requests add up to no more than the largest integer of 64 bits.",
        "#11137, #11140",
        False,
        {"0.16.8": True, "0.17.0": False, "0.17.3": True},
    ),
    ReleaseLaw(
        "wrapping_requests",
        "A request of another resource than cpu that does not fit into 64 bits counts 0 or wraps.",
        "#14113, #14112",
        True,
        _OFF_18_5,
    ),
    ReleaseLaw(
        "pod_level_at_least",
        "Requests of the pod as a whole count where they exceed those of the containers, resource by resource.",
        "#16047",
        False,
        {"0.19.6": True},
    ),
    ReleaseLaw(
        "pod_level_defaults",
        "Resources of the pod as a whole get defaults of a LimitRange, and requests from limits.",
        "#12334, #12780, #12731",
        False,
        {"0.17.7": True, "0.18.0": False, "0.18.3": True},
    ),
    ReleaseLaw(
        "negative_requests",
        "Requests below 0 count as they are, otherwise as 0.",
        "#12838, #13391",
        True,
        _OFF_18_5,
    ),
    ReleaseLaw(
        "transformations_apart",
        "What transformations produce is kept apart from what pods request.",
        "#13986, #14032",
        False,
        _ON_18_5,
    ),
    ReleaseLaw(
        "whole_inputs",
        "Transformations round their input up to whole units.",
        "#12962, #12961",
        True,
        {"0.17.7": False, "0.18.0": True, "0.18.3": False},
    ),
    ReleaseLaw(
        "reclaims_clamped",
        "Pods that can be reclaimed count at most as many as there are.",
        "#12959, #13044",
        False,
        {"0.17.7": True, "0.18.0": False, "0.18.3": True},
    ),
    ReleaseLaw(
        "submitter_beside_head",
        "The submitter of a RayJob in SidecarMode counts.",
        "#12725, #12726, #12454",
        False,
        {"0.17.7": True, "0.18.0": False, "0.18.3": True},
    ),
    ReleaseLaw(
        "redis_cleanup_counts",
        "The head of a Ray cluster with fault tolerance requests at least what the cleanup of Redis needs.",
        "#11260, #12395",
        False,
        {"0.17.6": True, "0.18.0": False, "0.18.2": True},
    ),
    ReleaseLaw(
        "autoscaler_counts",
        "The autoscaler next to the head of a Ray cluster counts.",
        "#12405",
        False,
        {"0.19.0": True},
    ),
    ReleaseLaw(
        "trainer",
        "The release of Kubeflow's Trainer whose code renders a TrainJob.",
        "the modules that Kueue requires; the code of Trainer v2.1.0, v2.2.1 and v2.3.0",
        "2.1",
        {"0.17.0": "2.2", "0.20.0": "2.3"},
    ),
    ReleaseLaw(
        "per_node_merges",
        "A TrainJob's resourcesPerNode replace those of its runtime resource by resource, and need an `mlPolicy`; "
        "otherwise they replace all, and JAX needs a trainer.",
        "the code of Trainer v2.2.1 and v2.3.0",
        False,
        {"0.20.0": True},
    ),
    ReleaseLaw(
        "waits_for_pods",
        "waitForPodsReady is on unless the Configuration turns it off.",
        "the Configuration's defaults",
        False,
        {"0.19.0": True},
    ),
)
"""What a job asks for, and how amounts add up."""

FLAVORS: Final = (
    ReleaseLaw(
        "own_label_keys",
        "Only the keys of the flavor's own labels count in node affinity, otherwise those of all flavors of the group.",
        "#12449, #12488",
        False,
        {"0.17.6": True, "0.18.0": False, "0.18.2": True},
    ),
    ReleaseLaw(
        "preferences_swapped",
        "Each of the two preferences of flavors acts as the other.",
        "#9464, #9486",
        False,
        {"0.16.0": True, "0.16.2": False},
    ),
    ReleaseLaw(
        "hopeless_last",
        "A flavor without candidates ranks below each one that can serve, whatever is preferred.",
        "#13896, #13903",
        False,
        _ON_18_5,
    ),
    ReleaseLaw(
        "every_misfit",
        "All resources that do not fit are named, otherwise the first in the order of a Go map.",
        "#13487, #13503, #13755",
        False,
        _ON_18_5,
    ),
    ReleaseLaw(
        "uncovered_counts",
        "A resource that the queue does not cover gives the reason, whatever else fits.",
        "#15304",
        False,
        {"0.19.4": True},
    ),
    ReleaseLaw(
        "keeps_scan",
        "The scan of flavors goes on in the next cycle where the workload was skipped, or quota given back.",
        "#13956",
        False,
        _ON_18_5,
    ),
)
"""Which flavors a Workload gets."""

PREEMPTION: Final = (
    ReleaseLaw(
        "pods_are_freed",
        "Victims also free the resource `pods`.",
        "#13487, #16200",
        True,
        {"0.18.0": False, "0.19.7": True},
    ),
    ReleaseLaw(
        "zero_counts",
        "A request of 0 counts in the search for victims.",
        "#9808",
        True,
        {"0.17.0": False},
    ),
    ReleaseLaw(
        "borrowing_by_share",
        "Fair sharing takes a queue that borrows with a share of 0 for one that does not borrow.",
        "the code of v0.16.9 and v0.17.0",
        True,
        {"0.17.0": False},
    ),
    ReleaseLaw(
        "crashes_without_cohort",
        "With fair sharing, the manager dies when the candidates of a ClusterQueue without a cohort do not suffice.",
        "#10891",
        True,
        {"0.18.0": False},
    ),
)
"""Who is preempted."""

PAST_USAGE: Final = (
    ReleaseLaw(
        "milli_usage",
        "Past usage is kept in milli-units, of which each scaling cuts off the rest.",
        "#13761, #13763",
        True,
        _OFF_18_5,
    ),
    ReleaseLaw(
        "weight_divides",
        "Past usage is divided by a weight of 0 too, so a LocalQueue that used nothing comes first.",
        "#13481, #13559",
        True,
        _OFF_18_5,
    ),
    ReleaseLaw(
        "starts_as_admitted",
        "A manager that meets a LocalQueue takes what it holds now for its past usage.",
        "#12891, #12932, #12933",
        True,
        {"0.17.7": False, "0.18.0": True, "0.18.3": False},
    ),
    ReleaseLaw(
        "penalty_sums",
        "Entry penalties are one sum for each LocalQueue, whatever its ClusterQueue orders by.",
        "#13795, #13805, #13851, #13853",
        True,
        _OFF_18_5,
    ),
    ReleaseLaw(
        "needs_local_queues",
        "The scheduler stops where past usage orders a workload whose LocalQueue is gone.",
        "#13264, #13265",
        True,
        {"0.17.8": False, "0.18.0": True, "0.18.4": False},
    ),
)
"""Admission fair sharing."""

TOPOLOGIES: Final = (
    ReleaseLaw(
        "sure_leaders",
        "The search for a place of workers keeps one for their leader.",
        "#13766, #13767",
        False,
        _ON_18_5,
    ),
    ReleaseLaw(
        "groups_share_flavors",
        "A pod set of a group that requests nothing takes the others' flavors with a topology.",
        "#13859, #13862",
        False,
        _ON_18_5,
    ),
    ReleaseLaw(
        "zeros_need_no_room",
        "Pods that request nothing but 0 fit on their nodes in a cycle, however full these are.",
        "#13326, #13788",
        True,
        {"0.17.8": False, "0.18.0": True, "0.18.4": False, "0.18.5": True, "0.19.0": False, "0.19.1": True},
    ),
    ReleaseLaw(
        "second_passes_wait",
        "With `waitForPodsReady.blockAdmission` a second pass waits for pods, too, even for its own.",
        "#13735, #13736",
        True,
        {"0.18.5": False, "0.19.0": True, "0.19.2": False},
    ),
    ReleaseLaw(
        "books_replacements",
        "The place that replaces a lost node is taken for later heads of the cycle.",
        "#14646, #14647",
        False,
        {"0.18.6": True, "0.19.0": False, "0.19.2": True},
    ),
    ReleaseLaw(
        "search_replaces",
        "The search for victims needs a place for the pods of a lost node, otherwise for all pods.",
        "the recordings of v0.17.8 and v0.18.0 to v0.18.4",
        False,
        {"0.17.8": True, "0.18.0": False, "0.18.4": True},
    ),
    ReleaseLaw(
        "slice_constraints",
        "Pod sets can ask for slices within slices; before, the API server drops what they ask so.",
        "the CustomResourceDefinitions of v0.16.9 and v0.17.0",
        False,
        {"0.17.0": True},
    ),
    ReleaseLaw(
        "charges_on_nodes",
        "What pods take of nodes is what their Workload is charged, and not what they request.",
        "#12006, #12034, #12035",
        True,
        {"0.17.5": False, "0.18.0": True, "0.18.1": False},
    ),
    ReleaseLaw(
        "topology_errors_refuse",
        "A pod set that no flavor with a topology serves is refused, otherwise it has no place.",
        "#12055, #12172, #12188",
        False,
        {"0.17.5": True, "0.18.0": False, "0.18.1": True},
    ),
    ReleaseLaw(
        "absent_first",
        "A resource that a node does not offer is named before others that keep pods off it.",
        "the recordings of v0.17.8 and v0.18.0 to v0.18.4",
        True,
        {"0.17.8": False, "0.18.0": True, "0.18.4": False},
    ),
    ReleaseLaw(
        "whole_domains",
        "A new place is in the very domain of the old one, and not in one whose name begins so, too.",
        "#14451, #14452",
        False,
        {"0.18.6": True, "0.19.0": False, "0.19.2": True},
    ),
    ReleaseLaw(
        "domains_apart",
        "A host may have the name of a domain; before, chance decides which of the two is seen.",
        "#14233",
        False,
        _ON_18_5,
    ),
    ReleaseLaw(
        "topology_label",
        "A label marks pods that a topology places, next to the annotations.",
        "the code of v0.16.9 and v0.17.0",
        True,
        {"0.17.0": False},
    ),
)
"""Where topologies place pods."""

TEXTS: Final = (
    ReleaseLaw(
        "reason_tokens",
        "There are reasons of attempts, and finer reasons of conditions.",
        "the feature gate UnadmittedWorkloadsObservability",
        False,
        {"0.18.5": True},
    ),
    ReleaseLaw(
        "namespace_words",
        "The later texts on namespaces that are missing or not selected.",
        "#12659",
        False,
        {"0.18.5": True},
    ),
)
"""What conditions and messages say."""

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

API: Final = (
    ReleaseLaw(
        "most_pod_sets",
        "The largest number of pod sets of a Workload.",
        "#11388; the CustomResourceDefinitions",
        8,
        {"0.18.0": 10, "0.19.0": 18},
    ),
    ReleaseLaw(
        "replicas_bounded",
        "A LeaderWorkerSet has at most 1000000 replicas.",
        "#12715, #12755, #12756",
        False,
        {"0.17.7": True, "0.18.0": False, "0.18.3": True},
    ),
    ReleaseLaw("serves_v1beta1", "Objects of v1beta1 are served.", "#14558", True, {"0.20.0": False}),
    ReleaseLaw(
        "serves_v1alpha1",
        "Cohorts, Topologies and more in v1alpha1 are served.",
        "the CustomResourceDefinitions",
        True,
        {"0.14.0": False},
    ),
    ReleaseLaw(
        "frameworks_gone",
        "Frameworks that the manager does not know: naming one stops it.",
        "#9102, #7268",
        frozenset({"ray.io/rayservice", "sparkoperator.k8s.io/sparkapplication"}),
        {"0.17.0": frozenset[str]()},
    ),
    ReleaseLaw(
        "settings_gone",
        "Fields of the Configuration that the manager does not know: writing one stops it.",
        "the Configuration's types",
        _SETTINGS_OF_17 | _SETTINGS_OF_18 | _SETTINGS_OF_19,
        {"0.17.0": _SETTINGS_OF_18 | _SETTINGS_OF_19, "0.18.0": _SETTINGS_OF_19, "0.19.0": frozenset[str]()},
    ),
)
"""Versions, limits, and what the manager knows."""

DECISIONS: Final = (*AMOUNTS, *FLAVORS, *PREEMPTION, *PAST_USAGE, *TOPOLOGIES, *TEXTS, *API)
