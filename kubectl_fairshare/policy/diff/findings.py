"""What lint finds in one version of a policy, in the form in which two are compared."""

from collections.abc import Collection, Mapping

from kubectl_fairshare.answers.diff import RuleFinding
from kubectl_fairshare.input.assemble import NO_RELEASES
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.lint.examine import examine
from kubectl_fairshare.lint.findings.findings import findings
from kubectl_fairshare.lint.findings.placed import Placed
from kubectl_fairshare.lint.house import Houses
from kubectl_fairshare.lint.protocol import Rule
from kubectl_fairshare.model.json import JsonObject, field_text
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.packed import Packed


def rule_findings(
    reading: Reading, rules: Collection[Rule], houses: Houses, releases: Mapping[str, str] = NO_RELEASES
) -> tuple[tuple[RuleFinding, ...], Mapping[ObjectKey, JsonObject | Packed]]:
    """The findings, in the order of the texts, without those that authors silence; and the objects as stored.

    ``releases`` are those of schedulers that a user names.
    """
    given = examine(reading, houses, complete=reading.is_whole, releases=releases)
    found = findings(tuple(rules), reading, given).placed
    stored = {key: each.held_form for key, each in given.examined.items() if each.held_form is not None}
    return tuple(map(_rule_finding, found)), stored


def _rule_finding(placed: Placed) -> RuleFinding:
    reported = placed.reported
    place = reported.finding.place
    return RuleFinding(
        reported.rule.id,
        reported.rule.name,
        reported.severity,
        place.object,
        field_text(place.path),
        reported.finding.message,
        placed.location,
    )
