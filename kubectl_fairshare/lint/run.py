"""Runs rules over the input.

Tested in ``tests/unit/lint/test_refused_writes.py``.
"""

from collections.abc import Callable, Collection, Iterator
from itertools import count

from kubectl_fairshare.finding import Finding, Severity
from kubectl_fairshare.lint.given import Given
from kubectl_fairshare.lint.protocol import Rule
from kubectl_fairshare.lint.registry import ANY
from kubectl_fairshare.model.values import Value


class Reported(Value, frozen=True):
    """A finding with its rule. ``severity`` is the final one.

    A ``doubtful`` finding is one severity lower, because an object outside the input may resolve it.
    """

    rule: Rule
    finding: Finding
    severity: Severity
    doubtful: bool = False


def run(
    rules: Collection[Rule], given: Given, report_done: Callable[[int, int], None] = lambda *_: None
) -> tuple[Reported, ...]:
    """The findings of the rules, sorted by object, field and rule. Rules of houses not concerned do not run.

    ``report_done`` is called with how many rules have run, of how many.
    """
    return tuple(sorted(_reports({rule.id for rule in rules}, given, report_done), key=_order))


def _reports(ids: Collection[str], given: Given, report_done: Callable[[int, int], None]) -> Iterator[Reported]:
    chosen = {house: [rule for rule in house.rules if rule.id in ids] for house in (ANY, *given.concerned)}
    number, every = count(1), sum(map(len, chosen.values()))
    for house, own in chosen.items():
        seen = given.seen_by(house) if own else None
        for rule in own:
            for finding in house.written(rule.id).check(seen):
                yield _report(rule, finding, given)
            report_done(next(number), every)


def _report(rule: Rule, finding: Finding, given: Given) -> Reported:
    severity = finding.severity or rule.severity
    doubtful = bool(finding.elsewhere) and not given.has_all(finding.elsewhere.partition(" ")[0])
    return Reported(rule, finding, severity.milder if doubtful else severity, doubtful)


def _order(reported: Reported) -> tuple[object, ...]:
    place = reported.finding.place
    path = tuple((isinstance(part, str), part) for part in place.path)
    return place.object, path, reported.rule.id, reported.finding.message
