"""Objects that are accepted on creation and rejected at the next apply of the same text."""

from collections.abc import Iterator

from kubectl_fairshare.api.causes import Cause
from kubectl_fairshare.finding import Edit, Finding, Remedy, Remove, Replace
from kubectl_fairshare.lint.given import Examined
from kubectl_fairshare.lint.protocol import error_rule
from kubectl_fairshare.lint.refusals import MISSING, field_named, gist, quote, value_at
from kubectl_fairshare.lint.strays import meant_elsewhere
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven
from kubectl_fairshare.schedulers.kueue.rules.quotas.written import has_no_number, nano_of
from kubectl_fairshare.schedulers.kueue.rules.versions.later import next_apply_causes


@error_rule("K006")
def refused_at_next_apply(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each field that the second apply rejects and that no other rule reports."""
    for each in given.examined.values():
        seen = set()
        for cause in next_apply_causes(each, given.configuration.writes):
            value = value_at(each, cause.path)
            if cause.path not in seen and not _has_own_rule(each, cause, value):
                seen.add(cause.path)
                yield _finding(each, cause, value)


def _has_own_rule(each: Examined, cause: Cause, value: Json) -> bool:
    if cause.path[-1] == "nominalQuota" and (value is MISSING or value is None):
        return True
    return isinstance(value, float) or has_no_number(value) or meant_elsewhere(each, cause.path)


def _finding(each: Examined, cause: Cause, value: Json) -> Finding:
    place = each.at(*cause.path)
    edits: tuple[Edit, ...] = ()
    help = "write what the schema requires"
    if isinstance(value, str) and value.strip() != value and nano_of(value) is not None:
        edits, help = (Replace(place, value.strip()),), f"write `{value.strip()}`, without spaces"
    elif value in ("", None):
        edits, help = (Remove(place),), "remove it"
    return Finding(
        place,
        f"{field_named(cause.path)} is {quote(value)}: creation succeeds, but the API server rejects the next apply: "
        f"{gist(each, cause)}",
        Remedy(help, edits, safe=bool(edits) and value is not None),
    )
