"""A change of policy as a page and as the text of a pull request."""

import re
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path
from xml.etree import ElementTree

import pytest

from kubectl_fairshare.answers.diff import FieldChange
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.report.diff import words
from tests.screens import ROOT, Screen

WORDS = "diff testdata/diff/before.yaml testdata/diff/after.yaml --state testdata/diff/state.yaml"
Run = Callable[[str], Screen]
LABELS = {
    name: f"{{nodeLabels: {{cloud.example.com/pool: {pool}}}}}" for name, pool in (("before", "one"), ("after", "two"))
}
Golden = Callable[[str, str], None]


def test_the_verdict_has_the_same_colour_at_both_ends(run: Run) -> None:
    first, *_, last = run(f"kubectl-fairshare {WORDS} --color always").stdout.strip().split("\n\n")
    assert last.startswith(first.partition("·")[0])
    assert not last.startswith("\x1b[2m")


def test_the_page_loads_nothing_and_draws_each_queue_as_wide_as_what_it_has(run: Run) -> None:
    page = run(f"kubectl-fairshare {WORDS} -o html").stdout

    assert not re.search(r"(src|href)=", page)
    picture = ElementTree.fromstring(page[page.index("<svg") : page.index("</svg>") + 6])
    boxes = {group[0].text: group[1].attrib for group in picture if group.tag.endswith("}g")}
    assert {text: round(float(box["width"])) for text, box in boxes.items()} == {
        "research 20 → 16": 959,
        "speech 8": 479,
        "vision 12 → 8": 479,
    }
    assert boxes["speech 8"]["fill"] != boxes["vision 12 → 8"]["fill"]


def test_resources_without_a_change_are_folded_below_the_others(run: Run, tmp_path: Path) -> None:
    for name in ("before", "after"):
        policy = (ROOT / f"testdata/diff/{name}.yaml").read_text("utf-8")
        policy = policy.replace("coveredResources: [nvidia.com/gpu]", "coveredResources: [cpu, nvidia.com/gpu]")
        policy = re.sub(r"( +)- (.name: nvidia.com/gpu)", r"\1- {name: cpu, nominalQuota: 9}\n\1- \2", policy)
        (tmp_path / f"{name}.yaml").write_text(policy)
    page = run(f"kubectl-fairshare diff {tmp_path}/before.yaml {tmp_path}/after.yaml -o html").stdout

    assert "decided as Kueue v0.19 does" in page
    titles = re.findall(r"<h2>(.*?): what|<summary>(.*?)</summary>", page)
    assert titles == [("nvidia.com/gpu", ""), ("", "1 resource without a change"), ("cpu", "")]


def test_a_pull_request_shows_what_a_reviewer_needs_in_twenty_lines_and_folds_the_rest(run: Run) -> None:
    text = run(f"kubectl-fairshare {WORDS} -o markdown").stdout
    shown, *folded = text.split("<details><summary>")

    assert len(shown.splitlines()) <= 20
    titles = [line.split("**")[1] for line in shown.splitlines() if line.startswith("**")]
    assert titles == ["Queues", "Running work at risk", "Waiting work decided otherwise"]
    assert "- loses: `vision`, nvidia.com/gpu in a100 guaranteed 12 → 8" in shown
    assert "**: 1 workload, 12 pods, 12 nvidia.com/gpu" in shown
    assert "`vision/pretrain` (queue vision, priority 10, 12 pods): 12 nvidia.com/gpu" in shown
    assert "may be preempted by speech (reclaim)" in shown
    assert "speech/tts: admitted → admitted, preempts vision/pretrain" in shown
    assert [each.partition("</summary>")[0] for each in folded] == [
        *("Rights", "Findings: 1 new", "2 changed fields", "Rollback")
    ]


def test_no_name_of_the_work_that_differs_is_cut_on_a_narrow_screen(run: Run, tmp_path: Path) -> None:
    state = (ROOT / "testdata/diff/state.yaml").read_text("utf-8").replace("pretrain", "pretraining-of-the-large-model")
    (tmp_path / "state.yaml").write_text(state)
    words = f"diff testdata/diff/before.yaml testdata/diff/after.yaml --state {tmp_path}/state.yaml"
    screen = run(f"kubectl-fairshare {words}").stdout
    assert "preempts vision/pretraining-of-the-large-model" in " ".join(screen.split())
    assert "names are shortened" not in screen


def test_a_pull_request_names_work_with_the_same_fate_together(run: Run, tmp_path: Path) -> None:
    *before, last = (ROOT / "testdata/diff/state.yaml").read_text("utf-8").split("---\n")
    copies = [last.replace("name: large", f"name: w{number}", 1) for number in range(5)]
    state = tmp_path / "state.yaml"
    state.write_text("---\n".join([*before, *(f"{copy.rstrip()}\n" for copy in copies)]))
    words = f"diff testdata/diff/before.yaml testdata/diff/after.yaml --state {state}"
    lines = run(f"kubectl-fairshare {words} -o markdown").stdout.splitlines()

    (told,) = [line for line in lines if "w0, " in line]
    assert told.startswith("- vision/w0, vision/w1, vision/w2 and 2 more: ")


def test_a_change_without_an_effect_is_no_warning(run: Run) -> None:
    marks = [
        run(f"kubectl-fairshare diff {one} {other} -o markdown").stdout.split()[1]
        for one, other in (
            ("testdata/demo/org", "testdata/demo/org"),
            ("testdata/diff/before.yaml", "testdata/diff/after.yaml"),
        )
    ]
    assert marks == ["✅", "⚠️"]


def test_names_in_a_pull_request_are_taken_as_they_are(run: Run) -> None:
    text = run(f"kubectl-fairshare {WORDS} -o markdown").stdout

    assert "`testdata/diff/after.yaml:17`" in text
    assert "\\`speech\\`" not in text


def test_the_pictures_of_the_documentation_are_what_the_program_draws(run: Run, golden: Golden) -> None:
    page = run(f"kubectl-fairshare {WORDS} -o html").stdout

    golden("../../docs/pictures/diff-icicle.svg", page[page.index("<svg") : page.index("</svg>") + 6] + "\n")
    command = WORDS.replace("testdata/diff/", "")
    with chdir(ROOT / "testdata" / "diff"):  # its title is the command, whole
        screen = run(f"kubectl-fairshare {command} -o svg").stdout
    assert f"kubectl&#160;fairshare&#160;{command}".replace(" ", "&#160;") in screen.replace(" ", "&#160;")
    golden("../../docs/pictures/diff-screen.svg", screen)


def test_names_stay_whole_and_lines_short_where_a_table_has_no_room(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("before", "after"):
        policy = (ROOT / f"testdata/diff/{name}.yaml").read_text("utf-8")
        policy = re.sub(r"\b(speech|vision)\b", r"department-of-\1-research-cluster-queue", policy)
        kind = "kind: ResourceFlavor\n"
        policy = policy.replace(kind, f"{kind}spec: {LABELS[name]}\n")
        (tmp_path / f"{name}.yaml").write_text(policy)
    monkeypatch.chdir(tmp_path)
    lines = run("kubectl-fairshare diff before.yaml after.yaml").stdout.splitlines()

    assert max(map(len, lines)) <= 80
    for queue in ("speech", "vision"):
        assert lines.count(f"  ClusterQueue department-of-{queue}-research-cluster-queue") == 1
        assert lines.count(f"  department-of-{queue}-research-cluster-queue") == 1
    assert any(line.startswith("    spec.nodeLabels[cloud.example.com/pool]: one → two ") for line in lines)
    assert not any("names are shortened" in line for line in lines)


def test_long_values_are_sentences_with_their_places_below_where_the_line_has_no_room(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, teams in (("before", "chat, speech, vision"), ("after", "chat, speech, vision, robotics")):
        policy = (ROOT / "testdata/diff/before.yaml").read_text("utf-8")
        selector = f"{{matchExpressions: [{{key: team, operator: In, values: [{teams}]}}]}}"
        policy = policy.replace("namespaceSelector: {}", f"namespaceSelector: {selector}")
        (tmp_path / f"{name}.yaml").write_text(policy)
    lines = run("kubectl-fairshare diff before.yaml after.yaml").stdout.splitlines()

    start = lines.index("  CHANGED")
    assert lines[start + 2] == "    spec.namespaceSelector.matchExpressions[team].values: + robotics"
    assert lines[start + 3].strip() == "after.yaml:24"


def change(field: str, was: str | None, now: str | None) -> FieldChange:
    return FieldChange(ObjectKey("", "ResourceFlavor", "", "a"), field, was, now)


def test_a_long_value_shows_what_differs() -> None:
    start = ", ".join(f"nvidia.com/mig-{number}g.10gb" for number in range(1, 6))
    longer = change("spec", start, f"{start}, nvidia.com/mig-7g.80gb")
    assert words.value_sentence(longer) == "+ nvidia.com/mig-7g.80gb"
    assert words.value_sentence(longer.mirrored()) == "− nvidia.com/mig-7g.80gb"
    assert words.values(longer) == ("…-5g.10gb", "…-5g.10gb, nvidia.com/mig-7g.80gb")
    text = "x" * 90
    assert words.values(change("spec", f"{text}a{text}", f"{text}b{text}"))[0].startswith("…xxxxxxxxaxxx")
    assert words.value_sentence(change("spec", "1", "2")) == "1 → 2"
    assert words.values(change("spec", None, "")) == ("–", '""')
