"""The second line of ``why``: which queues hold what is missing, and whose it is."""

import re

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
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.kueue.explain.shares import share_tree
from kubectl_fairshare.schedulers.kueue.tree.state import State, state_of
from tests.screens import ROOT
from tests.unit.report.test_why import ANSWER, HELD
from tests.unit.schedulers.kueue.build import GPU, cohort, holder, state
from tests.unit.schedulers.kueue.build import queue as queue_of


def gpus(value: int, pool: str = "") -> Amount:
    return Amount("gpu", value, str(value), pool)


def figures(borrowed: int = 0, lent: int = 0) -> AnyFigures:
    return QueueFigures("gpu", "", gpus(8), None, borrowed=gpus(borrowed), lent=gpus(lent))


def queue(name: str, *children: AnyQueue, borrowed: int = 0, lent: int = 0, namespace: str = "") -> AnyQueue:
    key = ObjectKey("g", "Queue", namespace, name)
    return QueueNode(key, (figures(borrowed, lent),), NO_WORK, None, children=children)


STATES = ("testdata/demo/org", "testdata/why/fair.json.gz", "testdata/why/classical.json.gz")
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


def test_each_borrower_has_its_own_lenders_where_the_scheduler_knows_them() -> None:
    def borrower(name: str, amount: int, *lenders: tuple[AnyQueue, int]) -> AnyQueue:
        parts = tuple((of.key, part) for of, part in lenders)
        return replace(queue(name), figures=(replace(figures(amount), lenders=parts),))

    a, b = queue("a", lent=9), queue("b", lent=3)
    trees = (a, b, borrower("p", 8, (b, 2), (a, 6)), borrower("z", 3, (a, 3)), borrower("y", 2, (a, 2)))
    assert borrowed_clause(trees, gpus(0)) == (
        "p holds 8 that belong to a and b; z holds 3 that belong to a; y holds 2, too"
    )


def several_borrowers() -> State:
    """root ⊃ left ⊃ idle, lower; right ⊃ calm, near; two borrow, one from further up, too."""
    return state(
        *(cohort("root"), cohort("left", "root"), cohort("right", "root")),
        *(queue_of("idle", "left", 6), queue_of("lower", "left", 2), queue_of("calm", "right", 3)),
        *(queue_of("near", "right", 1), holder("a", "lower", 5), holder("b", "near", 7)),
    )


def read_state(path: str) -> State:
    return state_of(assemble(read([str(ROOT / path)], known_schedulers()).manifests, known_schedulers()).snapshot)


@pytest.mark.parametrize("found", [several_borrowers(), *map(read_state, STATES)], ids=["several", *STATES])
def test_lenders_are_those_that_shares_names(found: State) -> None:
    """The title of a page and the second line of ``why`` name whom ``shares`` names below "may have to return"."""
    tree, compared = share_tree(found), 0
    owed: dict[tuple[str, str], dict[str, set[str]]] = {}
    for loan in tree.loans:
        owed.setdefault(loan.pair, {}).setdefault(loan.borrower, set()).add(loan.lender or "")
    for (flavor, resource), lenders in owed.items():
        text, whose = borrowed_clause(tree.trees, Amount(resource, 0, "", flavor)), ""
        for clause in text.split("; "):
            named = re.fullmatch(r"(\S+) holds \S+(?:(, too)| beyond its own quota| that belong to (.*))", clause)
            assert named is not None
            whose = whose if named[2] else named[3] or ""
            assert {*re.split(", | and ", whose)} - {""} == lenders.pop(named[1]) - {""}
            compared += 1
        assert lenders == {}
    assert compared


def test_each_of_several_borrowers_has_the_lenders_of_its_own_level() -> None:
    text = borrowed_clause(share_tree(several_borrowers()).trees, Amount(GPU.resource, 0, "", GPU.flavor))
    assert text == "near holds 6 that belong to calm and left; lower holds 3 that belong to idle"
