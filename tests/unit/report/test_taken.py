"""The second line of ``why``: which queues hold what is missing, and whose it is."""

import pytest

from kubectl_fairshare.answers.answer import Amount
from kubectl_fairshare.answers.counts import NO_WORK
from kubectl_fairshare.answers.shares import AnyFigures, AnyQueue, QueueFigures, QueueNode
from kubectl_fairshare.answers.standing import Verdict
from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.report.taken import borrowed_clause, taken_clause
from kubectl_fairshare.schedulers import chosen_scheduler, known_schedulers
from kubectl_fairshare.schedulers.kueue.tree.loans import loans
from kubectl_fairshare.schedulers.kueue.tree.state import state_of
from kubectl_fairshare.schedulers.question import SharesQuestion
from tests.screens import ROOT
from tests.unit.report.test_why import ANSWER, HELD


def gpus(value: int, pool: str = "") -> Amount:
    return Amount("gpu", value, str(value), pool)


def figures(borrowed: int = 0, lent: int = 0) -> AnyFigures:
    return QueueFigures("gpu", "", gpus(8), None, borrowed=gpus(borrowed), lent=gpus(lent))


def queue(name: str, *children: AnyQueue, borrowed: int = 0, lent: int = 0, namespace: str = "") -> AnyQueue:
    key = ObjectKey("g", "Queue", namespace, name)
    return QueueNode(key, (figures(borrowed, lent),), NO_WORK, None, children=children)


TREE = queue("all", queue("p", borrowed=20), queue("q", lent=12), queue("r", lent=8), queue("s"), lent=20)


def test_the_borrower_and_the_lenders_are_named_those_that_lend_most_first() -> None:
    assert taken_clause(ANSWER, (TREE,)) == "p holds 20 gpu that belong to q and r"


def test_a_group_without_a_borrower_lends_as_a_whole_and_one_with_it_what_its_queues_do_not() -> None:
    lending = queue("platform", queue("etl", lent=5), queue("ops", lent=7), lent=12)
    beside = queue("research", queue("p", borrowed=20), queue("speech", lent=6))
    assert taken_clause(ANSWER, (queue("all", lending, beside),)) == "p holds 20 gpu that belong to platform and speech"
    own = queue("all", lending, beside, lent=20)  # 2 are its own
    assert taken_clause(ANSWER, (own,)).endswith(" that belong to all, platform and speech")


def test_several_borrowers_and_many_lenders_are_counted() -> None:
    lenders = [queue(name, lent=amount) for name, amount in (("a", 1), ("b", 2), ("c", 3), ("d", 4))]
    others = replace(ANSWER, held=(HELD, replace(HELD, queue="z")))
    trees = (queue("p", borrowed=8), queue("z", borrowed=2), *lenders)
    assert taken_clause(others, trees) == "p holds 8 gpu that belong to d, c, b and 1 more; z holds 2 gpu, too"


def test_a_queue_of_a_namespace_is_found_by_that() -> None:
    assert (
        taken_clause(ANSWER, (queue("quota", namespace="p", borrowed=3),)) == "quota holds 3 gpu beyond its own quota"
    )


def test_without_a_borrower_it_is_the_queue_itself() -> None:
    own = replace(ANSWER, held=(replace(HELD, queue="q"), replace(HELD, queue="q", amount=gpus(2))))
    assert taken_clause(own, (queue("q"),)) == "q itself holds 10 gpu"
    assert taken_clause(ANSWER, (queue("p"),)) == ""


@pytest.mark.parametrize(
    "answer",
    [replace(ANSWER, verdict=Verdict.WAITING), replace(ANSWER, short=()), replace(ANSWER, held=())],
)
def test_where_no_other_workload_holds_it_there_is_no_line(answer: object) -> None:
    assert isinstance(answer, type(ANSWER))
    assert taken_clause(answer, (TREE,)) == ""


@pytest.mark.parametrize("path", ["testdata/demo/org", "testdata/why/fair.json.gz", "testdata/why/classical.json.gz"])
def test_lenders_are_those_that_shares_names(path: str) -> None:
    """The title of a page and the second line of ``why`` name whom ``shares`` names below "may have to return"."""
    snapshot = assemble(read([str(ROOT / path)], known_schedulers()).manifests, known_schedulers()).snapshot
    trees = chosen_scheduler(snapshot, "kueue").shares(snapshot, SharesQuestion()).trees
    owed: dict[tuple[str, str], dict[str, set[str]]] = {}
    for loan in loans(state_of(snapshot)):
        owed.setdefault(loan.pair, {}).setdefault(loan.borrower, set()).add(loan.lender or "")
    compared = 0
    for (flavor, resource), lenders in owed.items():
        if len(lenders) == 1 and len(*lenders.values()) <= 3 and "" not in next(iter(lenders.values())):
            text = borrowed_clause(trees, Amount(resource, 0, "", flavor))
            named = text.partition("belong to ")[2].replace(" and ", ", ").split(", ")
            assert {each.removeprefix("Cohort ") for each in named} == next(iter(lenders.values()))
            compared += 1
    assert compared or path != "testdata/demo/org"
