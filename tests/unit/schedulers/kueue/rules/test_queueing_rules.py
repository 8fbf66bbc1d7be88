"""Queues, checks and admission fair sharing: the borders at which rules begin to speak."""

import pytest

from tests.unit.schedulers.kueue.rules.asking import (
    KUEUE,
    configuration,
    job,
    local_queue,
    places,
    priority,
    queue,
    reported,
)

USAGE = configuration("admissionFairSharing: {usageHalfLifeTime: 1h, resourceWeights: {cpu: 1}}\n")
OFF = configuration()
SCOPE = "  admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}\n"
STRICT = "  queueingStrategy: StrictFIFO\n"


@pytest.mark.parametrize(
    ("spec", "flavors", "count"), [(STRICT, ("a", "b"), 1), (STRICT, ("a",), 0), ("", ("a", "b"), 0)]
)
def test_a_strict_queue_over_flavors(spec: str, flavors: tuple[str, ...], count: int) -> None:
    assert len(places("K158", queue("q", spec, flavors))) == count


@pytest.mark.parametrize(("pods", "count"), [(5, 0), (6, 1)])
def test_a_gang_is_large_above_half_of_the_quota(pods: int, count: int) -> None:
    labels = "labels: {kueue.x-k8s.io/queue-name: lq}"
    asking = "- {name: main, resources: {requests: {cpu: 1}}}"
    gang = job(labels, f"parallelism: {pods}\ncompletions: {pods}\n").replace("- name: main", asking)
    small = job(labels).replace("name: train", "name: small")
    feed = local_queue("lq", "q")
    assert len(places("K160", queue("q"), feed, gang, small)) == count
    assert places("K160", queue("q"), feed, gang) == []
    assert places("K160", queue("q", STRICT), feed, gang, small) == []
    assert places("K160", queue("q", "  preemption: {withinClusterQueue: LowerPriority}\n"), feed, gang, small) == []


@pytest.mark.parametrize("policy", ["Hold", "HoldAndDrain"])
def test_stopped_queues_are_told_but_for_the_default_one(policy: str) -> None:
    stop = f"  stopPolicy: {policy}\n"
    assert places("K161", queue("q", stop)) == ["warning ClusterQueue q spec.stopPolicy"]
    assert places("K161", local_queue("lq", "q", stop)) == ["warning LocalQueue team/lq spec.stopPolicy"]
    assert places("K161", local_queue("default", "q", stop)) == []
    assert places("K161", local_queue("lq", "q", "  stopPolicy: None\n")) == []


def checks(*entries: str) -> str:
    listed = "".join(f"    - {{{entry}}}\n" for entry in entries)
    return f"  admissionChecksStrategy:\n    admissionChecks:\n{listed}"


def test_an_empty_list_of_flavors_means_all() -> None:
    assert places("K162", queue("q", checks("name: a", "name: b, onFlavors: []"))) == [
        "warning ClusterQueue q spec.admissionChecksStrategy.admissionChecks[1].onFlavors"
    ]
    assert places("K162", queue("q", checks("name: b, onFlavors: [default]"))) == []


def test_flavors_without_a_check_are_named() -> None:
    (found,) = reported("K163", queue("q", checks("name: a, onFlavors: [u]"), ("u", "v", "w")))
    assert "`v`, `w`" in found.finding.message
    assert reported("K163", queue("q", checks("name: a, onFlavors: [v, u]"), ("u", "v"))) == ()


@pytest.mark.parametrize(
    ("everywhere", "first", "second", "count"), [(8, 0, 0, None), (9, 0, 0, 9), (4, 4, 4, None), (4, 5, 4, 9)]
)
def test_checks_count_for_one_choice_of_flavors(everywhere: int, first: int, second: int, count: int | None) -> None:
    entries = [f"name: e{i}" for i in range(everywhere)]
    entries += [f"name: u{i}, onFlavors: [u]" for i in range(first)]
    entries += [f"name: v{i}, onFlavors: [v]" for i in range(second)]
    found = reported("K164", queue("q", checks(*entries), ("u", "v")))
    assert [dict(r.finding.evidence)["checks"] for r in found] == ([] if count is None else [str(count)])


@pytest.mark.parametrize(
    ("before", "found"),
    [
        ([], ["info"]),
        ([OFF], ["warning"]),
        ([configuration("featureGates: {ConcurrentAdmission: true}\n")], []),
        ([configuration("featureGates: {ConcurrentAdmission: yes please}\n")], []),
    ],
)
def test_a_policy_without_its_gate(before: list[str], found: list[str]) -> None:
    spec = "  concurrentAdmissionPolicy: {migration: {mode: RetainFirstAdmission}}\n"
    told = places("K165", *before, queue("q", spec))
    assert [place.partition(" ")[0] for place in told] == found


def test_a_scope_needs_the_configuration_and_the_other_way_round() -> None:
    assert len(places("K166", OFF, queue("q", SCOPE), queue("r", SCOPE))) == 1
    assert places("K166", USAGE, queue("q", SCOPE)) == []
    assert places("K166", queue("q", SCOPE)) == []
    assert len(places("K166", queue("q", SCOPE), complete=True)) == 1
    assert places("K167", USAGE, queue("q")) == ["info Configuration  admissionFairSharing"]
    assert places("K167", USAGE, queue("q"), complete=True) == ["warning Configuration  admissionFairSharing"]
    assert places("K167", USAGE, queue("q"), queue("r", SCOPE)) == []
    refused = queue("r", SCOPE + "  queueingStrategy: None\n")
    assert places("K167", USAGE, refused, complete=True) == []


def weight(text: str) -> str:
    return f"  fairSharing: {{weight: {text}}}\n"


@pytest.mark.parametrize(
    ("before", "scope", "weightless", "last"),
    [
        ([USAGE, queue("other", SCOPE)], SCOPE, [], ["warning"]),
        ([USAGE, queue("other", SCOPE)], "", ["warning"], []),
        ([USAGE], "", [], []),
        ([OFF], "", ["warning"], []),
        ([OFF], SCOPE, [], []),
        ([], SCOPE, [], ["info"]),
        ([], "", ["warning"], []),
    ],
)
def test_weights_of_local_queues(before: list[str], scope: str, weightless: list[str], last: list[str]) -> None:
    documents = [*before, queue("q", scope), local_queue("lq", "q", weight('"-1"'))]
    assert [place.partition(" ")[0] for place in places("K168", *documents)] == weightless
    assert [place.partition(" ")[0] for place in places("K172", *documents)] == last


@pytest.mark.parametrize(("text", "count"), [("1n", 0), ("0", 1), ("-1", 1), ("1", 0), ("1e1.5", 0)])
def test_a_weight_of_a_local_queue_is_above_zero(text: str, count: int) -> None:
    documents = [USAGE, queue("q", SCOPE), local_queue("lq", "q", weight(f'"{text}"'))]
    assert len(places("K172", *documents)) == count


@pytest.mark.parametrize(
    ("body", "half_life", "weights"),
    [
        ("{}", 1, 1),
        ("{usageHalfLifeTime: 0s, resourceWeights: {}}", 1, 1),
        ("{usageHalfLifeTime: 1ns, resourceWeights: {cpu: 0}}", 0, 0),
    ],
)
def test_what_admission_fair_sharing_forgets(body: str, half_life: int, weights: int) -> None:
    text = configuration(f"admissionFairSharing: {body}\n")
    assert (len(places("K169", text)), len(places("K170", text))) == (half_life, weights)
    off = configuration(f"admissionFairSharing: {body}\nfeatureGates: {{AdmissionFairSharing: false}}\n")
    assert (places("K169", off), places("K170", off)) == ([], [])


def test_usage_goes_before_priorities_that_differ() -> None:
    assert places("K171", USAGE, queue("q", SCOPE)) == []
    assert len(places("K171", USAGE, queue("q", SCOPE), priority("high", 3))) == 1
    assert places("K171", OFF, queue("q", SCOPE), priority("high", 3)) == []


def test_a_queue_written_in_v1beta1_is_told_alike() -> None:
    text = queue("q", STRICT + "  stopPolicy: Hold\n", ("a", "b"))
    for rule in ("K158", "K161"):
        assert places(rule, text.replace(KUEUE, "kueue.x-k8s.io/v1beta1")) == places(rule, text) != []
