"""``lint``: what it reads, which rules run, what it prints, and what it ends with."""

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from kubectl_fairshare.cli.linting.output import FORMATS
from kubectl_fairshare.cli.linting.rule_choice import known_rules
from kubectl_fairshare.cli.main import main
from tests.schemas import problems
from tests.screens import Screen, stream, written

Run = Callable[[str], Screen]
BAD = "testdata/rules/K041/bad.yaml"
GOOD = "testdata/rules/K041/good.yaml"
CYCLE = "--select K041"
DANGLING = """\
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata:
  name: main
  namespace: team
spec:
  clusterQueue: elsewhere
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata:
  name: here
"""


def piped(text: str, *arguments: str) -> Screen:
    stdin, stdout, stderr = stream(text.encode()), stream(b""), stream(b"")
    code = main(["lint", *arguments], stdin, stdout, stderr)
    return Screen(" ".join(arguments), written(stdout), written(stderr), code)


class _Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


def test_paths_are_the_same_as_filenames(run: Run) -> None:
    texts = {run(f"kubectl-fairshare lint {call} {CYCLE}").stdout for call in (BAD, f"-f {BAD}", f"{BAD} -f {BAD}")}
    assert len(texts) == 1


def test_paths_and_filenames_add_up(run: Run) -> None:
    screen = run(f"kubectl-fairshare lint {BAD} -f testdata/demo/org {CYCLE} -o json")
    assert json.loads(screen.stdout)["counts"]["files"] > 1


def test_nothing_to_read_is_a_wrong_call(run: Run) -> None:
    screen = run("kubectl-fairshare lint")
    assert (screen.code, screen.stdout) == (2, "")
    assert "nothing to read" in screen.stderr


@pytest.mark.parametrize("output", FORMATS)
def test_the_format_never_changes_the_exit_code(run: Run, output: str) -> None:
    call = f"kubectl-fairshare lint -o {output} {CYCLE}"
    assert [run(f"{call} {path}").code for path in (GOOD, BAD, "testdata/nothing.yaml")] == [0, 1, 3]
    assert run(f"{call} {BAD} --fail-on never").code == 0


@pytest.mark.parametrize(
    ("fail_on", "strict", "lenient"), [("error", 1, 0), ("warning", 1, 0), ("info", 1, 1), ("never", 0, 0)]
)
def test_findings_as_bad_as_fail_on_exit_1(fail_on: str, strict: int, lenient: int) -> None:
    call = ("-", "--select", "local-queue-without-cluster-queue", "--fail-on", fail_on)
    assert piped(DANGLING, *call, "--complete").code == strict
    assert piped(DANGLING, *call).code == lenient


def test_what_may_lie_elsewhere_is_milder_and_says_so() -> None:
    screen = piped(DANGLING, "-", "--select", "local-queue-without-cluster-queue")
    assert ": info[" in screen.stdout
    assert "--complete" in screen.stdout
    assert ": error[" in piped(DANGLING, "-", "--select", "local-queue-without-cluster-queue", "--complete").stdout


def test_what_cannot_be_read_is_told_and_the_rest_is_linted(run: Run, tmp_path: Path) -> None:
    (tmp_path / "broken.yaml").write_text("a: [\n")
    screen = run(f"kubectl-fairshare lint {BAD} {tmp_path}/broken.yaml {tmp_path}/none.yaml {CYCLE}")
    assert screen.code == 3
    assert ": error[K041] cohort-cycle: " in screen.stdout
    assert screen.stdout.endswith("2 problems while reading: this report covers the rest only\n")
    assert screen.stderr.count("error: ") == 2


def test_an_input_that_is_not_whole_is_never_taken_as_complete(tmp_path: Path) -> None:
    (tmp_path / "broken.yaml").write_text("kind: [\n")
    screen = piped(DANGLING, "-", str(tmp_path), "--complete", "-o", "json")
    assert json.loads(screen.stdout)["complete"] is False


def test_documents_of_other_programs_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "values.yaml").write_text("image: {tag: x}\n---\n- op: add\n---\napiVersion: v2\nname: chart\n")
    (tmp_path / "a.yaml").write_text(DANGLING)
    screen = piped("", str(tmp_path), "--select", "K041")
    assert (screen.code, screen.stdout) == (0, "✔ no findings in 2 files (2 objects)\n")
    assert "3 documents are not a manifest, skipped: " in screen.stderr
    assert piped("", str(tmp_path), "--select", "K041", "-q").stderr == ""


@pytest.mark.parametrize("text", ["image: x\n", "", "just words\n", "kind: Thing\n", "apiVersion: kueue.x-k8s.io/v1\n"])
def test_an_input_without_any_manifest_could_not_be_read(text: str) -> None:
    assert piped(text, "-").code == 3


def test_a_rendered_chart_is_told_with_its_template() -> None:
    screen = piped(f"---\n# Source: chart/templates/q.yaml\n{DANGLING}", "-", "--select", "K050")
    assert screen.stdout.startswith("<stdin>:9:17: ")
    assert "rendered from chart/templates/q.yaml" in screen.stdout


def test_on_a_terminal_findings_stand_under_their_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")
    stdout = _Terminal(io.BytesIO(), encoding="utf-8", newline="\n", write_through=True)
    assert main(["lint", "-", *CYCLE.split()], stream(Path(BAD).read_bytes()), stdout, stream(b"")) == 1
    assert written(stdout).startswith("<stdin>\n  6:15  error[K041] cohort-cycle\n")


@pytest.mark.parametrize("word", ["K041", "k041", "cohort-cycle", "K04", "K04,K027", "all"])
def test_a_rule_is_selected_by_id_beginning_or_name(run: Run, word: str) -> None:
    assert "error[K041]" in run(f"kubectl-fairshare lint {BAD} --select {word}").stdout
    assert "error[K041]" not in run(f"kubectl-fairshare lint {BAD} --ignore {word}").stdout


def listed(run: Run, options: str) -> set[str]:
    screen = run(f"kubectl-fairshare lint --list-rules -o json {options}")
    return {rule["id"] for rule in json.loads(screen.stdout)["rules"]}


def test_all_rules_are_listed_with_their_rows(run: Run) -> None:
    assert listed(run, "") == {rule.id for rule in known_rules()}
    rules = json.loads(run("kubectl-fairshare lint --list-rules -o json").stdout)["rules"]
    assert {rule["id"]: rule["covers"] for rule in rules} == {rule.id: list(rule.covers) for rule in known_rules()}


def test_advice_adds_to_what_would_run(run: Run) -> None:
    advice = {rule.id for rule in known_rules() if rule.advice}
    default = {rule.id for rule in known_rules()} - advice
    assert listed(run, "--select advice") == default | advice
    assert listed(run, "--select advice,K041") == advice | {"K041"}
    assert listed(run, "--ignore advice") == default
    assert listed(run, "--select K041 --ignore cohort-cycle") == set()


def test_the_list_as_text_counts_the_rules(run: Run) -> None:
    text = run("kubectl-fairshare lint --list-rules --select K041").stdout
    assert text.startswith("K041  error    cohort-cycle\n")
    assert text.endswith("\n1 rule\n")
    assert run("kubectl-fairshare lint --list-rules -o sarif").code == 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--select cohort-cylce", "did you mean `K041` (cohort-cycle)"),
        ("--ignore K999", "unknown rule `k999`"),
        ("--release 0.99", "Kueue 0.99 is not supported"),
        ("--release new", "`new` is not a release"),
        ("--fail-on fatal", "is not one of"),
    ],
)
def test_a_wrong_call_is_told(run: Run, options: str, said: str) -> None:
    screen = run(f"kubectl-fairshare lint {BAD} {options}")
    assert (screen.code, screen.stdout) == (2, "")
    assert said in screen.stderr


def test_a_report_fits_its_schema(run: Run, root: Path) -> None:
    calls = (f"lint -o json {BAD} {root}/nothing.yaml", "lint -o json --list-rules", "rule K041 -o json")
    documents = [json.loads(run(f"kubectl-fairshare {call}").stdout) for call in calls]
    assert [document["kind"] for document in documents] == ["LintReport", "RuleList", "Rule"]
    assert [problems(document) for document in documents] == [[], [], []]


def test_objects_of_another_batch_scheduler_are_named_beside_those_that_rules_judge() -> None:
    foreign = [
        ("run.ai/v2", "Project"),
        ("batch.volcano.sh/v1alpha1", "Job"),
        ("yunikorn.apache.org/v1", "Application"),
    ]
    other = [("example.com/v1", "Project"), ("scheduling.run.ai/v2", "Queue")]
    texts = [f"apiVersion: {group}\nkind: {kind}\nmetadata: {{name: x}}\n" for group, kind in (*foreign, *other)]
    screen = piped("---\n".join([DANGLING, *texts]), "-f", "-", "--select", "K041")
    named = "1 Application of yunikorn.apache.org, 1 Job of batch.volcano.sh, 1 Project of run.ai"
    assert f"not checked, as lint has no rules for them: {named}\n" in screen.stderr
