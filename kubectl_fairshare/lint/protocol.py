"""What a rule is: a function from what it looks at to findings, with its metadata.

Everything else about a rule (page, list, command, machine formats, tests) follows from this and from the
examples in ``testdata/rules/<id>/``.
"""

from collections.abc import Callable, Iterator
from typing import Generic, Required, TypeAlias, TypedDict, TypeVar, Unpack

from kubectl_fairshare.finding import Finding, Severity
from kubectl_fairshare.model.releases import Release
from kubectl_fairshare.model.values import dataclass

Seen_contra = TypeVar("Seen_contra", contravariant=True)
"""What a rule looks at."""
Check: TypeAlias = Callable[[Seen_contra], Iterator[Finding]]


@dataclass(frozen=True, eq=False)
class Rule:
    """A rule. ``covers`` are the rows of the catalogue that it stands for; ``advice`` rules are off by default.

    ``summary`` is one line, ``why`` says what the API server, a controller or the arithmetic does if it is
    ignored, ``remedy`` what to write instead. It holds for a ``scheduler`` from release ``since`` to before ``until``.
    """

    id: str
    name: str
    severity: Severity
    summary: str
    why: str
    remedy: str
    covers: tuple[str, ...]
    advice: bool
    since: Release | None
    until: Release | None
    scheduler: str

    def holds_for(self, release: Release) -> bool:
        """Whether the rule is one of that release's."""
        return (self.since is None or self.since <= release) and (self.until is None or release < self.until)


@dataclass(frozen=True, eq=False)
class RuleOver(Rule, Generic[Seen_contra]):
    """A rule with the function that looks for the mistake."""

    check: Check[Seen_contra]


class _Metadata(TypedDict, total=False):
    """What a rule says of itself. ``since`` and ``until`` are releases with the scheduler's title: ``Title 0.17``."""

    summary: Required[str]
    why: Required[str]
    remedy: Required[str]
    covers: tuple[str, ...]
    advice: bool
    since: str
    until: str


def error_rule(id: str, **metadata: Unpack[_Metadata]) -> Callable[[Check[Seen_contra]], RuleOver[Seen_contra]]:
    """Makes a rule of a function, with its name, whose findings are errors unless one says otherwise."""
    return lambda check: _rule(id, Severity.ERROR, metadata, check)


def warning_rule(id: str, **metadata: Unpack[_Metadata]) -> Callable[[Check[Seen_contra]], RuleOver[Seen_contra]]:
    """The same, with warnings."""
    return lambda check: _rule(id, Severity.WARNING, metadata, check)


def info_rule(id: str, **metadata: Unpack[_Metadata]) -> Callable[[Check[Seen_contra]], RuleOver[Seen_contra]]:
    """The same, with information."""
    return lambda check: _rule(id, Severity.INFO, metadata, check)


def _rule(id: str, severity: Severity, metadata: _Metadata, check: Check[Seen_contra]) -> RuleOver[Seen_contra]:
    since, until = metadata.get("since", ""), metadata.get("until", "")
    return RuleOver(
        id,
        check.__name__.replace("_", "-"),
        severity,
        metadata["summary"],
        metadata["why"],
        metadata["remedy"],
        metadata.get("covers", ()),
        metadata.get("advice", False),
        _release(since),
        _release(until),
        (since or until).rpartition(" ")[0],
        check,
    )


def _release(text: str) -> Release | None:
    return Release.parse(text.rpartition(" ")[2]) if text else None
