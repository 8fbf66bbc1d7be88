"""Which rules run: words of ``--select`` and ``--ignore`` as rules.

Tested in ``tests/unit/cli/commands/test_lint.py``.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from types import MappingProxyType
from typing import Final

import click

from kubectl_fairshare.lint.house import House
from kubectl_fairshare.lint.protocol import Rule
from kubectl_fairshare.lint.registry import ANY, all_rules, houses_concerned
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.phrases import likely
from kubectl_fairshare.model.releases import Release
from kubectl_fairshare.schedulers import lint_houses

ADVICE: Final = "advice"
ALL: Final = "all"


class RuleWords(click.types.StringParamType):
    """Ids and names of rules, and groups where the option is repeatable; separated by commas."""

    name = "rules"


def known_rules() -> tuple[Rule, ...]:
    """Every rule, by id."""
    return all_rules(lint_houses())


def rules_to_run(
    select: Sequence[str],
    ignore: Sequence[str],
    releases: Mapping[str, Release] = MappingProxyType({}),
    mentions: Callable[..., bool] = lambda *_: True,
) -> tuple[Rule, ...]:
    """The rules that run, by id, less those that an input cannot concern, going by the words that it ``mentions``.

    ``releases`` are those of schedulers, by name; the newest of any other.

    Without ``select`` all but those of mere advice; ``advice`` adds these, ``all`` is every rule, and other
    words name the only ones to run: an id, the beginning of ids, a name. ``ignore`` takes some away again.
    Raises ``UsageError`` for each word that names no rule.
    """
    wanted, unwanted = words(select), words(ignore)
    check(wanted, "--select")
    check(unwanted, "--ignore")
    only = [word for word in wanted if word != ADVICE]
    found = (
        rule
        for house in (ANY, *houses_concerned(lint_houses(), mentions))
        for rule in house.rules
        if (is_named(rule, wanted) or (not only and not rule.advice))
        and not is_named(rule, unwanted)
        and _holds(rule, house, releases)
    )
    return tuple(sorted(found, key=attrgetter("id")))


def each_rule(several: Iterable[Iterable[Rule]]) -> tuple[Rule, ...]:
    """The rules of all, each once, by id."""
    return tuple(sorted({rule.id: rule for rules in several for rule in rules}.values(), key=attrgetter("id")))


def _holds(rule: Rule, house: House, releases: Mapping[str, Release]) -> bool:
    """Whether a rule is one of the release that counts for its house."""
    return house.releases is None or rule.holds_for(releases.get(house.name, house.releases.newest))


def words(given: Iterable[str]) -> tuple[str, ...]:
    """The words that an option was given, once or more often, each perhaps several with commas between."""
    return tuple(word for each in given for word in each.lower().replace(",", " ").split())


def is_named(rule: Rule, named: Sequence[str]) -> bool:
    """Whether one of the words, in lower case, selects the rule."""
    return (
        rule.name in named
        or rule.id.lower().startswith(tuple(named))
        or ALL in named
        or (rule.advice and ADVICE in named)
    )


def stands_for(word: str, rule: Rule) -> bool:
    """Whether a word, in lower case, is one for the rule."""
    return is_named(rule, (word,))


def check(named: Iterable[str], option: str) -> None:
    """Raises ``UsageError`` for each word that names no rule."""
    problems = [
        unknown_rule(word, option, known_rules())
        for word in named
        if word not in (ADVICE, ALL) and not any(stands_for(word, rule) for rule in known_rules())
    ]
    if problems:
        raise UsageError(*problems)


def unknown_rule(word: str, where: str | None, rules: Sequence[Rule]) -> Problem:
    """A word that names no rule, with the rules that it may have meant."""
    names = {rule.name: rule for rule in rules} | {rule.id.lower(): rule for rule in rules}
    parts = [rule.name for rule in rules if word.lower() in rule.name]
    close = likely(word.lower(), names, 3, 0.5) or parts[:3]
    near = dict.fromkeys(f"`{names[name].id}` ({names[name].name})" for name in close)
    remedy = f"did you mean {' or '.join(near)}?" if near else "see `kubectl fairshare lint --list-rules`"
    return Problem(f"unknown rule `{word}`", where, remedy)
