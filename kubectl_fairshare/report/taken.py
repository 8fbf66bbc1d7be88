"""Which queues hold what a workload lacks, and whose guarantee that is: one sentence for every scheduler.

It adds up the figures of ``shares``: what the holders' queues borrow, and which queues lend that resource.
Tested in ``tests/unit/report/test_taken.py``.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Final

from kubectl_fairshare.answers.answer import Amount
from kubectl_fairshare.answers.details import WhyDetail
from kubectl_fairshare.answers.number_text import amount as amount_text
from kubectl_fairshare.answers.shares import AnyFigures, AnyQueue
from kubectl_fairshare.answers.standing import Verdict, WhyAnswer
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.phrases import some_of
from kubectl_fairshare.report.queue_names import queue_names

_NAMED: Final = 3
"""The most queues that the sentence names on each side."""
_Held = tuple[AnyQueue, AnyFigures]
_Parts = Sequence[tuple[ObjectKey, float]]


def taken_clause(answer: WhyAnswer[WhyDetail], trees: Sequence[AnyQueue]) -> str:
    """``vision holds 20 GPUs that belong to platform and speech``; empty where no other workload holds what it lacks.

    Without a queue that borrows it is the queues' own quota that is full.
    """
    if answer.verdict is not Verdict.NOT_NOW or not answer.short or not answer.held:
        return ""
    lacking = answer.short[0]
    held = [each for each in answer.held if each.amount.resource == lacking.resource]
    queues, called = {each.queue for each in held}, queue_names(trees)
    figures = [pair for tree in trees for node in tree if (pair := _figures(node, lacking)) is not None]
    borrowers = [pair for pair in figures if _value(pair[1].borrowed) > 0 and queues & _names(pair[0])]
    if borrowers:
        return _borrowed(borrowers, trees, called, f" {lacking.resource}{_in(lacking.pool)}")
    own = sum(int(each.amount.value) for each in held if each.queue == answer.queue)
    if not own or len(queues) > 1:
        return ""
    return f"{answer.queue} itself holds {amount_text(lacking.resource, own)} {lacking.resource}{_in(lacking.pool)}"


def borrowed_clause(trees: Sequence[AnyQueue], pool: Amount) -> str:
    """``vision holds 20 that belong to platform and speech``; empty where no queue borrows of this pool.

    A group borrows what queues below it borrow, and is not named.
    """
    figures = [pair for tree in trees for node in tree if (pair := _figures(node, pool)) is not None]
    borrowers = [pair for pair in figures if _value(pair[1].borrowed) > 0 and not pair[0].children]
    return _borrowed(borrowers, trees, queue_names(trees), "") if borrowers else ""


def _borrowed(borrowers: Sequence[_Held], trees: Sequence[AnyQueue], called: Mapping[ObjectKey, str], unit: str) -> str:
    """What borrowers hold of a resource, the largest first, and who lends it: said again where it is another's."""
    order = sorted(borrowers, key=lambda pair: -_value(pair[1].borrowed))
    clauses, said = list[str](), ""
    lent = dict(_lent(trees, borrowers))
    for number, (node, figures) in enumerate(order):
        names = [called[key] for key, _ in sorted(lent[node.key], key=lambda each: -each[1])]
        whose = f" that belong to {_listed(names)}" if names else " beyond its own quota"
        clauses.append(_holds((node, figures), called, unit) + (whose if whose != said else ", too" if number else ""))
        said = whose
    first, *others = clauses
    return f"{first}; {some_of(others, _NAMED, '; ')}" if others else first


def _lent(trees: Sequence[AnyQueue], borrowers: Sequence[_Held]) -> Iterator[tuple[ObjectKey, _Parts]]:
    """Who lends to each borrower, and how much: all that lend at all where the scheduler's figures do not say."""
    of = {node.key for node, _ in borrowers}
    everyone: _Parts | None = None
    for node, figures in borrowers:
        if figures.lenders is None and everyone is None:
            lenders = (pair for tree in trees for pair in _lenders(tree, of, figures))
            everyone = [(lender.key, _value(lent.lent)) for lender, lent in lenders]
        yield node.key, (everyone or ()) if figures.lenders is None else figures.lenders


def _listed(names: Sequence[str]) -> str:
    """``platform and speech``; the first of many, and how many more."""
    few = [", ".join(names[:-1]), names[-1]] if len(names) > 1 else names
    return some_of(names, _NAMED) if len(names) > _NAMED else " and ".join(few)


def _figures(node: AnyQueue, lacking: Amount) -> _Held | None:
    found = (each for each in node.figures if (each.resource, each.pool) == (lacking.resource, lacking.pool))
    figures = next(found, None)
    return None if figures is None else (node, figures)


def _lenders(node: AnyQueue, borrowers: Set[ObjectKey], of: AnyFigures) -> Iterator[_Held]:
    """Those that may lend to borrowers: a group without any of these lends as a whole.

    A group with one of them lends what its queues do not, if it lends more than they.
    """
    own = _figures(node, Amount(of.resource, 0, "", of.pool))
    lent = 0 if own is None else _value(own[1].lent)
    inside = any(each.key in borrowers for each in node)
    below = [] if lent and not inside else [pair for child in node.children for pair in _lenders(child, borrowers, of)]
    yield from below
    if own is not None and lent > sum(_value(figures.lent) for _, figures in below) and node.key not in borrowers:
        yield own


def _names(node: AnyQueue) -> set[str]:
    """What holders call their queue: its name, its namespace where a namespace has one, or both."""
    key = node.key
    return {key.name, *((key.namespace, f"{key.namespace}/{key.name}") if key.namespace else ())}


def _holds(of: _Held, called: Mapping[ObjectKey, str], unit: str) -> str:
    node, figures = of
    borrowed = figures.borrowed
    assert borrowed is not None
    return f"{called[node.key]} holds {borrowed.text}{unit}"


def _in(pool: str) -> str:
    return f" in {pool}" if pool else ""


def _value(of: Amount | None) -> float:
    return 0 if of is None else of.value
