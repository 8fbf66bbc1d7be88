"""The findings of rules at their lines, without the suppressed ones.

Tested in ``tests/unit/lint/suppression/test_suppressions.py``.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.lint.findings.placed import Placed
from kubectl_fairshare.lint.given import Given
from kubectl_fairshare.lint.house import as_written
from kubectl_fairshare.lint.protocol import Rule
from kubectl_fairshare.lint.registry import rule_called
from kubectl_fairshare.lint.run import run
from kubectl_fairshare.lint.suppression.suppression import Suppression, Unused
from kubectl_fairshare.model.location import Origin
from kubectl_fairshare.model.values import Value, replace


class Findings(Value, frozen=True):
    """Findings in the order of the texts; ``suppressed`` are those that a comment or an annotation suppresses."""

    placed: tuple[Placed, ...]
    suppressed: tuple[Placed, ...] = ()


def findings(
    rules: Sequence[Rule],
    reading: Reading,
    given: Given,
    report_done: Callable[[int, int], None] = lambda *_: None,
) -> Findings:
    """The findings of ``rules``. Suppressions without effect become findings themselves, at the end.

    ``report_done`` is called with how many rules have run, of how many.
    """
    reported = run(rules, given, report_done)
    if not reported and not given.suppressions:
        return Findings(())
    from kubectl_fairshare.lint.findings.placing import in_text_order, place

    placed = place(reported, reading, given.concerned)
    if not given.suppressions:
        return Findings(placed)
    from kubectl_fairshare.lint.rules.suppressions import unused_suppression

    silence = _AppliedSuppressions(given, reading)
    kept = [each for each in placed if not silence.covers(each)]
    unused = silence.unused(rule.id for rule in rules if rule.id != unused_suppression.id)
    if unused and any(rule.id == unused_suppression.id for rule in rules):
        late = place(run((unused_suppression,), replace(given, unused=unused)), reading, given.concerned)
        kept += [each for each in late if not silence.covers(each)]
    return Findings(tuple(sorted(kept, key=in_text_order)), tuple(silence.suppressed))


class _AppliedSuppressions:
    """The suppressions by the rule that they name; records which of them had an effect."""

    def __init__(self, given: Given, reading: Reading) -> None:
        self.suppressed: list[Placed] = []
        self._houses = given.concerned
        self._manifests = {manifest.key: manifest for manifest in reading.manifests}
        self._by_rule: dict[str, list[Unused]] = {}
        self._used: set[Unused] = set()
        for suppression in given.suppressions:
            for word in dict.fromkeys(suppression.words):
                rule = rule_called(word, given.houses)
                if rule is not None:
                    self._by_rule.setdefault(rule.id, []).append(Unused(suppression, word))

    def covers(self, placed: Placed) -> bool:
        """Whether a suppression applies to the finding; if so, it had an effect."""
        named = self._by_rule.get(placed.reported.rule.id, ())
        covering = [each for each in named if self._is_covered(placed, each.suppression)]
        self._used.update(covering)
        if covering:
            self.suppressed.append(placed)
        return bool(covering)

    def _is_covered(self, placed: Placed, by: Suppression) -> bool:
        itself = placed.reported.finding.place == by.place
        return itself or by.covers_place(self._origin(placed), placed.location)

    def unused(self, ran: Iterable[str]) -> tuple[Unused, ...]:
        """The suppressions without effect, for the rules that ran: all but the one that reports them."""
        ran = frozenset(ran)
        named = [each for id, found in self._by_rule.items() if id in ran for each in found]
        return tuple(each for each in named if each not in self._used)

    def _origin(self, placed: Placed) -> Origin:
        """The place of a finding in the input; empty for an object without a text."""
        key, path = placed.reported.finding.place
        manifest = self._manifests.get(key)
        if manifest is None:
            return _NOWHERE
        written = as_written(manifest, path, self._houses)
        return manifest.origin._replace(path=(*manifest.origin.path, *written))


_NOWHERE: Final = Origin("", -1)
