"""Rules: preemption policies of ClusterQueues that do nothing, contradict one another, or take more than is meant."""

import pytest

from kubectl_fairshare.finding import Remove
from tests.unit.schedulers.kueue.rules.asking import (
    cohort,
    configuration,
    job,
    local_queue,
    places,
    priority,
    queue,
    reported,
)
from tests.unit.schedulers.kueue.rules.organisation import preemption

FAIR = configuration("fairSharing: {preemptionStrategies: [LessThanInitialShare]}\n")


CLASSICAL = configuration()


REFUSED = configuration("fairSharing: {}\n")


CREATION = "waitForPodsReady: {requeuingStrategy: {timestamp: Creation}}"


ORG = "  cohortName: org\n"


TWO = ("a", "b")


def weight(text: str) -> str:
    return f"  fairSharing: {{weight: {text}}}\n"


@pytest.mark.parametrize(
    ("rule", "spec"),
    [
        ("K136", ORG + preemption()),
        ("K137", ORG + preemption("Any", borrow="policy: LowerPriority")),
    ],
)
def test_rules_of_fair_sharing_speak_when_it_is_on(rule: str, spec: str) -> None:
    assert len(places(rule, FAIR, queue("q", spec))) == 1
    for other in (CLASSICAL, REFUSED, FAIR + "---\n" + cohort("x")):
        expected = 1 if other.startswith(FAIR) else 0
        assert len(places(rule, other, queue("q", spec))) == expected
    assert places(rule, queue("q", spec)) == []
    assert places(rule, FAIR, queue("q", spec.replace(ORG, "").replace("Any", "Never"))) == []


def test_a_v1beta1_queue_is_told_alike() -> None:
    old = queue("q", ORG + preemption("Any", borrow="policy: LowerPriority"))
    new = reported("K137", FAIR, old)
    assert [
        r.finding for r in reported("K137", FAIR, old.replace("v1beta2", "v1beta1").replace("cohortName", "cohort"))
    ] == [r.finding for r in new]


@pytest.mark.parametrize(
    ("first", "second", "count"),
    [
        (preemption(), preemption(), 1),
        (preemption("LowerPriority"), preemption(), 0),
        (preemption(), None, 0),
    ],
)
def test_a_cohort_in_which_nobody_reclaims(first: str, second: str | None, count: int) -> None:
    queues = [queue("q", ORG + first), *([] if second is None else [queue("r", ORG + second)])]
    assert len(places("K138", *queues)) == count
    assert places("K138", FAIR, *queues) == []


@pytest.mark.parametrize(
    ("classes", "complete", "found"),
    [
        ([], False, ["info"]),
        ([], True, ["warning"]),
        ([priority("zero", 0)], True, ["warning"]),
        ([priority("one", 1)], True, []),
    ],
)
def test_priorities_are_equal_only_if_nothing_makes_them_differ(
    classes: list[str], complete: bool, found: list[str]
) -> None:
    spec = ORG + preemption("LowerPriority")
    told = places("K139", queue("q", spec), queue("r", spec), *classes, complete=complete)
    assert [place.partition(" ")[0] for place in told] == found


def test_one_cause_is_told_once() -> None:
    both = queue("q", ORG + preemption("LowerPriority", "LowerPriority"))
    assert (len(places("K139", both)), len(places("K144", both))) == (1, 0)
    within = queue("q", ORG + preemption("Any", "LowerPriority"))
    assert (len(places("K139", within)), len(places("K144", within))) == (0, 1)


def test_policies_without_cohort_go_together() -> None:
    (found,) = reported("K141", queue("q", preemption("Any", borrow="policy: LowerPriority")))
    removed = [edit.place.path[-1] for edit in found.finding.remedy.edits if isinstance(edit, Remove)]
    assert removed == ["reclaimWithinCohort", "borrowWithinCohort"]
    assert places("K141", queue("q", ORG + preemption("Any"))) == []


@pytest.mark.parametrize(
    ("borrow", "threshold", "unbounded"),
    [
        ("policy: Never", 0, 0),
        ("policy: Never, maxPriorityThreshold: 0", 1, 0),
        ("policy: LowerPriority", 0, 1),
        ("policy: LowerPriority, maxPriorityThreshold: 0", 0, 0),
    ],
)
def test_a_threshold_goes_with_a_policy(borrow: str, threshold: int, unbounded: int) -> None:
    text = queue("q", ORG + preemption("Any", borrow=borrow))
    assert len(places("K142", text)) == threshold
    assert len(places("K146", text)) == unbounded
    assert places("K146", FAIR, text) == []


@pytest.mark.parametrize(
    ("body", "within", "count"),
    [
        (CREATION, "LowerOrNewerEqualPriority", 1),
        (CREATION, "LowerPriority", 0),
        ("waitForPodsReady: {requeuingStrategy: {timestamp: Eviction}}", "LowerOrNewerEqualPriority", 0),
        (
            f"{CREATION}\nfeatureGates: {{DisableWaitForPodsReady: true}}",
            "LowerOrNewerEqualPriority",
            0,
        ),
    ],
)
def test_creation_and_newer_equals_contradict_one_another(body: str, within: str, count: int) -> None:
    text = queue("q", preemption(within=within))
    assert len(places("K145", configuration(body + "\n"), text)) == count
    assert places("K145", text, complete=True) == []


def test_several_pod_sets_over_several_flavors() -> None:
    pod_set = "  - {name: %s, template: {spec: {template: {spec: {containers: [{name: c}]}}}}}\n"
    head = "apiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet\nmetadata:\n  name: s\n  namespace: team\n"
    labels = "  labels: {kueue.x-k8s.io/queue-name: lq}\nspec:\n  replicatedJobs:\n"
    one = head + labels + pod_set % "a"
    two = one + pod_set % "b"
    spec = ORG + preemption("Any")
    assert places("K147", queue("q", spec, TWO), local_queue("lq", "q"), one) == []
    assert len(places("K147", queue("q", spec, TWO), local_queue("lq", "q"), two)) == 1
    assert places("K147", queue("q", spec, ("a",)), local_queue("lq", "q"), two) == []


def test_members_of_a_cycle_are_left_to_the_rule_about_it() -> None:
    cycle = [cohort("a", "  parentName: b\n" + weight("2")), cohort("b", "  parentName: a\n")]
    text = queue("q", "  cohortName: a\n" + preemption("LowerPriority") + weight("0"))
    for rule in ("K136", "K138", "K139", "K140", "K146", "K152", "K153", "K154", "K155"):
        assert places(rule, FAIR, *cycle, text) == []


def test_priorities_of_jobs_count() -> None:
    spec = ORG + preemption("LowerPriority")
    labelled = job("labels: {kueue.x-k8s.io/queue-name: lq, kueue.x-k8s.io/priority-class: high}")
    assert places("K139", queue("q", spec), priority("high", 0), labelled, complete=True) != []
    assert places("K139", queue("q", spec), priority("high", 5), labelled, complete=True) == []
