"""A saturated organisation as a screen; where cycles never rest, that is said."""

from collections.abc import Callable

import pytest

from kubectl_fairshare.answers.answer import amount_of
from kubectl_fairshare.answers.counts import NO_WORK
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.shares import QueueFigures, QueueNode
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.report.shares_view import SharesViewReport
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.kueue.cycle.saturated import Saturation
from kubectl_fairshare.schedulers.kueue.explain.shares import KueueNode, NodeReport, PairFigures, ShareTree, Total
from kubectl_fairshare.schedulers.kueue.laws import NO_SHARE
from kubectl_fairshare.schedulers.kueue.model.objects import cluster_key
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource
from kubectl_fairshare.schedulers.kueue.words.saturation import saturation_view

GPU = FlavorResource("a100", "example.com/gpu")
FIDELITY = Fidelity("Kueue", "v0.19")


def node(name: str, nominal: int, *children: KueueNode) -> KueueNode:
    figures = PairFigures(*GPU, nominal, nominal, 0, 0, 0, 0, 0, 0)
    kind = "Cohort" if children else "ClusterQueue"
    own = NodeReport(kind, name, None, True, 1.0, NO_SHARE)
    held = QueueFigures(GPU.resource, GPU.flavor, amount_of(GPU.resource, 0), figures)
    return QueueNode(cluster_key(kind, name), (held,), NO_WORK, own, children=children, label=name)


TREE = ShareTree(
    fair=True,
    strategies=(),
    trees=(node("all", 6, node("one", 2), node("two", 4)),),
    loans=(),
    local_queues=(),
    namespaces=(),
    totals=(Total(*GPU, 6, 0),),
    cycles=(),
    stray=(),
    running=0,
    pending=0,
    skipped={},
    fidelity=FIDELITY,
)


@pytest.fixture
def screen() -> Callable[..., list[str]]:
    def of(**figures: object) -> list[str]:
        given: dict[str, object] = {"fidelity": FIDELITY, **figures}
        found = Saturation(GPU.resource, {GPU.resource: 1}, {"one": 5, "two": 1}, 7, **given)  # type: ignore[arg-type]
        return SharesViewReport(saturation_view(TREE, found, "")).screen(View()).splitlines()

    return of


def test_at_rest(screen: Callable[..., list[str]]) -> None:
    lines = screen()
    assert lines[0].startswith("when all are busy: one 5, two 1 example.com/gpu ")
    assert "cycles run until they change nothing: 7 cycles here." in " ".join(lines)
    assert lines[1:8] == [
        "Kueue v0.19 · fair sharing",
        "unit workload: 1 example.com/gpu",
        "",
        "example.com/gpu  NOMINAL  SUBTREE  HOLDS",
        "all                    6        6      6",
        "├─ one                 2        2      5",
        "└─ two                 4        4      1",
    ]


def test_never_at_rest(screen: Callable[..., list[str]]) -> None:
    lines = screen(rests=False, period=2, swings={"one": (4, 5)}, phases={"one": ({GPU: 4}, {GPU: 5})})
    assert "never stable: it repeats every 2 cycles" in lines[0]
    assert "all                    6        6    5–6" in lines
    assert "├─ one                 2        2    4–5     4–5" in lines
    assert "└─ two                 4        4      1" in lines
    assert any("HOLDS is the range that a queue holds" in line for line in lines)


def test_what_a_cohort_holds_is_the_sum_at_one_cycle(screen: Callable[..., list[str]]) -> None:
    """One queue has what the other lost: together they hold the same at each cycle."""
    phases = {"one": ({GPU: 4}, {GPU: 5}), "two": ({GPU: 2}, {GPU: 1})}
    lines = screen(rests=False, period=2, swings={"one": (4, 5), "two": (1, 2)}, phases=phases)
    assert "all                    6        6      6" in lines
    assert "└─ two                 4        4    1–2     1–2" in lines


def test_an_end_of_which_not_all_others_were_found_is_one_of_several(screen: Callable[..., list[str]]) -> None:
    unsure = replace(FIDELITY, all_outcomes=False)
    assert "one of several possible outcomes" in " ".join(screen(fidelity=unsure)[:2])


def test_demand_has_a_column_where_a_backlog_ends(screen: Callable[..., list[str]]) -> None:
    lines = screen(backlog={"one": None, "two": 1})
    assert "├─ one                 2        2  unlimited      5" in lines
    assert "└─ two                 4        4          1      1" in lines


def test_what_is_unsure_is_said(screen: Callable[..., list[str]]) -> None:
    shown = " ".join(screen(bundle=16, without_backlog=("two",)))
    assert "move 16 units at a time" in shown
    assert "without a backlog: two" in shown
