"""Findings for a Configuration with which Kueue's manager does not start."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.api.causes import Cause
from kubectl_fairshare.finding import Finding, Remedy, Severity
from kubectl_fairshare.lint.protocol import RuleOver, RuleTexts
from kubectl_fairshare.model.json import FieldPath, Json
from kubectl_fairshare.model.phrases import some_of
from kubectl_fairshare.model.releases import Release
from kubectl_fairshare.schedulers.kueue.admission import retired
from kubectl_fairshare.schedulers.kueue.release import DEFAULT, KueueRelease
from kubectl_fairshare.schedulers.kueue.rules.given import Configured, KueueGiven

CHECKED: Final = "Kueue's manager checks its Configuration when it starts, and exits if a value is not allowed"
_SHOWN: Final = 3


def value_rule(  # noqa: PLR0913 -- a rule's metadata, all by keyword
    id: str,
    name: str,
    law: str,
    *,
    summary: str,
    remedy: str,
    help: str = "",
    why: str = f"{CHECKED}.",
    covers: tuple[str, ...] = (),
) -> RuleOver[KueueGiven]:
    """A rule with a finding for each value that the manager rejects under ``law``, which is also the row it covers.

    ``help`` is the remedy of a finding, if it differs from the rule's.
    """

    def check(given: KueueGiven) -> Iterator[Finding]:
        return refusals(given, help or remedy, law)

    texts = RuleTexts(summary, why, remedy, covers or (law,))
    return RuleOver(id, name, Severity.ERROR, lambda: texts, False, None, None, "", check)


def refusals(given: KueueGiven, remedy: str, law: str) -> Iterator[Finding]:
    """A finding for each field that, under ``law``, keeps the manager from starting.

    None if the input names an older release that was not measured: the rules know nothing of it. A name that older
    releases know is an info if nothing names a release.
    """
    for each in () if _is_of_older_release(given.release) else given.configured:
        found: dict[FieldPath, list[Cause]] = {}
        for cause in each.causes:
            if cause.law == law:
                found.setdefault(cause.path, []).append(cause)
        said = {cause.message for path, causes in found.items() if _is_written(each, path) for cause in causes}
        for path, causes in found.items():
            if (
                _is_written(each, path) or causes[0].message not in said
            ):  # otherwise it is the default, copied from the other field
                yield _refusal(each, path, causes, remedy, given.release)


def _refusal(each: Configured, path: FieldPath, causes: list[Cause], remedy: str, release: KueueRelease) -> Finding:
    name, last = _last_release(each, path)
    if not release.may_be(last):
        return Finding(each.at(*path), _message(causes), Remedy(remedy))
    if path[:1] == ("integrations",):  # no spelling helps
        remedy = "remove it"
    message = f"Kueue v{last} is the last release that knows `{name}`: the manager of a newer one does not start"
    return Finding(each.at(*path), message, Remedy(remedy), severity=Severity.INFO)


def _last_release(each: Configured, path: FieldPath) -> tuple[str, Release | None]:
    """A removed gate or framework there, and the last release that knows it; None for anything else."""
    if path[:2] == ("integrations", "frameworks"):
        name = str(_value(each, path))
        return name, retired.FRAMEWORKS.get(name)
    name = str(path[-1])
    return name, retired.GATES.get(name) if path[:1] == ("featureGates",) else None


def _is_of_older_release(release: KueueRelease) -> bool:
    """Whether the input names an older release, by an option or with its manager, of which the rules know nothing."""
    return release.number < DEFAULT.number and not (release.deduced or release.knows_names)


def _is_written(each: Configured, path: FieldPath) -> bool:
    return _value(each, path) is not None


def _value(each: Configured, path: FieldPath) -> Json:
    value: Json = each.data
    for part in path:
        try:
            value = value[part]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def _message(causes: list[Cause]) -> str:
    messages = [cause.message for cause in causes]
    return f"Kueue's manager does not start: `{causes[0].field}`: {some_of(messages, _SHOWN, '; ')}"
