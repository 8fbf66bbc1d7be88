"""What Kueue's webhooks check of quotas, in ClusterQueues and Cohorts, in their Go views."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Final

from kubectl_fairshare.api.causes import DUPLICATE, Cause, cause, invalid, of_law
from kubectl_fairshare.api.label_syntax import key_causes
from kubectl_fairshare.model.alike import once_for_equal
from kubectl_fairshare.model.json import FieldPath, Json, JsonObject
from kubectl_fairshare.model.quantity_text import parse
from kubectl_fairshare.model.values import Value

_LEAST_WEIGHT: Final = 1  # in units of 10⁻⁹


class QuotaRules(Value, frozen=True):
    """How a kind bounds its quotas: ``parent`` is what a limit needs, ``has_parent`` whether it is set."""

    parent: str
    has_parent: bool
    lends_own_only: bool

    def law_of(self, limit: str) -> str:
        """The law that requires a parent for a limit."""
        if self.parent == "parent":
            return "CO01"
        return "CQ01" if limit == "borrowingLimit" else "CQ02"


def group_causes(groups: Json, rules: QuotaRules, path: FieldPath) -> Sequence[Cause]:
    """What is wrong with resource groups."""
    return _check(rules, path)(groups)


@cache
def _check(rules: QuotaRules, path: FieldPath) -> Callable[[Json], Sequence[Cause]]:
    return once_for_equal(lambda groups: tuple(_group_causes(groups, rules, path)))


def _group_causes(groups: Json, rules: QuotaRules, path: FieldPath) -> Iterator[Cause]:
    resources: set[str] = set()
    flavors: set[str] = set()
    for i, group in enumerate(groups):
        covered = group.get("coveredResources", [])
        for j, resource in enumerate(covered):
            place = (*path, i, "coveredResources", j)
            yield from of_law("1.1-covered-resource-name", key_causes(resource, place))
            if resource in resources:
                yield cause(DUPLICATE, place, f"`{resource}` is covered twice", "CQ05")
            resources.add(resource)
        for j, flavor in enumerate(group.get("flavors", [])):
            place = (*path, i, "flavors", j)
            yield from _flavor_causes(flavor, covered, rules, place)
            name = flavor.get("name", "")
            if name in flavors:
                yield cause(DUPLICATE, (*place, "name"), f"flavor `{name}` occurs twice", "CQ06")
            flavors.add(name)


def _flavor_causes(flavor: JsonObject, covered: list[str], rules: QuotaRules, path: FieldPath) -> Iterator[Cause]:
    for i, quota in enumerate(flavor.get("resources", [])[: len(covered)]):
        if quota.get("name", "") != covered[i]:
            yield invalid(
                (*path, "resources", i, "name"), f"coveredResources has `{covered[i]}` in this position", "CQ04"
            )
        nominal = parse(quota.get("nominalQuota", "0")).nano
        if nominal < 0:
            yield invalid((*path, "resources", i, "nominalQuota"), "negative", "CQ07")
        if "borrowingLimit" in quota:
            yield from _limit_causes(quota, "borrowingLimit", rules, (*path, "resources", i))
        if "lendingLimit" in quota:
            yield from _limit_causes(quota, "lendingLimit", rules, (*path, "resources", i))
            if rules.lends_own_only and parse(quota["lendingLimit"]).nano > nominal:
                yield invalid((*path, "resources", i, "lendingLimit"), "above nominalQuota", "CQ08")


def _limit_causes(quota: JsonObject, name: str, rules: QuotaRules, path: FieldPath) -> Iterator[Cause]:
    if not rules.has_parent:
        yield invalid((*path, name), f"a limit needs a {rules.parent}", rules.law_of(name))
    if parse(quota[name]).nano < 0:
        yield invalid((*path, name), "negative", "CQ07")


def weight_causes(sharing: JsonObject | None, path: FieldPath) -> Iterator[Cause]:
    """What is wrong with a fair sharing weight."""
    if not sharing or "weight" not in sharing:
        return
    weight = parse(sharing["weight"]).nano
    if weight < 0:
        yield invalid(path, "negative weight", "CQ10")
    elif 0 < weight <= _LEAST_WEIGHT:
        yield invalid(path, "a weight other than 0 must be above 1n", "CQ10")
