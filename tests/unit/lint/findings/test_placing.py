"""Findings at their lines, and what tells one from another when lines have moved."""

from pathlib import Path

import pytest

from kubectl_fairshare.finding import Finding, Related, Remedy, Remove, Rename, Severity
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.lint.findings.placed import Placed
from kubectl_fairshare.lint.findings.placing import place
from kubectl_fairshare.lint.formats.text import finding_lines
from kubectl_fairshare.lint.protocol import Rule, RuleTexts
from kubectl_fairshare.lint.run import Reported
from kubectl_fairshare.model.json import FieldPath
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers import known_schedulers, lint_houses

QUEUE = ObjectKey("kueue.x-k8s.io", "ClusterQueue", "", "one")
SPEECH = """\
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata:
  name: one
spec:
  cohortName: org
  resourceGroups:
  - coveredResources: [cpu, memory]
    flavors:
    - name: spot
      resources: [{name: cpu, nominalQuota: 1}, {name: memory, nominalQuota: 2}]
"""
MEMORY: FieldPath = ("spec", "resourceGroups", 0, "flavors", 0, "resources", 1, "nominalQuota")


def made(id: str = "K001") -> Rule:
    return Rule(id, "a-rule", Severity.ERROR, lambda: RuleTexts("s", "w", "r"), False, None, None, "")


def placed(folder: Path, text: str, *findings: Finding, of: Rule | None = None) -> tuple[Placed, ...]:
    path = folder / "x.yaml"
    path.write_text(text)
    return place(
        [Reported(of or made(), f, Severity.ERROR) for f in findings],
        read([str(path)], schedulers=known_schedulers()),
        lint_houses(),
    )


def at(*path: str | int, message: str = "m") -> Finding:
    return Finding(Place(QUEUE, path), message, Remedy("r"))


def test_findings_come_in_the_order_of_the_text(tmp_path: Path) -> None:
    found = placed(tmp_path, SPEECH, at(*MEMORY), at("spec", "cohortName"), at())
    assert [p.location.line for p in found] == [4, 6, 11]


def test_a_stored_field_is_found_where_it_was_written(tmp_path: Path) -> None:
    old = SPEECH.replace("v1beta2", "v1beta1").replace("cohortName", "cohort")
    (found,) = placed(tmp_path, old, at("spec", "cohortName"))
    assert (found.location.line, found.excerpt) == (6, "  cohort: org")


@pytest.mark.parametrize(
    "changed",
    [
        "# more\n\n" + SPEECH,
        SPEECH.replace("  cohortName: org\n", ""),
        SPEECH.replace("{name: cpu, nominalQuota: 1}, ", ""),
        SPEECH.replace("    - name: spot\n", "    - {name: first, resources: []}\n    - name: spot\n"),
    ],
)
def test_a_fingerprint_survives_what_does_not_touch_the_field(tmp_path: Path, changed: str) -> None:
    (before,) = placed(tmp_path, SPEECH, at(*MEMORY))
    flavors = 1 if "first" in changed else 0
    resources = 1 if "cpu, nominal" in changed else 0
    path = (*MEMORY[:4], flavors, "resources", resources, "nominalQuota")
    (after,) = placed(tmp_path, changed, at(*path, message="another number"))
    assert after.fingerprint == before.fingerprint


@pytest.mark.parametrize("path", [(), ("spec",), (*MEMORY[:6], 0, "nominalQuota"), (*MEMORY[:7], "borrowingLimit")])
def test_another_field_has_another_fingerprint(tmp_path: Path, path: FieldPath) -> None:
    (one,) = placed(tmp_path, SPEECH, at(*MEMORY))
    (other,) = placed(tmp_path, SPEECH, at(*path))
    assert one.fingerprint != other.fingerprint


def test_another_rule_has_another_fingerprint(tmp_path: Path) -> None:
    (one,) = placed(tmp_path, SPEECH, at())
    (other,) = placed(tmp_path, SPEECH, at(), of=made("K002"))
    assert one.fingerprint != other.fingerprint


def test_two_findings_of_one_field_are_told_apart(tmp_path: Path) -> None:
    one, other = placed(tmp_path, SPEECH, at("spec", message="a"), at("spec", message="b"))
    assert one.fingerprint != other.fingerprint


WHERE = Place(QUEUE, ("spec", "cohortName"))


@pytest.mark.parametrize(
    ("finding", "columns"),
    [
        (Finding(WHERE, "m", Remedy("r", (Rename(WHERE, "cohort"),), safe=True)), (3, 13)),
        (Finding(WHERE, "m", Remedy("r"), about_key=True), (3, 13)),
        (Finding(WHERE, "m", Remedy("r", (Remove(WHERE),), safe=True)), (15, 18)),
    ],
)
def test_the_key_is_marked_where_it_is_what_is_wrong(
    tmp_path: Path, finding: Finding, columns: tuple[int, int]
) -> None:
    (found,) = placed(tmp_path, SPEECH, finding)
    assert (found.location.column, found.end) == columns


def test_related_places_are_looked_up_too(tmp_path: Path) -> None:
    finding = Finding(Place(QUEUE), "m", Remedy("r"), related=(Related("there", Place(QUEUE, ("spec", "cohortName"))),))
    (found,) = placed(tmp_path, SPEECH, finding)
    ((text, where),) = found.related
    assert (text, where.line, where.column) == ("there", 6, 15)


def test_an_object_that_stands_nowhere_is_told_at_the_beginning(tmp_path: Path) -> None:
    (found,) = placed(tmp_path, SPEECH, Finding(Place(QUEUE._replace(name="other")), "m", Remedy("r")))
    assert (found.location.line, found.location.column, found.excerpt) == (1, 1, "")


def test_a_finding_in_one_long_line_is_at_its_object_and_field(tmp_path: Path) -> None:
    note = "x" * 2000
    text = (
        '{"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ClusterQueue", "metadata": {"name": "one", "annotations": '
        f'{{"note": "{note}"}}}}, "spec": {{"cohortName": "org"}}}}'
    )
    (found,) = placed(tmp_path, text, at("spec", "cohortName"))
    assert str(found.location) == f"{tmp_path / 'x.yaml'} ClusterQueue one spec.cohortName"
    assert (found.location.line, found.location.column) == (1, text.index('"org"') + 1)
    assert "1 |" not in "".join(finding_lines(found, View(), grouped=True))
    assert "ClusterQueue one spec.cohortName  error[K001]" in finding_lines(found, View(), grouped=True)[0]
