"""One question to all clusters of a repository: each format has the answer of each; the exit code is the highest."""

import csv
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from kubectl_fairshare.answers.outcome import EXIT_UNREAD, EXIT_USAGE
from tests.meta.repository import ROOT
from tests.sampling import sampled
from tests.schemas import problems
from tests.screens import Screen
from tests.strangers.gitops import STATE, repository

Run = Callable[[str], Screen]
UNITS = [["overlays/gpu-eu"], ["overlays/gpu-us"]]
QUESTIONS = {
    "shares": ("json", "yaml", "csv", "name", "svg", "markdown"),
    "shares --by namespace": ("csv",),
    "shares --saturated": ("json", "yaml"),
    "plan -w apps/train.yaml": ("json", "name", "svg", "markdown"),
    "why -A": ("json", "jsonl", "csv", "name", "markdown"),
    "why vision/workload/sweep-3": ("json", "jsonl", "markdown"),
    "cycle": ("json", "name", "markdown"),
    "capacity --queue vision --request nvidia.com/gpu=1": ("json", "csv", "name"),
    "forecast": ("json", "csv", "name", "markdown"),
    "search --never 'vision preempted by chat' --workloads 1 --random 0": ("json", "csv", "name"),
    "simulate --scenario ../week.yaml --until 1h": ("json", "csv"),
    "simulate --scenario ../week.yaml --until 1h --seeds 2": ("json", "csv"),
}
CASES = [(question, output) for question, outputs in QUESTIONS.items() for output in outputs]


OWN = """
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: vision}
spec:
  cohortName: alone
  preemption: {reclaimWithinCohort: Never}
"""
"""The queue is alone in one of the clusters."""


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> Run:
    """Runs a command in the repository, in which the clusters differ."""
    at = repository(tmp_path / "repository", "09-quota-cut-under-running-work")
    monkeypatch.chdir(at)
    (at / "overlays/gpu-eu/vision.yaml").write_text(OWN)
    shutil.rmtree(at / "charts")  # which may be installed in each of them
    week = yaml.safe_load((ROOT / "testdata" / "simulate" / "week.yaml").read_text("utf-8"))
    week.pop("changes")
    (tmp_path / "week.yaml").write_text(yaml.safe_dump(week), "utf-8")
    return run


@pytest.mark.parametrize(("question", "output"), sampled(CASES, 8))
def test_each_format_has_the_answer_of_each_cluster(ask: Run, question: str, output: str) -> None:
    command = f"kubectl-fairshare {question} -f . -f {STATE} -o {output}"
    screen = ask(command)
    alone = [ask(f"{command} --each {units[0]}") for units in UNITS]
    assert screen.code == max(one.code for one in alone), screen
    if output in ("json", "yaml"):
        document: Any = yaml.load(screen.stdout, yaml.CSafeLoader)
        assert document["kind"] == "UnitList"
        assert [item["units"] for item in document["items"]] == UNITS
        assert [item["exitCode"] for item in document["items"]] == [one.code for one in alone]
        if "search" not in question:  # its time is in no document, but what it covered depends on it
            assert [item["answer"] for item in document["items"]] == [
                yaml.load(one.stdout, yaml.CSafeLoader) for one in alone
            ]
    elif output == "jsonl":
        lines = [json.loads(line) for line in screen.stdout.splitlines()]
        assert {tuple(line.pop("units")) for line in lines} <= {tuple(units) for units in UNITS}
        assert lines == [json.loads(line) for one in alone for line in one.stdout.splitlines()]
    elif output == "csv":
        rows = list(csv.reader(screen.stdout.splitlines()))
        assert rows[0][0] == "unit"
        own = [list(csv.reader(one.stdout.splitlines())) for one in alone]
        assert rows[1:] == [[units[0], *row] for units, table in zip(UNITS, own, strict=True) for row in table[1:]]
    elif output == "name":
        assert set(screen.stdout.split()) == {name for one in alone for name in one.stdout.split()}
    else:
        assert all(units[0] in screen.stdout for units in UNITS)


def checked(document: dict[str, Any]) -> None:
    """Raises where a document is not as its schema says."""
    assert problems(document) == []


def test_documents_of_all_clusters_are_as_their_schemas_say(ask: Run) -> None:
    document: Any = json.loads(ask(f"kubectl-fairshare why -A -f . -f {STATE} -o json").stdout)
    checked(document)
    for item in document["items"]:
        checked(item["answer"])
    for line in ask(f"kubectl-fairshare why -A -f . -f {STATE} -o jsonl").stdout.splitlines():
        checked(json.loads(line))


def test_a_form_of_one_state_is_refused(ask: Run) -> None:
    screen = ask(f"kubectl-fairshare simulate --scenario ../week.yaml --seeds 2 --until 1h -f . -f {STATE} -o html")
    assert screen.code == EXIT_USAGE
    assert "`-o html` is for one unit" in screen.stderr


def test_units_that_cannot_be_read_are_in_the_document(ask: Run) -> None:
    held = Path("overlays/gpu-us/vision.yaml")
    held.write_text(held.read_text() + "  stopPolicy: Never\n")
    screen = ask(f"kubectl-fairshare shares -f . -f {STATE} -o json")
    assert screen.code == EXIT_UNREAD, screen
    document: Any = json.loads(screen.stdout) if "UnitList" in screen.stdout else None
    assert document is None or document["unread"]
    assert "stopPolicy" in screen.stderr


def test_a_counterexample_of_a_cluster_is_replayed_on_that_cluster(ask: Run, tmp_path: Path) -> None:
    loads = "--queue vision --sizes 8 --resource nvidia.com/gpu --workloads 4 --random 0"
    found = ask(
        f"kubectl-fairshare search --never 'vision > nvidia.com/gpu=24' {loads} -f . --write {tmp_path}/breach.yaml"
    )
    assert found.code == 1, found
    written = sorted(path.name for path in tmp_path.glob("breach*.yaml"))
    assert written == ["breach.overlays-gpu-us.yaml"]  # in the other one the queue has nothing to borrow
    given = yaml.safe_load((tmp_path / written[0]).read_text())["given"]
    assert given["each"] == ["repository/overlays/gpu-us"]
    replayed = ask(f"kubectl-fairshare test {tmp_path}/{written[0]} -o json")
    assert replayed.code == 1, replayed
    (suite,) = json.loads(replayed.stdout)["suites"]
    assert [test["status"] for test in suite["tests"]] == ["Failed"]


TESTS = """
given: {paths: [.]}
tests:
- name: one GPU
  when: {submit: {queue: vision, request: {nvidia.com/gpu: 1}, count: 16}}
  then: {outcome: Admitted}
"""


def test_tests_run_on_each_cluster(ask: Run) -> None:
    Path("fairshare-test.yaml").write_text(TESTS)
    screen = ask("kubectl-fairshare test . -o json")
    assert screen.code == 1, screen
    suites = json.loads(screen.stdout)["suites"]
    assert [suite["units"] for suite in suites] == UNITS
    assert [suite["tests"][0]["status"] for suite in suites] == ["Failed", "Passed"]
    for output in ("text", "junit", "csv", "github"):
        shown = ask(f"kubectl-fairshare test . -o {output}")
        assert (shown.code, "overlays/gpu-eu" in shown.stdout) == (1, True), shown
    assert ask("kubectl-fairshare test . --update").code == EXIT_USAGE
    Path("fairshare-test.yaml").write_text(TESTS.replace("[.]", "[.], each: [overlays/*us]"))
    assert ask("kubectl-fairshare test .").code == 0
    Path("fairshare-test.yaml").write_text(TESTS.replace("[.]", "[.], each: [overlays/asia]"))
    wrong = ask("kubectl-fairshare test .")
    assert (wrong.code, "units are `overlays/gpu-eu`, `overlays/gpu-us`" in wrong.stderr) == (EXIT_USAGE, True), wrong


def test_a_first_file_of_tests_is_written_for_each_cluster(ask: Run) -> None:
    Path("state.yaml").write_text(STATE.read_text())
    screen = ask("kubectl-fairshare test --init . state.yaml")
    assert screen.code == 0, screen
    for (name,) in UNITS:
        given = yaml.safe_load(Path(name, "fairshare-test.yaml").read_text())["given"]
        assert given == {"paths": [".", "../../state.yaml"]}
        assert f"note: {name}/fairshare-test.yaml has" in screen.stderr
    assert ask("kubectl-fairshare test .").code == 0


NIGHT = """
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: night}
spec:
  cohortName: products
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [example.com/tape]
    flavors: [{name: cpu, resources: [{name: example.com/tape, nominalQuota: 2}]}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: night, namespace: vision}
spec: {clusterQueue: night}
"""


@pytest.mark.parametrize(
    "question",
    [
        "shares --queue night",
        "shares --explain night",
        "shares --resource example.com/tape",
        "capacity --queue night",
        "capacity --resource example.com/tape",
        "plan --queue vision/night --request example.com/tape=1",
        "search --never 'night preempted by chat' --workloads 1 --random 0",
    ],
)
def test_a_cluster_without_the_queue_in_question_is_left_out(ask: Run, question: str) -> None:
    folder = Path("overlays/gpu-us")
    (folder / "night.yaml").write_text(NIGHT)
    kustomization = folder / "kustomization.yaml"
    kustomization.write_text(kustomization.read_text().replace("[../../base]", "[../../base, night.yaml]"))
    screen = ask(f"kubectl-fairshare {question} -f . -q")
    assert screen.code not in (EXIT_USAGE, EXIT_UNREAD), screen
    assert ("overlays/gpu-eu" in screen.stdout, "overlays/gpu-us" in screen.stdout) == (False, True), screen
    missing = ask(f"kubectl-fairshare {question.replace('night', 'dawn').replace('tape', 'disk')} -f . -q")
    assert (missing.code, missing.stdout) == (EXIT_USAGE, ""), missing
