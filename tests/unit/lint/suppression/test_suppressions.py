"""What comments and annotations silence, and what not."""

from pathlib import Path

import pytest

from kubectl_fairshare.cli.linting.rule_choice import known_rules
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.lint.examine import examine
from kubectl_fairshare.lint.findings.findings import findings
from kubectl_fairshare.lint.suppression.suppression import Suppression
from kubectl_fairshare.lint.suppression.suppressions import suppressions
from kubectl_fairshare.model.location import Origin
from kubectl_fairshare.schedulers import known_schedulers, lint_houses

COHORT = """\
apiVersion: kueue.x-k8s.io/v1beta2
kind: Cohort
metadata:
  name: a
spec:
  parentName: a
"""


@pytest.fixture
def made(tmp_path: Path) -> Path:
    return tmp_path / "x.yaml"


def in_text(path: Path, text: str) -> list[Suppression]:
    path.write_text(text, newline="")
    reading = read([str(path)], schedulers=known_schedulers())
    return list(suppressions(reading.manifests, reading.texts))


def covered(path: Path, text: str) -> list[tuple[int, tuple[str | int, ...]]]:
    """Document and path of what the suppressions in a text cover."""
    return [(each.document, each.path) for found in in_text(path, text) for each in found.covers]


def said(path: Path, text: str) -> list[str]:
    """The rules of the findings that are left."""
    path.write_text(text, newline="")
    reading = read([str(path)], schedulers=known_schedulers())
    rules = [rule for rule in known_rules() if not rule.advice]
    return [p.reported.rule.id for p in findings(rules, reading, examine(reading, lint_houses())).placed]


def with_comment(line: str, comment: str) -> str:
    assert f"{line}\n" in COHORT
    return COHORT.replace(f"{line}\n", f"{line}  # fairshare: {comment}\n")


def test_a_comment_at_the_end_of_a_line_covers_the_field_that_begins_there(made: Path) -> None:
    assert covered(made, with_comment("  parentName: a", "ignore[K041]")) == [(0, ("spec", "parentName"))]
    assert said(made, with_comment("  parentName: a", "ignore[K041] known")) == []


def test_a_comment_on_a_line_of_its_own_covers_the_next_line(made: Path) -> None:
    text = COHORT.replace("  parentName", "  # fairshare: ignore[cohort-cycle]\n\n  # more\n  parentName")
    assert covered(made, text) == [(0, ("spec", "parentName"))]
    assert said(made, text) == []


def test_a_comment_on_a_field_covers_all_that_the_field_holds(made: Path) -> None:
    text = with_comment("spec:", "ignore[K041]")
    assert covered(made, text) == [(0, ("spec",))]
    assert said(made, text) == []


@pytest.mark.parametrize(
    "before", ["# fairshare: ignore[K041]\n", "---\n# fairshare: ignore[K041] x\n", "# fairshare: ignore[K041]\n---\n"]
)
def test_a_comment_above_an_object_covers_the_object(made: Path, before: str) -> None:
    assert covered(made, before + COHORT) == [(0, ())]
    assert said(made, before + COHORT) == []


def test_a_comment_on_the_first_line_covers_the_object(made: Path) -> None:
    text = with_comment("apiVersion: kueue.x-k8s.io/v1beta2", "ignore[K041]")
    assert covered(made, text) == [(0, ())]


def test_a_comment_beside_the_line_between_documents_covers_the_one_after_it(made: Path) -> None:
    text = COHORT + "---  # fairshare: ignore[K041]\n" + COHORT.replace(" a\n", " b\n")
    assert covered(made, text) == [(1, ())]
    assert said(made, text) == ["K041"]


def test_other_fields_and_other_rules_still_speak(made: Path) -> None:
    assert said(made, with_comment("  name: a", "ignore[K041]")) == ["M001", "K041"]
    assert said(made, with_comment("  parentName: a", "ignore[K042]")) == ["K041", "M001"]


def test_a_suppression_of_a_rule_that_did_not_run_is_not_called_unused(made: Path) -> None:
    made.write_text(with_comment("  parentName: a", "ignore[K042]"))
    reading = read([str(made)], schedulers=known_schedulers())
    rules = [rule for rule in known_rules() if rule.id in ("K041", "M001")]
    found = findings(rules, reading, examine(reading, lint_houses())).placed
    assert [p.reported.rule.id for p in found] == ["K041"]


def test_an_unused_suppression_can_itself_be_expected(made: Path) -> None:
    text = with_comment("  name: a", "ignore[K042, M001] soon").replace("spec:\n  parentName: a\n", "")
    assert said(made, text) == []
    assert said(made, text.replace(", M001", "")) == ["M001"]


@pytest.mark.parametrize(
    "text",
    [
        'note: "# fairshare: ignore[K041]"',
        "note: 'a\n  # fairshare: ignore[K041]'",
        "note: |\n  # fairshare: ignore[K041]",
        "note: >-\n  text\n  # fairshare: ignore[K041]",
        "note: a#fairshare:ignore[K041]",
    ],
)
def test_text_that_only_looks_like_a_comment_silences_nothing(made: Path, text: str) -> None:
    assert in_text(made, COHORT + text + "\n") == []


def test_a_comment_in_the_line_of_a_block_text_is_one(made: Path) -> None:
    assert covered(made, COHORT + "note: |  # fairshare: ignore[K041]\n  text\n") == [(0, ("note",))]


def test_a_comment_in_a_list_covers_the_item(made: Path) -> None:
    sign = "# fairshare: ignore[K041]"
    items = f"items:\n- a: 1  {sign}\n  b: 2\n-  {sign}\n  c: 3\n- [x,  {sign}\n   y]\n"
    assert covered(made, COHORT + items) == [(0, ("items", number)) for number in range(3)]


def test_a_comment_covers_what_begins_on_a_line_inside_brackets(made: Path) -> None:
    text = COHORT + "flow: {a: 1,\n  b: 2, c: 3,  # fairshare: ignore[K041]\n  d: 4}\n"
    assert covered(made, text) == [(0, ("flow", "b")), (0, ("flow", "c"))]


def test_a_comment_inside_a_list_of_objects_belongs_to_its_object(made: Path) -> None:
    cohort = COHORT.replace("\n", "\n  ").rstrip()
    items = "".join(f"- {cohort}\n".replace(": a\n", f": {name}\n") for name in ("a", "b"))
    text = f"apiVersion: v1\nkind: List\nitems:\n{items}".replace(
        "parentName: b", "parentName: b # fairshare: ignore[K041]"
    )
    (found,) = in_text(made, text)
    assert found.place.object.name == "b"
    assert found.covers == (Origin(str(made), 0, ("items", 1, "spec", "parentName")),)
    assert said(made, text) == ["K041"]


def test_an_annotation_covers_its_object_and_no_other(made: Path) -> None:
    annotated = COHORT.replace("  name: a\n", '  name: a\n  annotations: {fairshare.dev/ignore: "K041=known; K042"}\n')
    (found,) = in_text(made, annotated)
    assert found.words == ("K041", "K042")
    assert said(made, annotated + "---\n" + COHORT.replace(" a\n", " b\n")) == ["M001", "K041"]


def test_an_annotation_works_in_json(made: Path) -> None:
    text = """{"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "Cohort",
      "metadata": {"name": "a", "annotations": {"fairshare.dev/ignore": "cohort-cycle=known"}},
      "spec": {"parentName": "a"}}"""
    assert said(made, text) == []


@pytest.mark.parametrize(
    "order", ["ignore", "ignore K041", "ignore[]", "ignore[ , ]", "ignored[K041]", "ignore[K041", "ignore[K041]too", ""]
)
def test_a_comment_of_another_form_is_told_and_silences_nothing(made: Path, order: str) -> None:
    assert said(made, with_comment("  parentName: a", order)) == ["K041", "M002"]


@pytest.mark.parametrize("value", ['""', "12", '"= no rule"', "{a: b}"])
def test_an_annotation_of_another_form_is_told(made: Path, value: str) -> None:
    text = COHORT.replace("  name: a\n", f"  name: a\n  annotations: {{fairshare.dev/ignore: {value}}}\n")
    assert "M002" in said(made, text)


def test_a_word_that_names_no_rule_is_told_beside_those_that_do(made: Path) -> None:
    assert said(made, with_comment("  parentName: a", "ignore[K041, chort-cycle] x")) == ["M002"]


def test_comments_are_found_whatever_ends_the_lines(made: Path) -> None:
    text = with_comment("  parentName: a", "ignore[K041]")
    assert said(made, text.replace("\n", "\r\n")) == []
    assert said(made, "\ufeff" + text) == []
