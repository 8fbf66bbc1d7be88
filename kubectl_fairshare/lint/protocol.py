"""What a rule is: a function from what was read to findings, with its metadata.

Everything else about a rule (page, list, command, machine formats, tests) follows from this and from the
examples in ``testdata/rules/<id>/``.
"""

from collections.abc import Callable, Iterator

from kubectl_fairshare.finding import Finding, Severity
from kubectl_fairshare.lint.given import Given
from kubectl_fairshare.model.releases import Release
from kubectl_fairshare.model.values import dataclass

Check = Callable[[Given], Iterator[Finding]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule. ``covers`` are the rows of the catalogue that it stands for; ``advice`` rules are off by default.

    ``summary`` is one line, ``why`` tells what the API server, a controller or the arithmetic does to whoever
    ignores it, ``remedy`` what to write instead. It holds for Kueue from ``since`` to before ``until``.
    """

    id: str
    name: str
    severity: Severity
    summary: str
    why: str
    remedy: str
    covers: tuple[str, ...]
    check: Check
    advice: bool = False
    since: Release | None = None
    until: Release | None = None

    def holds_for(self, release: Release) -> bool:
        """Whether the rule is one of that release's."""
        return (self.since is None or self.since <= release) and (self.until is None or release < self.until)


def rule(  # noqa: PLR0913 -- a rule's metadata, all by keyword
    id: str,
    name: str,
    severity: Severity,
    *,
    summary: str,
    why: str,
    remedy: str,
    covers: tuple[str, ...] = (),
    advice: bool = False,
    since: str | None = None,
    until: str | None = None,
) -> Callable[[Check], Rule]:
    """Makes a rule of a function. ``since`` and ``until`` are releases of the scheduler: ``0.17``."""

    def made(check: Check) -> Rule:
        return Rule(
            id,
            name,
            severity,
            summary,
            why,
            remedy,
            covers,
            check,
            advice,
            None if since is None else Release.parse(since),
            None if until is None else Release.parse(until),
        )

    return made
