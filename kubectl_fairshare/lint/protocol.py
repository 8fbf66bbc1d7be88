"""A rule: a function from its input to findings, with metadata.

What is known of all rules of a house without importing one is in the table ``known.json`` with them. ``.ci/rules.py``
writes it from the functions, and a test compares them.
Everything else about a rule (page, list, command, machine formats, tests) follows from this, from its texts in the
``texts.toml`` next to its module, and from the examples in ``testdata/rules/<id>/``.

Tested in ``tests/unit/lint/test_examples.py``.
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Generic, TypeAlias, TypedDict, TypeVar, Unpack

from kubectl_fairshare import shipped
from kubectl_fairshare.finding import Finding, Severity
from kubectl_fairshare.model.releases import Release
from kubectl_fairshare.model.values import Value

Seen_contra = TypeVar("Seen_contra", contravariant=True)
"""The input of a rule."""
Check: TypeAlias = Callable[[Seen_contra], Iterator[Finding]]


class RuleTexts(Value, frozen=True):
    """The texts of a rule, and ``covers``: tags of the mistakes that it finds.

    ``summary`` is one line; ``why`` says what the API server, a controller or the arithmetic does otherwise; ``remedy``
    says what to write instead.
    """

    summary: str
    why: str
    remedy: str
    covers: tuple[str, ...] = ()


class Rule(Value, frozen=True, eq=False):
    """A rule; ``advice`` rules are off by default. It applies to a ``scheduler`` from ``since`` to before ``until``.

    ``texts`` are read when they are needed: finding mistakes does not need them.
    """

    id: str
    name: str
    severity: Severity
    texts: Callable[[], RuleTexts]
    advice: bool
    since: Release | None
    until: Release | None
    scheduler: str

    @property
    def summary(self) -> str:
        """What it reports, in one line."""
        return self.texts().summary

    @property
    def why(self) -> str:
        """The harm: what the API server or a controller does with it, or what it does to the arithmetic."""
        return self.texts().why

    @property
    def remedy(self) -> str:
        """What to write instead."""
        return self.texts().remedy

    @property
    def covers(self) -> tuple[str, ...]:
        """The tags of the mistakes that it finds."""
        return self.texts().covers

    def holds_for(self, release: Release) -> bool:
        """Whether the rule applies to the release."""
        return (self.since is None or self.since <= release) and (self.until is None or release < self.until)


class RuleOver(Rule, Generic[Seen_contra], frozen=True, eq=False):
    """A rule with the function that finds the mistake."""

    check: Check[Seen_contra]


class _Metadata(TypedDict, total=False):
    """The metadata of a rule besides its id. ``since`` and ``until`` are releases with a title: ``Title 0.17``.

    ``texts`` replace those of ``texts.toml`` next to the rule's module.
    """

    texts: RuleTexts
    advice: bool
    since: str
    until: str


def error_rule(id: str, **metadata: Unpack[_Metadata]) -> Callable[[Check[Seen_contra]], RuleOver[Seen_contra]]:
    """Turns a function into a rule of its name, whose findings are errors unless one says otherwise."""
    return lambda check: _rule(id, Severity.ERROR, metadata, check)


def warning_rule(id: str, **metadata: Unpack[_Metadata]) -> Callable[[Check[Seen_contra]], RuleOver[Seen_contra]]:
    """The same, with warnings."""
    return lambda check: _rule(id, Severity.WARNING, metadata, check)


def info_rule(id: str, **metadata: Unpack[_Metadata]) -> Callable[[Check[Seen_contra]], RuleOver[Seen_contra]]:
    """The same, with information."""
    return lambda check: _rule(id, Severity.INFO, metadata, check)


def _rule(id: str, severity: Severity, metadata: _Metadata, check: Check[Seen_contra]) -> RuleOver[Seen_contra]:
    name, texts = check.__name__.replace("_", "-"), _texts(id, check.__module__, metadata.get("texts"))
    since, until = metadata.get("since", ""), metadata.get("until", "")
    rule = known_rule(id, name, severity, texts, metadata.get("advice", False), since, until)
    return RuleOver(id, name, severity, texts, rule.advice, rule.since, rule.until, rule.scheduler, check)


def known_rule(
    id: str, name: str, severity: Severity, texts: Callable[[], RuleTexts], advice: bool, since: str, until: str
) -> Rule:
    """A rule without its function."""
    scheduler = (since or until).rpartition(" ")[0]
    return Rule(id, name, severity, texts, advice, _release(since), _release(until), scheduler)


def _texts(id: str, module: str, given: RuleTexts | None) -> Callable[[], RuleTexts]:
    """The given texts, otherwise those of the file next to the module."""
    return lambda: given or _texts_in("/".join(module.split(".")[1:-1]))[id]


@cache
def _texts_in(folder: str) -> dict[str, RuleTexts]:
    """The texts of the rules in a folder of the package, by id."""
    import tomllib

    rules = tomllib.loads(shipped.content(f"{folder}/texts.toml").decode())
    return {
        id: RuleTexts(said["summary"], said["why"], said["remedy"], tuple(said.get("covers", ())))
        for id, said in rules.items()
    }


def _release(text: str) -> Release | None:
    return Release.parse(text.rpartition(" ")[2]) if text else None
