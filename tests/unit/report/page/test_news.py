"""The title of a page: the fullest resource first, who holds whose quota of it, how many wait."""

from collections.abc import Callable
from typing import Any

import pytest

from kubectl_fairshare.answers.answer import Amount
from kubectl_fairshare.answers.counts import NO_WORK
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.overview import Overview
from kubectl_fairshare.answers.shares import AnyQueue, PoolTotal, QueueFigures, QueueNode, Shares
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.report.page.news import filled_text, fullest, news, pools_of
from tests.screens import Screen


def state(*totals: tuple[str, int, int]) -> Overview[Any, Any]:
    """A state of which each resource has so much, and so much of it is used."""
    figures = tuple(
        QueueFigures(name, "", amount(name, used), None, amount(name, whole)) for name, whole, used in totals
    )
    tree: AnyQueue = QueueNode(ObjectKey("", "Queue", "", "q"), figures, NO_WORK, None)
    pools = tuple(PoolTotal(amount(name, whole), amount(name, used), name) for name, whole, used in totals)
    shares: Shares[Any] = Shares("kueue", (tree,), {}, Fidelity("Kueue", "v0.19"), None, totals=pools)
    return Overview("Kueue", (), shares)


def amount(name: str, value: int) -> Amount:
    return Amount(name, value, str(value))


def test_the_fullest_resource_is_first_and_one_of_which_there_is_none_last() -> None:
    found = pools_of(state(("cpu", 10, 5), ("odd", 0, 3), ("gpu", 8, 8), ("memory", 4, 1)))
    assert [pair for pair, _ in found] == [("gpu", ""), ("cpu", ""), ("memory", ""), ("odd", "")]


def test_what_is_not_known_is_not_said() -> None:
    nothing = state(("cpu", 0, 0))
    assert fullest(nothing) is None
    assert not filled_text(fullest(nothing))
    assert news(nothing) == "nothing waits"


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("demo/org", "64 nvidia.com/gpu in a100: 60 used; vision holds 20 that belong to platform and speech; 2 wait"),
        ("demo/kai", "16 GPU: 16 used; product holds 8 beyond its own quota; 1 waits"),
        (
            "demo/koordinator",
            "96 cpu: 46 used; vision holds 24 that belong to speech; koordinator-default-quota holds 2, too; 2 wait",
        ),
        (
            "elasticquota/cluster.yaml",
            "10 nvidia.com/gpu: 9 used; research/quota holds 2 beyond its own quota; 1 waits",
        ),
    ],
)
@pytest.mark.slow
def test_the_title_is_the_news(source: str, title: str, run: Callable[[str], Screen]) -> None:
    page = run(f"kubectl-fairshare report -q -f testdata/{source}").stdout
    assert f"<h1>{title}</h1>" in page
    assert f": {title}</title>" in page


@pytest.mark.slow
def test_work_that_is_never_admitted_is_news(run: Callable[[str], Screen]) -> None:
    page = run("kubectl-fairshare report -q -f testdata/kai/why").stdout
    title = page.partition("<h1>")[2].partition("</h1>")[0]
    assert "never admitted" in title
    groups = page.partition('id="waiting"')[2]
    assert groups.index("<summary>never") < groups.index("<summary>not now")
