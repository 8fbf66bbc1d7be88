"""All rules: those of the houses, and those for manifests of any kind.

Tested in ``tests/unit/lint/test_house.py``.
"""

from collections.abc import Callable
from functools import cache
from typing import Final

from kubectl_fairshare.lint.given import Given
from kubectl_fairshare.lint.house import Houses, LintedHouse
from kubectl_fairshare.lint.protocol import Rule


def _itself(given: Given) -> Given:
    return given


ANY: Final = LintedHouse("manifests", "kubectl_fairshare.lint.rules", _itself)
"""The house of the rules about objects of every API."""


@cache
def all_rules(houses: Houses) -> tuple[Rule, ...]:
    """Every rule, by id. Raises ``ValueError`` if two share an id or a name."""
    found = sorted((rule for house in (ANY, *houses) for rule in house.rules), key=lambda rule: rule.id)
    words = [word for rule in found for word in (rule.id, rule.name)]
    if len(set(words)) != len(words):
        raise ValueError(f"two rules are called {next(word for word in words if words.count(word) > 1)}")
    return tuple(found)


def houses_concerned(houses: Houses, mentions: Callable[..., bool]) -> Houses:
    """The houses that an input can concern; ``mentions`` says whether the input has any of several words."""
    return tuple(house for house in houses if house.is_concerned(mentions))


def rule_called(word: str, houses: Houses) -> Rule | None:
    """The rule with this id or name, in any case; None if no rule has it."""
    wanted = word.lower()
    return next((rule for rule in all_rules(houses) if wanted in (rule.id.lower(), rule.name)), None)
