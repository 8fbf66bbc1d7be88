"""Features whose decisions a release changed in a way that is not reproduced: a state that uses one is not exact.

Source: the release notes of Kueue. Tested in ``tests/unit/schedulers/kueue/test_laws_by_release.py``.
"""

from typing import Final

from kubectl_fairshare.schedulers.kueue.release.law import ReleaseLaw

UNREPRODUCED: Final = (
    ReleaseLaw(
        "ElasticJobsViaWorkloadSlices",
        "Slices of elastic jobs: growth, shrinking, and what a cohort has left in a cycle.",
        "fixes in nearly every patch; those up to 0.18.6 and 0.19.2 are in",
        True,
        {"0.18.6": False, "0.19.3": True},
    ),
    ReleaseLaw(
        "TopologyAwareScheduling",
        "Where topologies place pods.",
        "#15406, #14366",
        False,
        {"0.19.4": True},
    ),
    ReleaseLaw(
        "AdmissionFairSharing",
        "How past usage counts.",
        "#14547, #16241; of 0.18 the last patch alone was recorded",
        False,
        {"0.18.0": True, "0.18.6": False, "0.19.3": True},
    ),
    ReleaseLaw(
        "FlavorScans",
        "With which flavor a Workload goes on once quota is given back.",
        "#13956",
        True,
        {"0.18.5": False, "0.19.0": True, "0.19.1": False},
    ),
    ReleaseLaw(
        "PreemptorFirst",
        "Which Workload of a BestEffortFIFO queue is first after others left for one.",
        "#14863, #15089",
        False,
        {"0.19.3": True},
    ),
    ReleaseLaw("EmptyPodSets", "Pod sets without pods.", "#15444, #16078", False, {"0.19.6": True}),
    ReleaseLaw(
        "ExcludedInputs", "Transformations of resources that are excluded.", "#16041, #15954", False, {"0.19.6": True}
    ),
    ReleaseLaw("SparkApplication", "What a SparkApplication asks for.", "#15923", False, {"0.19.6": True}),
    ReleaseLaw("PodSetGroups", "Pod sets of one group that are not side by side.", "#16273", False, {"0.19.7": True}),
    ReleaseLaw("PodGroups", "The order of the pod sets of a group of pods.", "#14809", False, {"0.19.7": True}),
)
