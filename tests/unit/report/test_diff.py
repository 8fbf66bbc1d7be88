"""A change of policy as a page and as the text of a pull request."""

import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

from tests.screens import ROOT, Screen

WORDS = "diff testdata/diff/before.yaml testdata/diff/after.yaml --state testdata/diff/state.yaml"
Run = Callable[[str], Screen]
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


def test_a_pull_request_reads_verdict_radius_risk_and_rollback(run: Run) -> None:
    text = run(f"kubectl-fairshare {WORDS} -o markdown").stdout

    titles = [line for line in text.splitlines() if line.startswith("#")]
    assert [title.split(" ", 1)[1] for title in titles[1:]] == [
        "Blast radius",
        "What could go wrong",
        "Rights",
        "Rollback",
    ]
    assert "- running work at risk: 1 workload, 12 pods, 12 nvidia.com/gpu" in text


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
    golden("../../docs/pictures/diff-screen.svg", run(f"kubectl-fairshare {WORDS} -o svg").stdout)
