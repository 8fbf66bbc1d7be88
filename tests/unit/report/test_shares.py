"""Queues are printed from their figures: every column is one declaration."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from kubectl_fairshare.answers.answer import Amount
from kubectl_fairshare.answers.blocks import Block, CsvColumns, Grid, Items, Layout, Remark, Section
from kubectl_fairshare.answers.counts import QueueCounts
from kubectl_fairshare.answers.documents import DocumentKind, WrittenAnswer
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.figures import Figure
from kubectl_fairshare.answers.number_text import some
from kubectl_fairshare.answers.shares import AnyFigures, QueueFigures, QueueNode, Shares, selected
from kubectl_fairshare.model.location import Location, ObjectKey, Place
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.report.shares import SharesReport
from kubectl_fairshare.report.text.view import View
from tests.screens import ROOT, Screen


class Held(Value, frozen=True):
    """What a queue holds of one resource."""

    used: int
    past_use: float = 0.0
    bound: int | None = None


class Named(Value, frozen=True):
    """What a queue is."""

    rank: int


Node = QueueNode[Named, Held]
FIGURES = (
    Figure("used", "USED", some),
    Figure("bound", "BOUND", some, none="any"),
    Figure("pastUse", "PAST", scarce=True),
    Figure("", "WIDE", read=lambda _: "w", csv=False, wide=True),
)
QUEUE = (Figure("rank", "RANK"),)


class Ranks(Value, frozen=True):
    """What this scheduler adds to each queue."""

    queues: tuple[Named, ...]


KIND = DocumentKind("Shares", Ranks, "shares")


class Detail(Value, frozen=True):
    """Two tables and a note."""

    trees: tuple[Node, ...]

    def columns(self) -> CsvColumns | Grid:
        return CsvColumns(QUEUE, FIGURES)

    def layout(self) -> Layout:
        cpu = Section("cpu", self.trees, FIGURES, "cpu", total={"used": "9"})
        note = Remark("said of a", place=Place(key("a"), ("spec",)))
        items = Items("also: ", ("x", "y"), narrow=True)
        grid = Grid(("NAME", "N"), [("g", "1")], frozenset(("NAME",)))
        groups: list[list[Block]] = [
            [Section("QUEUE", self.trees, QUEUE)],
            [cpu, note, items],
            [Items("none: ", ())],
            [grid],
        ]
        return Layout(("mode",), groups, [Remark("above", first="")])

    def document(self) -> WrittenAnswer:
        return WrittenAnswer(KIND, Ranks(tuple(node.own for tree in self.trees for node in tree)))


def key(name: str) -> ObjectKey:
    return ObjectKey("example.com", "Queue", "", name)


def node(name: str, held: Held, *children: Node, implicit: bool = False) -> Node:
    figures = QueueFigures("cpu", "", Amount("cpu", held.used, str(held.used)), held)
    return QueueNode(key(name), (figures,), QueueCounts(1), Named(len(name)), children=children, implicit=implicit)


def report(*trees: Node) -> SharesReport:
    return SharesReport(Shares("some", trees, {}, Fidelity("Some", "v1"), Detail(trees)))


TREE = node("root", Held(3000), node("a", Held(0, bound=2000)), implicit=True)


def test_a_screen_has_a_table_of_queues_and_one_for_each_resource() -> None:
    at = {Place(key("a"), ("spec",)): Location("q.yaml", 7, 1)}
    lines = report(TREE).screen(View(places=at)).splitlines()
    assert lines[1:-2] == [
        *("Some v1 · mode", "above", ""),
        *("QUEUE  RANK", "root      4", "└─ a      1", ""),
        *("cpu    USED  BOUND", "root      3    any", "└─ a      –      2", "total     9"),
        f"  said of a{'q.yaml:7':>69}",
        *("also: x, y", ""),
        *("NAME  N", "g     1"),
    ]


def test_a_figure_that_is_zero_everywhere_may_have_no_column_and_a_wide_one_is_for_wide_screens() -> None:
    titles = report(node("a", Held(1, past_use=0.5))).screen(View(wide=True)).splitlines()[7]
    assert titles.split() == ["cpu", "USED", "BOUND", "PAST", "WIDE"]


def test_csv_and_names_and_documents_come_from_the_same_figures() -> None:
    found = report(TREE)
    assert found.csv() == "rank,resource,used,bound,pastUse,oldestPending\n4,cpu,3,,0,\n1,cpu,0,2,0,\n"
    assert list(found.names()) == ["queue.example.com/a"], "an implicit queue is no object"
    assert [(q["name"], q["rank"]) for q in _queues(found)] == [("root", 4), ("a", 1)]


def _queues(of: SharesReport) -> list[dict[str, object]]:
    queues = of.document({})["queues"]
    assert isinstance(queues, list)
    return queues


def _all(_: AnyFigures) -> bool:
    return True


@pytest.mark.parametrize(
    ("whole", "each", "kept"),
    [
        ("", "", ["b", "root", "a", "a1"]),
        ("a", "", ["root", "a", "a1"]),
        ("root", "a1", ["root", "a", "a1"]),
        ("b", "a1", []),
    ],
)
def test_a_part_of_the_trees_has_all_ancestors(whole: str, each: str, kept: list[str]) -> None:
    trees = (node("b", Held(1)), node("root", Held(1), node("a", Held(1), node("a1", Held(1)))))
    found = selected(trees, lambda n: whole in ("", n.name), lambda n: each in ("", n.name), _all)
    assert [n.name for tree in found for n in tree] == kept


def test_siblings_are_sorted_and_figures_left_out() -> None:
    tree = node("root", Held(1), node("a", Held(1)), node("b", Held(1)))
    (found,) = selected((tree,), lambda _: True, lambda _: True, lambda _: False, lambda nodes: nodes[::-1])
    assert [n.name for n in found] == ["root", "b", "a"]
    assert found.figures == ()


@pytest.mark.parametrize(
    ("state", "name"),
    [("demo/org", "vision"), ("demo/kai", "vision"), ("demo/koordinator", "vision"), ("demo/capacity", "research")],
)
def test_columns_go_before_a_name_is_shortened(
    state: str, name: str, run: Callable[[str], Screen], tmp_path: Path
) -> None:
    """Whatever the scheduler: what is used, and what waits, stays longest."""
    longer = f"{name}-of-a-department-that-has-a-long-name"
    for source in sorted((ROOT / "testdata" / state).glob("*.yaml")):
        if source.name != "fairshare-test.yaml":
            text = re.sub(rf"\b{name}\b", longer, source.read_text(encoding="utf-8"))
            (tmp_path / source.name).write_text(text, encoding="utf-8")
    screen = run(f"kubectl-fairshare shares -f {tmp_path}").stdout
    assert longer in screen
    assert "not shown: " in screen
    assert "shortened" not in screen
    assert "PENDING" not in screen.partition("not shown: ")[2], "what waits was dropped"
