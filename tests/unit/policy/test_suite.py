"""``test``: what a file of tests can say, what it proves, and what is wrong in one, at its line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from kubectl_fairshare.schedulers import scheduler_named
from tests.screens import Screen, beside
from tests.unit.policy.test_sandboxes import snapshot_of

Run = Callable[[str], Screen]
POLICY = Path("testdata/diff/before.yaml").resolve()


@pytest.fixture
def tested(run: Run, tmp_path: Path) -> Callable[..., Any]:
    """Runs tests that are given as YAML and returns the document, or with ``words`` the screen."""

    def result(tests: str, words: str = "", given: str = f"paths: [{POLICY}]") -> Any:
        path = tmp_path / "fairshare-test.yaml"
        path.write_text(beside(f"given: {{{given}}}\ntests:\n{tests}", tmp_path))
        screen = run(f"kubectl-fairshare test {path} {words or '-o json'}")
        return screen if words or screen.stderr else json.loads(screen.stdout)["suites"][0]

    return result


def entitlements(scheduler: str) -> dict[str, int]:
    """What the shares say that each queue gets of GPUs when all are busy, and nothing else."""
    snapshot = snapshot_of(scheduler)
    review = scheduler_named(scheduler).review
    found = review.entitlements(review.idle(snapshot))
    rows = [(each.queue, each.entitled) for each in found if each.resource in ("nvidia.com/gpu", "gpu")]
    return {key.namespace or key.name: int(held.value) for key, held in rows if held is not None}


def statuses(suite: Any) -> list[str]:
    return [test["status"] for test in suite["tests"]]


RUNNING = "{running: [{name: big, queue: vision, request: {nvidia.com/gpu: 20}}], submit: SUBMIT}"


def circumstances(submit: str) -> str:
    return RUNNING.replace("SUBMIT", submit)


def test_an_outcome_and_victims_are_checked_against_the_decision(tested: Callable[..., Any]) -> None:
    suite = tested(
        """
- name: waits, as speech may not reclaim
  when: WHEN
  then: {outcome: Waits, binds: quota 20}
- name: wrong on purpose
  when: WHEN
  then: {outcome: Admitted, victims: {at-most: 0}}
""".replace("WHEN", circumstances("{queue: speech, request: {nvidia.com/gpu: 1}}"))
    )

    assert statuses(suite) == ["Passed", "Failed"]
    assert suite["tests"][1]["mismatches"][0]["expected"] == "Admitted"
    assert suite["tests"][1]["proofs"][0]["at"]["line"] == 30


def test_victims_name_the_queue_that_they_come_from(tested: Callable[..., Any]) -> None:
    tests = """
- name: only from speech
  when:
    running: [{queue: speech, request: {nvidia.com/gpu: 20}}]
    submit: {queue: vision, request: {nvidia.com/gpu: 12}}
  then: {outcome: Preempts, victims: {only-from: [speech], at-most: 1, rule: reclaim}}
- name: never from speech
  when:
    running: [{queue: speech, request: {nvidia.com/gpu: 20}}]
    submit: {queue: vision, request: {nvidia.com/gpu: 12}}
  then: {victims: {never-from: [speech]}}
"""

    assert statuses(tested(tests)) == ["Passed", "Failed"]


def test_what_queues_hold_is_checked_after_all_have_arrived(tested: Callable[..., Any]) -> None:
    suite = tested("""
- name: usage, then arrivals
  when:
    usage: {speech: {nvidia.com/gpu: 8}}
    arrive: [{queue: vision, request: {nvidia.com/gpu: 4}, count: 2}]
  then: {holds: {vision: {nvidia.com/gpu: 8}, speech: {nvidia.com/gpu: {at-least: 8, at-most: 9}}}}
- name: too much
  when: {usage: {speech: {nvidia.com/gpu: 8}}}
  then: {holds: {speech: {nvidia.com/gpu: {at-most: 7}}}}
""")

    assert statuses(suite) == ["Passed", "Failed"]


def test_for_each_and_cases_make_variables(tested: Callable[..., Any]) -> None:
    suite = tested("""
- name: fits
  for-each: ClusterQueue
  cases: [{gpus: 1, outcome: Admitted}, {gpus: 21, outcome: Never}]
  when: {submit: {queue: "${queue}", request: {nvidia.com/gpu: "${gpus}"}}}
  then: {outcome: "${outcome}"}
""")

    assert [test["name"] for test in suite["tests"]] == [
        "fits (queue speech, gpus 1, outcome Admitted)",
        "fits (queue speech, gpus 21, outcome Never)",
        "fits (queue vision, gpus 1, outcome Admitted)",
        "fits (queue vision, gpus 21, outcome Never)",
    ]
    assert set(statuses(suite)) == {"Passed"}


def test_an_overlay_changes_the_policy_of_one_test_alone(tested: Callable[..., Any]) -> None:
    overlaid = Path("testdata/diff/after.yaml").resolve()
    tests = """
- name: less
  when: {overlay: ["AFTER"], submit: {queue: vision, request: {nvidia.com/gpu: 18}}}
  then: {outcome: Never}
- name: as before
  when: {submit: {queue: vision, request: {nvidia.com/gpu: 18}}}
  then: {outcome: Admitted}
- name: without speech
  when: {delete: [clusterqueue/speech], submit: {queue: vision, request: {nvidia.com/gpu: 13}}}
  then: {outcome: Never}
""".replace("AFTER", str(overlaid))

    assert statuses(tested(tests)) == ["Passed"] * 3


def test_an_invariant_holds_for_all_loads_or_is_refuted_by_the_smallest(tested: Callable[..., Any]) -> None:
    suite = tested("""
- name: vision is bounded by its own quota
  search: {workloads: 2, random: 5}
  then: {keeps: {bounded: {vision: {nvidia.com/gpu: 12}}}}
- name: entitled, one load
  when: {arrive: [{queue: vision, request: {nvidia.com/gpu: 20}}, {queue: speech, request: {nvidia.com/gpu: 8}}]}
  then: {keeps: {entitled: true}}
- name: no more than one eviction
  search: {workloads: 2, random: 5, sizes: [4], resource: nvidia.com/gpu}
  then: {keeps: {no-cascade: 1, safe: {workloads-of: [vision], by: [speech]}}}
""")

    assert statuses(suite) == ["Failed", "Failed", "Passed"]
    assert "load: 13 nvidia.com/gpu in vision" in suite["tests"][0]["mismatches"][0]["actual"]
    assert "own quota and waits" in suite["tests"][1]["mismatches"][0]["actual"]


def test_what_is_not_decided_fails_unless_it_is_allowed(tested: Callable[..., Any], tmp_path: Path) -> None:
    blocking = tmp_path / "kueue.yaml"
    text = "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\nfeatureGates: {PriorityBoost: true}\n"
    blocking.write_text(text)
    tests = """
- name: not decided
  when: {submit: {queue: vision, request: {nvidia.com/gpu: 1}}}
  then: {victims: {at-most: 0}}
- name: allowed
  when: {submit: {queue: vision, request: {nvidia.com/gpu: 1}}}
  then: {victims: {at-most: 0}, allow-unknown: true}
"""

    assert statuses(tested(tests, given=f"paths: [{POLICY}, {blocking}]")) == ["Unknown", "Passed"]


def test_settings_and_scheduler_are_those_of_the_options(tested: Callable[..., Any]) -> None:
    tests = "- {name: a, when: {submit: {queue: vision, request: {nvidia.com/gpu: 1}}}, then: {message: fair}}\n"

    assert tested(tests, given=f"paths: [{POLICY}], settings: {{fair-sharing: true}}")["scheduler"] == "kueue"


def test_why_and_findings_are_checked(tested: Callable[..., Any]) -> None:
    state = Path("testdata/diff/state.yaml").resolve()
    tests = """
- {name: why, then: {why: {name: vision/large, verdict: NotNow}}}
- {name: wrong, then: {why: {name: vision/large, verdict: Never}}}
- {name: findings, then: {findings: []}}
"""

    assert statuses(tested(tests, given=f"paths: [{POLICY}, {state}]"))[:2] == ["Passed", "Failed"]


def test_what_no_test_exercises_is_named(tested: Callable[..., Any]) -> None:
    suite = tested(
        "- {name: a, when: {submit: {queue: vision, request: {nvidia.com/gpu: 1}}}, then: {outcome: Admitted}}\n"
    )

    assert suite["neverExercised"] == {
        "queues": ["speech"],
        "limits": ["nvidia.com/gpu in a100 of speech", "nvidia.com/gpu in a100 of vision"],
        "rules": ["reclaim"],
        "lint": None,
    }


def test_rules_of_lint_that_no_test_expects_are_named_once_a_test_has_findings(tested: Callable[..., Any]) -> None:
    rules = tested("- {name: a, then: {findings: [K020]}}\n")["neverExercised"]["lint"]

    assert "K020" not in rules
    assert "K041" in rules


SATURATED = {
    "kueue": f"paths: [{POLICY}]",
    "kai": f"paths: [{Path('testdata/demo/kai').resolve()}], idle: true",
    "elasticquota": f"paths: [{Path('testdata/demo/capacity/quotas.yaml').resolve()}]",
}


@pytest.mark.parametrize("scheduler", SATURATED)
def test_an_endless_backlog_in_all_queues_fills_them_as_shares_says(tested: Callable[..., Any], scheduler: str) -> None:
    entitled = entitlements(scheduler)
    holds = ", ".join(f"{queue}: {{nvidia.com/gpu: {held}}}" for queue, held in entitled.items())
    more = ", ".join(f"{queue}: {{nvidia.com/gpu: {held + 1}}}" for queue, held in entitled.items())
    saturated = "when: {saturate: {request: {nvidia.com/gpu: 1}}}"

    tests = "".join(f"- {{name: a, {saturated}, then: {{holds: {{{each}}}}}}}\n" for each in (holds, more))

    assert statuses(tested(tests, given=SATURATED[scheduler])) == ["Passed", "Failed"]


def test_a_backlog_in_one_queue_borrows_what_the_others_leave(tested: Callable[..., Any]) -> None:
    when = "when: {saturate: {queues: [vision], request: {nvidia.com/gpu: 4}}}"

    assert statuses(tested(f"- {{name: a, {when}, then: {{holds: {{vision: {{nvidia.com/gpu: 20}}}}}}}}\n")) == [
        "Passed"
    ]


def test_work_of_the_input_is_left_out_on_demand(tested: Callable[..., Any]) -> None:
    state = Path("testdata/diff/state.yaml").resolve()
    test = "- {name: a, then: {holds: {vision: {nvidia.com/gpu: 0}}}}\n"

    assert statuses(tested(test, given=f"paths: [{POLICY}, {state}]")) == ["Failed"]
    assert statuses(tested(test, given=f"paths: [{POLICY}, {state}], idle: true")) == ["Passed"]


def test_holdings_under_a_policy_that_is_not_modelled_are_unknown(tested: Callable[..., Any]) -> None:
    tests = "- {name: a, then: {holds: {vision: {nvidia.com/gpu: 0}}}}\n"

    given = f"paths: [{POLICY}], settings: {{release: '0.1.0'}}"

    assert statuses(tested(tests, given=given)) == ["Unknown"]


def test_names_with_signs_of_the_format_stay_whole(tested: Callable[..., Any]) -> None:
    name = "50%, a: <b> & 'c'"
    tests = f'- {{name: "{name}", then: {{holds: {{vision: {{nvidia.com/gpu: 1}}}}}}}}\n'

    report = ElementTree.fromstring(tested(tests, "-o junit").stdout)
    suites, case = report.attrib, report.find(".//testcase")

    assert (report.tag, suites["tests"], suites["failures"], suites["errors"]) == ("testsuites", "1", "1", "0")
    assert case is not None
    assert case.attrib["name"] == name
    assert "title=50%25%2C a%3A <b> & 'c'::" in tested(tests, "-o github").stdout


WRONG = {
    "an unknown field": ("- {name: a, then: {outcom: Waits}}", "unknown expectation `outcom`", "`outcome`"),
    "no expectation": ("- {name: a}", "`then` is missing", "write `then`"),
    "an unknown outcome": (
        "- {name: a, when: {submit: {queue: vision, request: {nvidia.com/gpu: 1}}}, then: {outcome: Waitz}}",
        "there is no outcome `Waitz`",
        "`Waits`",
    ),
    "an unknown queue": (
        "- {name: a, when: {submit: {queue: visoin, request: {nvidia.com/gpu: 1}}}, then: {outcome: Waits}}",
        "there is no queue `visoin`",
        "`vision`",
    ),
    "an unknown variable": (
        '- {name: a, cases: [{gpus: 1}], when: {submit: {queue: vision, request: {cpu: "${gpu}"}}}, then: {}}',
        "there is no variable `gpu`",
        "`gpus`",
    ),
    "a variable that YAML reads as false": (
        '- {name: a, cases: [{n: 1}], when: {submit: {queue: vision, request: {cpu: "${n}"}}}, then: {}}',
        "there is no variable `n`",
        "YAML reads the key `n` as `false`: write it in quotes",
    ),
    "an unknown kind": ("- {name: a, for-each: ClusterQueu, then: {}}", "`for-each` knows no", "`ClusterQueue`"),
    "a wrong amount": (
        "- {name: a, when: {submit: {queue: vision, request: {nvidia.com/gpu: many}}}, then: {findings: []}}",
        "`many` is not a quantity",
        "write",
    ),
    "pods as a request": (
        "- {name: a, when: {submit: {queue: vision, request: {pods: 2}}}, then: {outcome: Waits}}",
        "a pod cannot request `pods`",
        "`count`",
    ),
    "a resource without quota": (
        "- {name: a, when: {running: [{queue: vision, request: {tpu: 1}}]}, then: {findings: []}}",
        "has no quota for `tpu`",
        "covers",
    ),
}


@pytest.mark.parametrize("slip", WRONG)
def test_a_slip_is_told_at_its_line_with_what_was_meant(tested: Callable[..., Any], slip: str) -> None:
    test, message, remedy = WRONG[slip]

    screen = tested(f"{test}\n", "-o text")

    assert screen.code == 2
    assert "fairshare-test.yaml:3:" in screen.stderr
    assert message in screen.stderr
    assert remedy in screen.stderr


def test_update_writes_what_came_out_and_leaves_comments(tested: Callable[..., Any], tmp_path: Path) -> None:
    tests = """# keep me
- name: a
  when: {submit: {queue: vision, request: {nvidia.com/gpu: 21}}}
  then:
    outcome: Admitted  # and me
"""

    tested(tests, "--update")

    text = (tmp_path / "fairshare-test.yaml").read_text()
    assert "outcome: Never " in text
    assert "# and me" in text
    assert "# keep me" in text
    assert statuses(tested(text.partition("tests:\n")[2])) == ["Passed"]


def test_update_writes_numbers_as_numbers_and_counts_what_it_leaves(tested: Callable[..., Any], tmp_path: Path) -> None:
    tests = """
- {name: held, when: {usage: {vision: {nvidia.com/gpu: 8}}}, then: {holds: {vision: {nvidia.com/gpu: 9}}}}
- {name: share, when: {usage: {vision: {nvidia.com/gpu: 8}}}, then: {share: {vision: {at-most: 1}}}}
"""
    screen = tested(tests, "--update")

    assert "holds: {vision: {nvidia.com/gpu: 8}}" in (tmp_path / "fairshare-test.yaml").read_text()
    assert screen.stderr == "note: 1 expected value written; 1 failed test must be changed by hand\n"
    assert "expected vision has a share of at most 1; got no share" in " ".join(screen.stdout.split())


def test_findings_that_no_test_expects_are_named_with_their_line(tested: Callable[..., Any], tmp_path: Path) -> None:
    policy = tmp_path / "policy.yaml"
    policy.write_text(Path(POLICY).read_text().replace("nominalQuota: 12", "nominalQuota: 12, borrowingLimit: 40", 1))
    suite = tested("- {name: a, then: {findings: []}}\n", given=f"paths: [{policy}]")

    (test,) = suite["tests"]
    proofs = [(each["clause"].split()[0], each["at"]["line"]) for each in test["proofs"]]
    assert ("K090", 17) in proofs


def test_reports_for_ci_name_the_line(tested: Callable[..., Any]) -> None:
    tests = "- {name: a, when: {submit: {queue: vision, request: {nvidia.com/gpu: 21}}}, then: {outcome: Admitted}}\n"

    report = ElementTree.fromstring(tested(tests, "-o junit").stdout)
    failure = report.find(".//failure")
    assert failure is not None
    assert failure.attrib["message"].startswith("expected Admitted; got Never")
    assert "::error file=" in tested(tests, "-o github").stdout


def test_a_directory_without_tests_is_a_wrong_call(run: Run, tmp_path: Path) -> None:
    assert run(f"kubectl-fairshare test {tmp_path}").code == 2


@pytest.mark.slow
def test_the_demo_holds_what_it_expects(run: Run) -> None:
    assert run("kubectl-fairshare test testdata/demo testdata/search").code == 0
