"""What lint reads: manifests among files of other programs, templates, and objects that a server would name."""

import io
from pathlib import Path

import pytest

from kubectl_fairshare.input.files.files import read_what_can_be
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.schedulers import known_schedulers

JOB = "apiVersion: batch/v1\nkind: Job\nmetadata: {generateName: train-, namespace: team}\n"
CRD = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a}\n"
NODE = "apiVersion: v1\nkind: Node\nmetadata: {name: a}\n"
COHORT = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Cohort\nmetadata: {}\n"
TEMPLATE = "{{- if .Values.queue }}\napiVersion: v1\nkind: Pod\nmetadata:\n  name: {{ .Release.Name }}\n{{- end }}\n"


def read(*documents: str) -> tuple[Reading, tuple[Problem, ...]]:
    text = "---\n".join(documents).encode()
    return read_what_can_be(
        ["-"], stdin=io.BytesIO(text), allow_generate_name=True, among_others=True, schedulers=known_schedulers()
    )


def test_objects_of_one_generated_name_are_told_apart() -> None:
    reading, problems = read(JOB, JOB, JOB)
    assert problems == ()
    assert [manifest.key.name for manifest in reading.manifests] == ["train-", "train-(2)", "train-(3)"]


def test_an_object_that_is_judged_may_lack_its_name() -> None:
    reading, problems = read(COHORT, COHORT)
    assert problems == ()
    assert [manifest.key.name for manifest in reading.manifests] == ["", "(2)"]


def test_an_object_without_name_that_says_nothing_of_quota_is_of_another_program() -> None:
    reading, problems = read("apiVersion: kind.x-k8s.io/v1alpha4\nkind: Cluster\n", NODE)
    assert problems == ()
    assert [origin.document for origin in reading.foreign] == [0]


def test_a_pod_without_name_is_a_problem() -> None:
    _, problems = read("apiVersion: v1\nkind: Pod\n")
    assert [problem.message for problem in problems] == ["`metadata.name` is missing"]


def test_an_object_that_nothing_rests_on_may_be_given_twice() -> None:
    reading, problems = read(CRD, CRD, NODE)
    assert problems == ()
    assert len(reading.manifests) == 2


def test_of_others_each_is_given_once() -> None:
    other = NODE.replace("name: a", "name: a, labels: {a: b}") if "{name: a" in NODE else f"{NODE}spec: {{}}\n"
    _, (problem,) = read(NODE, other)
    assert problem.message == "Node a occurs twice"
    reading, problems = read(NODE, NODE)
    assert (len(reading.manifests), problems) == (1, ())


def test_a_template_among_manifests_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "node.yaml").write_text(NODE)
    (tmp_path / "chart.yaml").write_text(TEMPLATE)
    reading, problems = read_what_can_be([str(tmp_path)], among_others=True, schedulers=known_schedulers())
    assert problems == ()
    assert [(place.source, place.line) for place in reading.templates] == [(str(tmp_path / "chart.yaml"), 1)]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (TEMPLATE, "1:1"),
        ("kind: Pod\nmetadata:\n  name: {{ .Release.Name }}\n", "3:9"),
        ("kind: Pod\nmetadata:\n{{ include `labels` . | indent 2 }}\n", "3:1"),
        ("items:\n- {{ .Values.a }}: b\n", "2:3"),
        ("kind: Pod\nmetadata: {name: {{ .Values.a }}}\n", "2:18"),
        ('kind: Pod\nmetadata: {name: a, labels: {b: {{ include "c" . }}}}\n', "2:33"),
    ],
)
def test_a_template_alone_is_told_with_what_to_do(text: str, place: str) -> None:
    _, (problem,) = read(text)
    assert problem.message == "this is a template, not YAML"
    assert str(problem.place) == f"<stdin>:{place}"
    assert "helm template" in (problem.help or "")


@pytest.mark.parametrize("text", ["run: echo ${{ a }}\nb: [\n", "a: '{{ b }}'\nc: [\n"])
def test_a_text_that_only_quotes_an_action_is_bad_yaml(text: str) -> None:
    _, (problem,) = read(text)
    assert problem.message.startswith("not valid YAML")


def test_documents_that_a_line_separator_parts_are_each_found() -> None:
    _, problems = read("p\u2028---\u2028apiVersion: v1\u2028kind: Pod\n")
    assert [str(problem.place) for problem in problems] == ["<stdin>:1:1", "<stdin>:1:7"]
