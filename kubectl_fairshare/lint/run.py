"""Runs rules over what was read."""

from collections.abc import Iterable

from kubectl_fairshare.finding import Finding, Severity
from kubectl_fairshare.lint.given import Given
from kubectl_fairshare.lint.protocol import Rule
from kubectl_fairshare.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Reported:
    """A finding with the rule that made it. ``severity`` is what it counts as in the end.

    ``doubtful`` findings are one severity down, as something outside of the input may make them void.
    """

    rule: Rule
    finding: Finding
    severity: Severity
    doubtful: bool = False


def run(rules: Iterable[Rule], given: Given) -> tuple[Reported, ...]:
    """What the rules find, in the order of objects, fields and rules."""
    found = [_reported(rule, finding, given) for rule in rules for finding in rule.check(given)]
    return tuple(sorted(found, key=_order))


def _reported(rule: Rule, finding: Finding, given: Given) -> Reported:
    severity = finding.severity or rule.severity
    doubtful = bool(finding.elsewhere) and not given.complete
    return Reported(rule, finding, severity.milder if doubtful else severity, doubtful)


def _order(reported: Reported) -> tuple[object, ...]:
    place = reported.finding.place
    path = tuple((isinstance(part, str), part) for part in place.path)
    return place.object, path, reported.rule.id, reported.finding.message
