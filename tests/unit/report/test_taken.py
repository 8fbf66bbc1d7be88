"""The second line of ``why``: which queues hold what is missing, and whose it is."""

import pytest

from kubectl_fairshare.answers.answer import Amount
from kubectl_fairshare.answers.counts import NO_WORK
from kubectl_fairshare.answers.shares import AnyFigures, AnyQueue, QueueFigures, QueueNode
from kubectl_fairshare.answers.standing import Verdict
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.report.taken import taken_clause
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
