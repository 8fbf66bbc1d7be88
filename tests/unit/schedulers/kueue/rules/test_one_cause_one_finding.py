"""One mistake is one finding, at its cause: what follows from it keeps quiet, and a slip is told with what is meant."""

import io

import pytest

from kubectl_fairshare.cli.linting.rule_choice import rules_to_run
from kubectl_fairshare.finding import Replace, Severity
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.lint.examine import examine
from kubectl_fairshare.lint.run import Reported, run
from kubectl_fairshare.schedulers import known_schedulers, lint_houses
from tests.unit.schedulers.kueue.rules.asking import KUEUE, cohort, job, local_queue, priority, queue, reported

FLAVOR = f"apiVersion: {KUEUE}\nkind: ResourceFlavor\nmetadata:\n  name: default\n"
SELECTOR = "  namespaceSelector: {}\n"


def found_in(*documents: str) -> list[Reported]:
    reading = read(["-"], stdin=io.BytesIO("---\n".join(documents).encode()), schedulers=known_schedulers())
    return list(run(rules_to_run((), ()), examine(reading, lint_houses(), complete=True)))


def rules_in(*documents: str) -> list[str]:
    return [each.rule.id for each in found_in(*documents)]


def without(text: str, part: str, new: str = "") -> str:
    assert part in text
    return text.replace(part, new)


SOUND = queue("team", SELECTOR)


@pytest.mark.parametrize(
    ("part", "new", "rule"),
    [
        ("namespaceSelector", "namespaceselector", "M008"),
        ("resourceGroups", "resourceGroup", "M008"),
        ("nominalQuota: 10", "nominalquota: 10", "M008"),
        ("nominalQuota: 10", "nominalQuota: null", "K008"),
        ("nominalQuota: 10", "nominalQuota: Gi", "K007"),
    ],
)
def test_what_a_lost_field_leads_to_is_not_told_besides(part: str, new: str, rule: str) -> None:
    assert rules_in(FLAVOR, without(SOUND, part, new), local_queue("team", "team")) == [rule]


def test_a_field_that_is_simply_not_there_is_told() -> None:
    assert rules_in(FLAVOR, queue("team"), local_queue("team", "team")) == ["K074"]


def test_a_quota_that_is_lost_says_nothing_of_what_others_may_borrow() -> None:
    lender = without(queue("lender", f"{SELECTOR}  cohortName: org\n"), "resourceGroups", "resourceGroup")
    borrower = queue("team", f"{SELECTOR}  cohortName: org\n") + "        borrowingLimit: 5\n"
    queues = local_queue("team", "team"), local_queue("lender", "lender")
    assert rules_in(FLAVOR, lender, borrower, cohort("org"), *queues) == ["M008"]


@pytest.mark.parametrize(
    ("document", "wrong", "right", "rule"),
    [
        (local_queue("jobs", "team"), "clusterQueue: team", "clusterQueue: tema", "K050"),
        (queue("team", SELECTOR), "name: default", "name: defualt", "K051"),
        (queue("team", SELECTOR), "name: default", "name: defaults", "K051"),
    ],
)
def test_a_slip_in_a_reference_is_told_once_and_mended(document: str, wrong: str, right: str, rule: str) -> None:
    sound = {each.splitlines()[3].strip(): each for each in (FLAVOR, SOUND, local_queue("jobs", "team"))}
    sound[document.splitlines()[3].strip()] = without(document, wrong, right)
    (found,) = found_in(*sound.values())
    assert found.rule.id == rule
    meant = wrong.rpartition(" ")[2]
    assert found.finding.remedy.text.startswith(f"write `{meant}` if you mean that")
    assert found.finding.remedy.edits == (Replace(found.finding.place, meant),)


def test_a_slip_in_a_priority_class_is_mended() -> None:
    text = job("labels:\n  kueue.x-k8s.io/queue-name: jobs\n  kueue.x-k8s.io/priority-class: urgnet\n")
    (found,) = reported("K058", text, priority("urgent", 5), local_queue("jobs", "team"))
    assert found.finding.remedy.edits == (Replace(found.finding.place, "urgent"),)


def test_names_that_count_on_are_no_slips() -> None:
    (found,) = reported("K050", SOUND, queue("north-1"), local_queue("a", "north-1"), local_queue("jobs", "north-2"))
    assert found.finding.remedy.edits == ()


@pytest.mark.parametrize(("part", "new"), [("ResourceFlavor", "ResourceFlavour"), ("name: default", "name: Default")])
def test_an_object_of_a_wrong_kind_or_name_is_not_missed_besides(part: str, new: str) -> None:
    assert len(rules_in(without(FLAVOR, part, new), SOUND, local_queue("team", "team"))) == 1


def test_a_check_that_is_named_in_a_dropped_field_is_in_use() -> None:
    check = f"apiVersion: {KUEUE}\nkind: AdmissionCheck\nmetadata:\n  name: budget\nspec:\n  controllerName: a.b/c\n"
    asking = queue("team", f"{SELECTOR}  admissionChecks: [budget]\n")
    assert rules_in(FLAVOR, check, asking, local_queue("team", "team")) == ["K003"]


def test_a_field_with_half_of_its_name_is_the_one_that_is_missing() -> None:
    check = f"apiVersion: {KUEUE}\nkind: AdmissionCheck\nmetadata:\n  name: budget\nspec:\n  controller: a.b/c\n"
    (found,) = [each for each in found_in(check) if each.severity is Severity.ERROR]
    assert found.rule.id == "M008"
    assert "the required field `spec.controllerName` is missing" in found.finding.message


def test_a_limit_that_is_refused_for_want_of_the_cohort_is_told_with_the_field_that_names_it() -> None:
    text = queue("team", f"{SELECTOR}  cohort: org\n") + "        borrowingLimit: 5\n"
    (found,) = found_in(FLAVOR, text, local_queue("team", "team"))
    assert found.rule.id == "K003"
    assert found.finding.about_key
    assert [each.text for each in found.finding.related] == [
        "the API server rejects this, because the field is in the wrong place"
    ]


@pytest.mark.parametrize(("value", "told"), [(2147483647, 0), (2147483648, 1), (-2147483648, 0), (-2147483649, 1)])
def test_a_number_that_kueue_cannot_read_is_told(value: int, told: int) -> None:
    assert len(reported("K179", priority("urgent", value))) == told


def test_a_huge_amount_is_told_in_short() -> None:
    text = queue("team", f"{SELECTOR}  cohortName: org\n") + f'        lendingLimit: "{"9" * 4400}"\n'
    (found,) = reported("K027", text)
    assert "`lendingLimit` of `cpu` is about 1e4400 above the quota" in found.finding.message


def test_a_weight_beyond_floating_point_counts_as_infinite() -> None:
    heavy = queue("heavy", "  cohortName: org\n  fairSharing: {weight: 1e400}\n")
    fair = (
        "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n"
        "fairSharing: {preemptionStrategies: [LessThanInitialShare]}\n"
    )
    (found,) = reported("K154", fair, heavy, queue("light", "  cohortName: org\n"))
    assert "is more than 10⁹ times the lightest" in found.finding.message


def test_a_workload_that_kueue_takes_and_nobody_can_reason_about_is_no_error() -> None:
    text = (
        f"apiVersion: {KUEUE}\nkind: Workload\nmetadata:\n  name: w\n  namespace: team\nspec:\n  queueName: team\n"
        "  podSets:\n  - name: main\n    template:\n      spec:\n        containers:\n        - name: c\n"
        '        overhead: {cpu: "-1"}\n'
    )
    assert [each.severity for each in reported("M009", text)] == [Severity.WARNING]


def test_an_amount_that_only_the_pattern_admits_stops_no_rule() -> None:
    text = (
        "apiVersion: scheduling.x-k8s.io/v1alpha1\nkind: ElasticQuota\nmetadata:\n  name: q\n  namespace: team\n"
        "spec:\n  max: {cpu: 1e1.5, memory: 1e400000000}\n  min: {cpu: 1}\n"
    )
    assert "M009" in rules_in(text)


@pytest.mark.parametrize(
    ("text", "rule"),
    [("9" * 200_000, "K114"), ("9" * 200_000 + "s", "K114"), ("1h" * 50_000 + "x", "K114")],
    ids=["no unit", "too long", "no end"],
)
def test_a_span_of_any_length_is_read_at_once(text: str, rule: str) -> None:
    settings = (
        f"apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\nwaitForPodsReady: {{timeout: '{text}'}}\n"
    )
    assert rules_in(settings) == [rule]


@pytest.mark.parametrize("text", ["0" * 200_000 + "!", "9" * 200_000 + "!"])
def test_a_quantity_of_any_length_is_refused_at_once(text: str) -> None:
    odd = without(SOUND, "nominalQuota: 10", f"nominalQuota: '{text}'")
    assert rules_in(FLAVOR, odd, local_queue("team", "team")) == ["M005"]
