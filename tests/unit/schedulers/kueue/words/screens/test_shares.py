"""Screens of shares: everything is there, nothing is cut, colour adds nothing."""

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.screens import Screen, shown

Run = Callable[[str], Screen]
ORG = "-f testdata/demo/org -q"


def text(run: Run, options: str) -> str:
    screen = run(f"kubectl-fairshare shares {ORG} {options}")
    assert (screen.code, screen.stderr) == (0, "")
    return screen.stdout


@pytest.mark.parametrize("options", ["", "--by namespace", "--by localqueue", "--explain vision", "--queue chat"])
def test_80_columns(run: Run, options: str) -> None:
    assert [line for line in text(run, options).splitlines() if len(line) > 80] == []


@pytest.mark.parametrize("command", ["shares", "shares -o wide", "shares --explain vision", "cycle"])
def test_colour_says_nothing_more(run: Run, command: str) -> None:
    plain = run(f"kubectl-fairshare {command} {ORG}").stdout
    coloured = run(f"kubectl-fairshare {command} {ORG} --color always").stdout
    assert coloured != plain
    assert re.sub(r"\x1b\[\d*m", "", coloured) == plain


def test_the_tree_tells_every_figure(run: Run) -> None:
    shown = text(run, "-o wide")
    for title in ("NOMINAL", "SUBTREE", "USED", "BORROWED", "LENT", "FREE", "POTENTIAL", "LIMITS"):
        assert title in shown
    for title in ("WEIGHT", "SHARE", "RUNNING", "PENDING", "BORROWS IN"):
        assert title in shown
    assert re.search(r"^acme \(implicit\)", shown, re.MULTILINE)
    assert re.search(r"└─ vision +1 +278 +0\.278  ▲  nvidia\.com/gpu +4 +1  research, acme +\S+Z$", shown, re.MULTILINE)
    assert re.search(r"└─ vision +12 +12 +32 +20 +– +4 +60$", shown, re.MULTILINE)
    assert re.search(r"├─ speech +12 +12 +4 .*lends at most 8$", shown, re.MULTILINE)
    assert re.search(r"^total +64 +60$", shown, re.MULTILINE)


def test_who_could_be_asked_comes_with_its_convention(run: Run) -> None:
    shown = text(run, "")
    assert "  vision: 20 nvidia.com/gpu in a100 = 12 of platform in acme +\n    8 of speech in research\n" in shown
    assert "Kueue does not record lenders" in shown


def test_limits_are_told_where_there_is_no_column_for_them(run: Run) -> None:
    assert "limits: search borrows at most 2 · speech lends at most 8\n" in text(run, "")


def test_shares_that_decide_nothing_say_so(run: Run) -> None:
    assert "so shares have no effect" in text(run, "--classical")
    assert "decide" not in text(run, "--fair-sharing")


def test_explain_cites_every_field_it_rests_on(run: Run) -> None:
    shown = text(run, "--explain vision")
    assert (
        "subtree of vision = 12 nominal = 12\n      12  vision nominalQuota  testdata/demo/org/research.yaml:18"
        in shown
    )
    assert "used by vision = the sum over 4 workloads = 32" in shown
    assert "24  vision/pretrain admission  testdata/demo/org/workloads.yaml:" in shown
    assert "= 0.277778; Kueue's weightedShare is 278" in " ".join(shown.split())
    facts = [line for line in shown.splitlines() if re.match(r" {6,}\d+  ", line)]
    assert facts != []
    assert [line for line in facts if not re.search(r"\.yaml:\d+$", line)] == []


def test_csv_and_json_agree(run: Run) -> None:
    rows = list(csv.DictReader(io.StringIO(text(run, "-o csv"))))
    found = {}
    for node in json.loads(text(run, "-o json"))["queues"]:
        for pair in node["figures"]:
            found[node["name"], pair["flavor"]] = pair["used"]["quantity"], pair["available"]["quantity"]
    assert {(r["name"], r["flavor"]): (r["usage"], r["available"]) for r in rows if r["flavor"]} == found


def test_names_are_those_of_objects(run: Run) -> None:
    assert text(run, "-o name --queue etl") == ("cohort.kueue.x-k8s.io/platform\nclusterqueue.kueue.x-k8s.io/etl\n")


def test_an_inactive_queue_has_its_name_and_nothing_free(tmp_path: Path) -> None:
    flavors = "[{name: gone, resources: [{name: cpu, nominalQuota: 1}]}]"
    quota = f"resourceGroups: [{{coveredResources: [cpu], flavors: {flavors}}}]"
    queue = f"apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {{name: q}}\nspec: {{{quota}}}\n"
    file = tmp_path / "q.yaml"
    file.write_text(queue)
    found = shown(f"kubectl-fairshare shares -f {file} --complete").stdout.splitlines()
    assert any(line.startswith("q (inactive: FlavorNotFound)") for line in found)
    (row,) = (line.split() for line in found if line.startswith("q ") and "inactive" not in line)
    assert row == ["q", "1", "1", "0", "–", "–", "–", "1"]


def test_resources_in_another_order_are_one_error(tmp_path: Path) -> None:
    resources = "[{name: c, nominalQuota: 1}, {name: a, nominalQuota: 1}, {name: b, nominalQuota: 1}]"
    quota = f"resourceGroups: [{{coveredResources: [a, b, c], flavors: [{{name: f, resources: {resources}}}]}}]"
    file = tmp_path / "q.yaml"
    file.write_text(
        f"apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {{name: q}}\nspec: {{{quota}}}\n"
    )
    found = shown(f"kubectl-fairshare shares -f {file}")
    assert (found.code, found.stderr.count("error:"), found.stderr.count("help:")) == (3, 1, 1)
    assert "resources[0].name: coveredResources has `a` in this position, and 2 more in other positions" in found.stderr
    assert "in the order of `coveredResources`; `lint --fix` does" in found.stderr
