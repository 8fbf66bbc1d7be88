"""All rules there are, found by looking into the rooms of the rules."""

import pkgutil
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Final

from kubectl_fairshare.lint.protocol import Rule

_ROOMS: Final = (
    "schedulers.elasticquota.rules",
    "schedulers.kai.rules",
    "schedulers.kueue.rules",
    "lint.rules",
)


def all_rules() -> tuple[Rule, ...]:
    """Every rule, by id. Raises ``ValueError`` when two share an id or a name."""
    return _rules_in(_ROOMS)


def rules_about(mentions: Callable[..., bool]) -> tuple[Rule, ...]:
    """The rules that can have anything to say of an input, by id; the modules of others are not imported.

    ``mentions`` tells whether any of several words stands anywhere in the input. A room that has ``WORDS`` is
    about inputs with one of these.
    """
    return _rules_in(tuple(room for room in _ROOMS if _is_concerned(room, mentions)))


def _is_concerned(room: str, mentions: Callable[..., bool]) -> bool:
    words: tuple[str, ...] = getattr(import_module(f"kubectl_fairshare.{room}"), "WORDS", ())
    return not words or mentions(*words)


@cache
def _rules_in(rooms: tuple[str, ...]) -> tuple[Rule, ...]:
    found: list[Rule] = []
    for room in rooms:
        package = import_module(f"kubectl_fairshare.{room}")
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            found.extend(member for member in vars(import_module(module.name)).values() if isinstance(member, Rule))
    return tuple(sorted(_distinct(found), key=lambda rule: rule.id))


def rule_called(word: str) -> Rule | None:
    """The rule with this id or name, in any case; None when there is none."""
    wanted = word.lower()
    return next((rule for rule in all_rules() if wanted in (rule.id.lower(), rule.name)), None)


def _distinct(found: list[Rule]) -> list[Rule]:
    seen: dict[str, Rule] = {}
    for rule in found:
        for word in (rule.id, rule.name):
            if seen.setdefault(word, rule) is not rule:
                raise ValueError(f"two rules are called {word}")
    return list({rule.id: rule for rule in found}.values())
