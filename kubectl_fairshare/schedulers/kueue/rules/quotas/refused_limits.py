"""Limits of single quotas that the API server rejects: without a parent, below zero, or above the quota."""

from collections.abc import Iterator

from kubectl_fairshare.finding import Finding, Related, Remedy, Remove
from kubectl_fairshare.lint.given import Examined
from kubectl_fairshare.lint.protocol import error_rule
from kubectl_fairshare.lint.refusals import by_object, lawful, quote, value_at
from kubectl_fairshare.lint.strays import meant_elsewhere
from kubectl_fairshare.lint.words.figures import title_of
from kubectl_fairshare.model.json import mapping
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven
from kubectl_fairshare.schedulers.kueue.rules.quotas.written import LIMITS, amount_text, entries, nano_of


@error_rule("K010")
def limit_without_cohort(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each object, at its first limit."""
    for each, _ in by_object(given, "CQ01", "CQ02", "CO01"):
        parent = _parent_path(each)[-1]
        places = [each.at(*path) for path in _limits(each)]
        if not places or meant_elsewhere(each, _parent_path(each)):
            continue
        first, *others = places
        more = f", as have {len(others)} more" if others else ""
        yield Finding(
            first,
            f"{title_of(each.key)} has a `{first.path[-1]}`{more}, and no `{parent}`: the API server rejects it",
            Remedy(
                f"write `{parent}`, or leave the limits out: a queue without a parent neither borrows nor lends",
                tuple(Remove(place) for place in places),
            ),
            related=tuple(Related("another limit", place) for place in others),
        )


def _parent_path(each: Examined) -> tuple[str, str]:
    if each.key.kind == "Cohort":
        return "spec", "parentName"
    return "spec", "cohort" if each.manifest.version == "v1beta1" else "cohortName"


def _limits(each: Examined) -> Iterator[tuple[str | int, ...]]:
    for entry in entries(each.manifest):
        for name in LIMITS:
            if entry.quota.get(name) is not None:
                yield *entry.path, name


@error_rule("K016")
def negative_quota(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each value."""
    for each, cause in lawful(given, "CQ07"):
        name, value = str(cause.path[-1]), value_at(each, cause.path)
        resource = quote(value_at(each, (*cause.path[:-1], "name")))
        help = "write 0 or more" if name == "nominalQuota" else "write 0 or more; without the field there is no limit"
        yield Finding(
            each.at(*cause.path),
            f"`{name}` of {resource} is {quote(value)}: the API server rejects a negative value",
            Remedy(help),
            evidence=((name, str(value)),),
        )


@error_rule("K027")
def lending_limit_above_nominal(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each limit, with the excess."""
    for each, cause in lawful(given, "CQ08"):
        quota = mapping(value_at(each, cause.path[:-1]))
        nominal, limit = nano_of(quota.get("nominalQuota")), nano_of(quota.get("lendingLimit"))
        if nominal is None or limit is None:
            continue
        resource = str(quota.get("name"))
        there, more = amount_text(resource, nominal), amount_text(resource, limit - nominal)
        place = each.at(*cause.path)
        yield Finding(
            place,
            f"`lendingLimit` of `{resource}` is {more} above the quota: the API server rejects it",
            Remedy(f"{there} or less; without the field all of the quota may be lent", (Remove(place),), safe=True),
            evidence=(
                ("nominalQuota", there),
                ("lendingLimit", amount_text(resource, limit)),
                ("too high by", more),
            ),
            related=(Related("the quota", each.at(*cause.path[:-1], "nominalQuota")),),
        )
