"""What a rule is: a function from what it looks at to findings, with its metadata.

Everything else about a rule (page, list, command, machine formats, tests) follows from this and from the
examples in ``testdata/rules/<id>/``.
"""

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from kubectl_fairshare.finding import Finding, Severity
from kubectl_fairshare.model.releases import Release
from kubectl_fairshare.model.values import dataclass

Seen_contra = TypeVar("Seen_contra", contravariant=True)
"""What a rule looks at."""


@dataclass(frozen=True, eq=False)
class Rule:
    """A rule. ``covers`` are the rows of the catalogue that it stands for; ``advice`` rules are off by default.

    ``summary`` is one line, ``why`` says what the API server, a controller or the arithmetic does if it is
    ignored, ``remedy`` what to write instead. It holds for releases of its house from ``since`` to before ``until``.
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

    def holds_for(self, release: Release) -> bool:
        """Whether the rule is one of that release's."""
        return (self.since is None or self.since <= release) and (self.until is None or release < self.until)


@dataclass(frozen=True, eq=False)
class RuleOver(Rule, Generic[Seen_contra]):
    """A rule with the function that looks for the mistake."""

    check: Callable[[Seen_contra], Iterator[Finding]]


def rule(  # noqa: PLR0913 -- a rule's metadata, all by keyword
    id: str,
    severity: Severity,
    *,
    summary: str,
    why: str,
    remedy: str,
    covers: tuple[str, ...] = (),
    advice: bool = False,
    since: str | None = None,
    until: str | None = None,
) -> Callable[[Callable[[Seen_contra], Iterator[Finding]]], RuleOver[Seen_contra]]:
    """Makes a rule of a function, with its name. ``since`` and ``until`` are releases of the scheduler: ``0.17``."""
    first, end = (None if text is None else Release.parse(text) for text in (since, until))

    def made(check: Callable[[Seen_contra], Iterator[Finding]]) -> RuleOver[Seen_contra]:
        name = check.__name__.replace("_", "-")
        return RuleOver(id, name, severity, summary, why, remedy, covers, advice, first, end, check)

    return made
