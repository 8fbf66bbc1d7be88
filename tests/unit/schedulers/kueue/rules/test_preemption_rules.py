"""Preemption, flavors and weights: the borders at which rules begin to speak."""

import pytest

from kubectl_fairshare.finding import Remove
from kubectl_fairshare.model.location import Place
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

FAIR = configuration("fairSharing: {preemptionStrategies: [LessThanInitialShare]}\n")
CLASSICAL = configuration()
REFUSED = configuration("fairSharing: {}\n")
CREATION = "waitForPodsReady: {requeuingStrategy: {timestamp: Creation}}"
ORG = "  cohortName: org\n"
TWO = ("a", "b")


def preemption(reclaim: str = "Never", within: str = "Never", borrow: str = "policy: Never") -> str:
    fields = f"reclaimWithinCohort: {reclaim}, withinClusterQueue: {within}, borrowWithinCohort: {{{borrow}}}"
    return f"  preemption: {{{fields}}}\n"


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


@pytest.mark.parametrize(
    ("fungibility", "flavors", "policy", "found"),
    [
        ("whenCanBorrow: TryNextFlavor", ("a",), "Any", ["whenCanBorrow"]),
        ("whenCanBorrow: TryNextFlavor", TWO, "Any", []),
        ("whenCanBorrow: MayStopSearch, whenCanPreempt: TryNextFlavor", ("a",), "Any", []),
        ("whenCanPreempt: MayStopSearch", TWO, "Never", ["whenCanPreempt"]),
        ("whenCanPreempt: MayStopSearch", TWO, "Any", []),
        (
            "whenCanBorrow: TryNextFlavor, whenCanPreempt: TryNextFlavor, preference: PreemptionOverBorrowing",
            ("a",),
            "Any",
            ["preference", "whenCanBorrow"],
        ),
    ],
)
def test_settings_without_a_choice(fungibility: str, flavors: tuple[str, ...], policy: str, found: list[str]) -> None:
    text = queue("q", f"{ORG}{preemption(policy)}  flavorFungibility: {{{fungibility}}}\n", flavors)
    removed = [
        edit.place.path[-1]
        for r in reported("K149", text)
        for edit in r.finding.remedy.edits
        if isinstance(edit, Remove)
    ]
    assert removed == found


def test_the_old_values_of_fungibility_are_told_alike() -> None:
    text = queue("q", ORG + "  flavorFungibility: {whenCanPreempt: Preempt}\n", ("a",))
    old = text.replace("v1beta2", "v1beta1").replace("cohortName", "cohort")
    assert places("K149", old) == ["info ClusterQueue q spec.flavorFungibility.whenCanPreempt"]


TRY_NEXT = "whenCanBorrow: TryNextFlavor, whenCanPreempt: TryNextFlavor"


@pytest.mark.parametrize(
    ("spec", "flavors", "count"),
    [
        (ORG + preemption("Any"), TWO, 1),
        (ORG + preemption(), TWO, 0),
        (preemption(within="LowerPriority"), TWO, 0),
        (ORG + preemption("Any"), ("a",), 0),
    ],
)
def test_preemption_over_borrowing_needs_both(spec: str, flavors: tuple[str, ...], count: int) -> None:
    text = f"{spec}  flavorFungibility: {{{TRY_NEXT}, preference: PreemptionOverBorrowing}}\n"
    assert len(places("K148", queue("q", text, flavors))) == count


def test_own_quota_in_a_later_flavor_is_passed_over() -> None:
    text = queue("q", ORG, TWO)
    assert len(places("K151", text)) == 1
    assert places("K151", text.replace("nominalQuota: 10", "nominalQuota: 0")) == []
    assert places("K151", queue("q", "", TWO)) == []


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


BESIDE = queue("peer", ORG)


@pytest.mark.parametrize(
    ("before", "found"), [([FAIR], ["warning"]), ([], ["info"]), ([CLASSICAL], []), ([REFUSED], [])]
)
def test_weight_zero_counts_where_shares_do(before: list[str], found: list[str]) -> None:
    told = places("K152", *before, queue("q", ORG + weight("0")), BESIDE)
    assert [place.partition(" ")[0] for place in told] == found


def test_weight_zero_is_no_matter_where_nothing_can_be_borrowed() -> None:
    text = queue("q", ORG + weight("0"))
    assert (
        places("K152", FAIR, text.replace("nominalQuota: 10", "nominalQuota: 10\n        borrowingLimit: 0"), BESIDE)
        == []
    )
    assert places("K152", FAIR, queue("q", ORG + weight("1m")), BESIDE) == []


@pytest.mark.parametrize(
    ("documents", "found"),
    [
        ([FAIR, queue("q", weight("2"))], ["warning ClusterQueue q spec.fairSharing.weight"]),
        ([FAIR, queue("q", weight("1"))], []),
        ([FAIR, cohort("org", weight("2")), BESIDE], ["warning Cohort org spec.fairSharing.weight"]),
        ([FAIR, queue("q", ORG + weight("2"))], ["info ClusterQueue q spec.fairSharing.weight"]),
        ([FAIR, queue("q", ORG + weight("2")), BESIDE], []),
        (
            [CLASSICAL, queue("q", ORG + weight("2")), queue("r", ORG + weight("3"))],
            ["warning ClusterQueue q spec.fairSharing.weight"],
        ),
        ([queue("q", ORG + weight("2")), BESIDE], []),
    ],
)
def test_weights_that_nothing_compares(documents: list[str], found: list[str]) -> None:
    assert places("K153", *documents) == found


@pytest.mark.parametrize(("light", "count"), [("1m", 0), ("999u", 1), ("0", 0)])
def test_weights_are_far_apart_beyond_a_thousand(light: str, count: int) -> None:
    found = places("K154", FAIR, queue("q", ORG + weight(light)), BESIDE)
    assert found == ["info ClusterQueue peer"] * count


def test_a_cohort_without_weight_among_weighted_ones() -> None:
    def below(first: str, second: str) -> list[str]:
        up = "  parentName: org\n"
        return [FAIR, cohort("a", up + first), cohort("b", up + second), queue("q", "  cohortName: a\n")]

    assert places("K155", *below(weight("2"), "")) == ["info Cohort b"]
    assert places("K155", *below(weight("2"), weight("1"))) == []
    assert places("K155", *below(weight("1"), "")) == []
    assert places("K155", *below(weight("1u"), "")) == []
    assert places("K154", *below(weight("1u"), "")) == ["info Cohort b"]


def test_shares_before_priorities_need_levels_and_priorities() -> None:
    tree = [FAIR, cohort("a", "  parentName: org\n"), queue("q", "  cohortName: a\n"), queue("r", "  cohortName: a\n")]
    assert places("K157", *tree) == []
    assert places("K157", *tree, priority("high", 9)) == ["info Cohort a spec.parentName"]
    assert places("K157", FAIR, queue("q", ORG), BESIDE, priority("high", 9)) == []


def test_members_of_a_cycle_are_left_to_the_rule_about_it() -> None:
    cycle = [cohort("a", "  parentName: b\n" + weight("2")), cohort("b", "  parentName: a\n")]
    text = queue("q", "  cohortName: a\n" + preemption("LowerPriority") + weight("0"))
    for rule in ("K136", "K138", "K139", "K140", "K146", "K152", "K153", "K154", "K155"):
        assert places(rule, FAIR, *cycle, text) == []


def test_preempting_before_the_next_flavor() -> None:
    text = ORG + preemption("Any") + "  flavorFungibility: {whenCanPreempt: MayStopSearch}\n"
    (found,) = reported("K150", queue("q", text, TWO))
    assert found.finding.place == Place(found.finding.place.object, ("spec", "flavorFungibility", "whenCanPreempt"))
    assert (
        reported("K150", queue("q", text.replace("reclaimWithinCohort: Any", "reclaimWithinCohort: Never"), TWO)) == ()
    )


def test_priorities_of_jobs_count() -> None:
    spec = ORG + preemption("LowerPriority")
    labelled = job("labels: {kueue.x-k8s.io/queue-name: lq, kueue.x-k8s.io/priority-class: high}")
    assert places("K139", queue("q", spec), priority("high", 0), labelled, complete=True) != []
    assert places("K139", queue("q", spec), priority("high", 5), labelled, complete=True) == []
