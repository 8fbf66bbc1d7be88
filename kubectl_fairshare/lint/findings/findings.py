"""What rules find in what was read, at its lines, less what its authors do not want to hear of."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.lint.findings.placed import Placed
from kubectl_fairshare.lint.findings.placing import in_text_order, place
from kubectl_fairshare.lint.given import Given
from kubectl_fairshare.lint.house import as_written
from kubectl_fairshare.lint.protocol import Rule
from kubectl_fairshare.lint.registry import rule_called
from kubectl_fairshare.lint.rules.suppressions import unused_suppression
from kubectl_fairshare.lint.run import run
from kubectl_fairshare.lint.suppression.suppression import Suppression, Unused
from kubectl_fairshare.model.location import Origin
from kubectl_fairshare.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Findings:
    """Findings in the order of the texts; ``suppressed`` are those that a comment or an annotation silences."""

    placed: tuple[Placed, ...]
    suppressed: tuple[Placed, ...] = ()


def findings(rules: Sequence[Rule], reading: Reading, given: Given) -> Findings:
    """What ``rules`` find. Suppressions in which nothing was silenced are themselves found, at last."""
    placed = place(run(rules, given), reading, given.concerned)
    if not given.suppressions:
        return Findings(placed)
    silence = _Silence(given, reading)
    kept = [each for each in placed if not silence.covers(each)]
    unused = silence.unused(rules)
    if unused and unused_suppression in rules:
        late = place(run((unused_suppression,), replace(given, unused=unused)), reading, given.concerned)
        kept += [each for each in late if not silence.covers(each)]
    return Findings(tuple(sorted(kept, key=in_text_order)), tuple(silence.suppressed))


class _Silence:
    """The suppressions, by the rule that each names, and which of them were of use."""

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
        """Whether a suppression silences the finding; it then was of use."""
        named = self._by_rule.get(placed.reported.rule.id, ())
        covering = [each for each in named if self._is_covered(placed, each.suppression)]
        self._used.update(covering)
        if covering:
            self.suppressed.append(placed)
        return bool(covering)

    def _is_covered(self, placed: Placed, by: Suppression) -> bool:
        itself = placed.reported.finding.place == by.place
        return itself or by.covers_place(self._origin(placed), placed.location)

    def unused(self, rules: Sequence[Rule]) -> tuple[Unused, ...]:
        """What silenced nothing, of the rules that ran, without the rule that reports this."""
        ran = {rule.id for rule in rules} - {unused_suppression.id}
        named = [each for id, found in self._by_rule.items() if id in ran for each in found]
        return tuple(each for each in named if each not in self._used)

    def _origin(self, placed: Placed) -> Origin:
        """Where the place of a finding is in the input; nowhere for an object that stands in no text."""
        key, path = placed.reported.finding.place
        manifest = self._manifests.get(key)
        if manifest is None:
            return _NOWHERE
        written = as_written(manifest, path, self._houses)
        return manifest.origin._replace(path=(*manifest.origin.path, *written))


_NOWHERE: Final = Origin("", -1)
