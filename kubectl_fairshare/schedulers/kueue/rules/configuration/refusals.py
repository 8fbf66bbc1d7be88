"""Findings for a Configuration with which Kueue's manager does not start."""

import re
from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.api.causes import Cause
from kubectl_fairshare.finding import Finding, Remedy, Severity
from kubectl_fairshare.lint.protocol import RuleOver, RuleTexts
from kubectl_fairshare.model.json import FieldPath, Json
from kubectl_fairshare.model.phrases import some_of
from kubectl_fairshare.model.releases import Release
from kubectl_fairshare.schedulers.kueue.rules.given import Configured, KueueGiven

CHECKED: Final = "Kueue's manager checks its Configuration when it starts, and exits if a value is not allowed"
_SHOWN: Final = 3
_OLDEST: Final = Release(0, 19)
"""The oldest release whose Configuration the rules know."""
_IMAGE: Final = re.compile(r"/kueue:v(\d+\.\d+)")
"""The release in the name of the manager's image."""


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
    """A finding for each field that, under ``law``, keeps the manager from starting."""
    for each in () if _is_of_older_release(given) else given.configured:
        found: dict[FieldPath, list[Cause]] = {}
        for cause in each.causes:
            if cause.law == law:
                found.setdefault(cause.path, []).append(cause)
        said = {cause.message for path, causes in found.items() if _is_written(each, path) for cause in causes}
        for path, causes in found.items():
            if (
                _is_written(each, path) or causes[0].message not in said
            ):  # else it is the default, copied from the other field
                yield Finding(each.at(*path), _message(causes), Remedy(remedy))


def _is_of_older_release(given: KueueGiven) -> bool:
    """Whether the input also has the manager, in an older release: its Configuration belongs to that one."""
    images = (m for d in given.manifests("Deployment", "apps") for m in _IMAGE.findall(str(d.data.get("spec"))))
    return any(Release.parse(found) < _OLDEST for found in images)


def _is_written(each: Configured, path: FieldPath) -> bool:
    value: Json = each.data
    for part in path:
        try:
            value = value[part]
        except (KeyError, IndexError, TypeError):
            return False
    return True


def _message(causes: list[Cause]) -> str:
    messages = [cause.message for cause in causes]
    return f"Kueue's manager does not start: `{causes[0].field}`: {some_of(messages, _SHOWN, '; ')}"
