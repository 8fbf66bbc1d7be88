"""``test``: what a file of tests can say, what it proves, and what is wrong in one, at its line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.screens import Screen

Run = Callable[[str], Screen]
POLICY = Path("testdata/diff/before.yaml").resolve()


@pytest.fixture
def tested(run: Run, tmp_path: Path) -> Callable[..., Any]:
    """Runs tests that are given as YAML and returns the document, or with ``words`` the screen."""

    def result(tests: str, words: str = "", given: str = f"paths: [{POLICY}]") -> Any:
        path = tmp_path / "fairshare-test.yaml"
        path.write_text(f"given: {{{given}}}\ntests:\n{tests}")
        screen = run(f"kubectl-fairshare test {path} {words or '-o json'}")
        return screen if words or screen.stderr else json.loads(screen.stdout)["suites"][0]

    return result


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
    }


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
    "an unknown kind": ("- {name: a, for-each: ClusterQueu, then: {}}", "`for-each` knows no", "`ClusterQueue`"),
    "a wrong amount": (
        "- {name: a, when: {submit: {queue: vision, request: {nvidia.com/gpu: many}}}, then: {}}",
        "`many` is not a quantity",
        "write",
    ),
    "a resource without quota": (
        "- {name: a, when: {running: [{queue: vision, request: {tpu: 1}}]}, then: {}}",
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


def test_reports_for_ci_name_the_line(tested: Callable[..., Any]) -> None:
    tests = "- {name: a, when: {submit: {queue: vision, request: {nvidia.com/gpu: 21}}}, then: {outcome: Admitted}}\n"

    report = ElementTree.fromstring(tested(tests, "-o junit").stdout)
    failure = report.find(".//failure")
    assert failure is not None
    assert failure.attrib["message"].startswith("expected Admitted; got Never")
    assert "::error file=" in tested(tests, "-o github").stdout


def test_a_directory_without_tests_is_a_wrong_call(run: Run, tmp_path: Path) -> None:
    assert run(f"kubectl-fairshare test {tmp_path}").code == 2


def test_the_demo_holds_what_it_expects(run: Run) -> None:
    assert run("kubectl-fairshare test testdata/demo").code == 0
