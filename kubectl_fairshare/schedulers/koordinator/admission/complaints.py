"""What Koordinator's webhook has against a quota, in its own words and its order; it answers with the first only.

Source: koordinator v1.8.0, ``pkg/webhook/elasticquota``.
"""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Final

from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.koordinator.admission.go_json import GoJsonError, decoded_amounts, decoded_names
from kubectl_fairshare.schedulers.koordinator.admission.topology import WebhookQuota, WebhookTopology, total
from kubectl_fairshare.schedulers.koordinator.model import names

_KEYS: Final = "failed to check sub and parent group quotaKey, err: checkSubAndParentGroupQuotaKey failed: "


class WebhookCheck(StrEnum):
    """A group of checks."""

    NAME = "name"
    BOUND = "bound"
    NEGATIVE = "negative"
    WEIGHT = "weight"
    MIN_MAX = "min-max"
    STRICT = "strict"
    IS_PARENT = "is-parent"
    TREE = "tree"
    PARENT = "parent"
    KEYS = "keys"
    SUMS = "sums"
    GUARANTEE = "guarantee"


class WebhookComplaint(Value, frozen=True):
    """One failing check: the webhook's message, the field, and for amounts the resource."""

    check: WebhookCheck
    message: str
    place: Place
    resource: str = ""


def self_complaints(quota: WebhookQuota) -> Iterator[WebhookComplaint]:
    """What is wrong with a quota alone."""
    name = quota.name
    for field, amounts in (("Max", quota.most), ("Min", quota.least)):
        if below := _negative(amounts):
            message = f"{name} quota.Spec.{field}'s value < 0, in dimensions :[{' '.join(below)}]"
            yield WebhookComplaint(WebhookCheck.NEGATIVE, message, quota.at("spec", field.lower(), below[0]), below[0])
    yield from _of_weight(quota)
    for resource, least in sorted((quota.min or {}).items()):
        most = (quota.max or {}).get(resource)
        place = quota.at("spec", "min", resource)
        if most is None:
            message = f"resourceKey {resource} of quota {name} is included in min, which is not included in max"
            yield WebhookComplaint(WebhookCheck.MIN_MAX, message, place, resource)
        elif most.nano < least.nano:
            message = f"resourceKey {resource} of quota {name} min {least.text} > max {most.text}"
            yield WebhookComplaint(WebhookCheck.MIN_MAX, message, place, resource)
    yield from _of_strict_keys(quota)


def _negative(amounts: Mapping[str, int]) -> list[str]:
    return sorted(resource for resource, value in amounts.items() if value < 0)


def _of_weight(quota: WebhookQuota) -> Iterator[WebhookComplaint]:
    text = quota.annotations.get(names.WEIGHT, "")
    if not text:
        return
    place = quota.annotation(names.WEIGHT)
    try:
        weights = decoded_amounts(text) or {}
    except GoJsonError as error:
        yield WebhookComplaint(WebhookCheck.WEIGHT, str(error), place)
        return
    if below := _negative({resource: each.nano for resource, each in weights.items()}):
        message = f"{quota.name} quota.Annotation[{names.WEIGHT}]'s value < 0, in dimension :[{' '.join(below)}]"
        yield WebhookComplaint(WebhookCheck.NEGATIVE, message, place, below[0])


def _of_strict_keys(quota: WebhookQuota) -> Iterator[WebhookComplaint]:
    text, name = quota.annotations.get(names.STRICT_KEYS, ""), quota.name
    place = quota.annotation(names.STRICT_KEYS)
    try:
        keys = decoded_names(text) if text else ()
    except GoJsonError as error:
        message = f"{name} quota.Annotation[{names.STRICT_KEYS}]'s value is invalid: {error}"
        yield WebhookComplaint(WebhookCheck.STRICT, message, place)
        return
    for key in keys:
        used, most = quota.used.get(key), (quota.max or {}).get(key)
        if used is None:
            continue
        if most is None:
            reason = "is included in used, which is not included in max but should check max >= used"
            yield WebhookComplaint(WebhookCheck.STRICT, f"resourceKey {key} of quota {name} {reason}", place, key)
        elif most.nano < used.nano:
            message = f"resourceKey {key} of quota {name} max {most.text} < used {used.text}"
            yield WebhookComplaint(WebhookCheck.STRICT, message, quota.at("spec", "max", key), key)


def topology_complaints(
    quota: WebhookQuota, known: WebhookTopology, old: WebhookQuota | None = None, bound: Iterable[str] = ()
) -> Iterator[WebhookComplaint]:
    """What is wrong with a quota among others. ``old`` is what it replaces, and listed the namespaces ``bound``."""
    if quota.name == names.ROOT:
        return
    yield from _of_is_parent(quota, known, old, bound)
    yield from _of_tree(quota, known, old)
    if quota.parent == names.ROOT and not quota.is_parent:
        return
    unfit = list(_of_parent(quota, known))
    yield from unfit
    if quota.parent != names.ROOT and quota.parent not in known.quotas:
        return
    yield from _of_keys(quota, known)
    yield from _of_sums(quota, known)
    if known.gates.guarantees_use:
        yield from _of_guarantee(quota, known)


def _of_is_parent(
    quota: WebhookQuota, known: WebhookTopology, old: WebhookQuota | None, bound: Iterable[str]
) -> Iterator[WebhookComplaint]:
    if old is None or old.is_parent == quota.is_parent:
        return
    place = quota.label(names.IS_PARENT)
    if known.children.get(old.name) and not quota.is_parent:
        message = f"quota has children, isParent is forbidden to modify as false, quotaName:{old.name}"
        yield WebhookComplaint(WebhookCheck.IS_PARENT, message, place)
    if quota.is_parent and known.has_pods(old.name, bound):
        message = f"quota has bound pods, isParent is forbidden to modify as true, quotaName: {old.name}"
        yield WebhookComplaint(WebhookCheck.IS_PARENT, message, place)


def _of_tree(quota: WebhookQuota, known: WebhookTopology, old: WebhookQuota | None) -> Iterator[WebhookComplaint]:
    name, tree, place = quota.name, quota.tree, quota.label(names.TREE)
    if old is not None and old.tree != tree:
        yield WebhookComplaint(WebhookCheck.TREE, f"{name} tree id changed [{old.tree}] vs [{tree}]", place)
    parent = known.quotas.get(quota.parent) if quota.parent != names.ROOT else None
    if parent is not None and parent.tree != tree:
        message = f"{name} tree id is different from parent {parent.name}, [{tree}] vs [{parent.tree}]"
        yield WebhookComplaint(WebhookCheck.TREE, message, place)
    for child in known.children_of(name):
        if child.tree != tree:
            message = f"{name} tree id is different from child {child.name}, [{tree}] vs [{child.tree}]"
            yield WebhookComplaint(WebhookCheck.TREE, message, place)


def _of_parent(quota: WebhookQuota, known: WebhookTopology) -> Iterator[WebhookComplaint]:
    if quota.parent == names.ROOT:
        return
    place, start = quota.label(names.PARENT), f"{quota.name} has parentName {quota.parent} but"
    parent = known.quotas.get(quota.parent)
    if parent is None:
        yield WebhookComplaint(WebhookCheck.PARENT, f"{start} not find parentInfo in quotaInfoMap", place)
    elif not parent.is_parent:
        yield WebhookComplaint(WebhookCheck.PARENT, f"{start} the parentQuotaInfo's IsParent is false", place)


def _of_keys(quota: WebhookQuota, known: WebhookTopology) -> Iterator[WebhookComplaint]:
    if quota.parent != names.ROOT:
        yield from _between(known.quotas[quota.parent], quota, quota, known)
    for child in known.children_of(quota.name):
        yield from _between(quota, child, quota, known)


def _between(
    parent: WebhookQuota, child: WebhookQuota, written: WebhookQuota, known: WebhookTopology
) -> Iterator[WebhookComplaint]:
    """The keys of a child that its parent lacks, or that differ; the place is in the quota that is ``written``."""
    above, below = (parent.most.keys(), child.most.keys())
    where = written.at("spec", "max")
    if known.gates.keys_may_differ:
        if not below <= above:
            yield WebhookComplaint(
                WebhookCheck.KEYS, f"{_KEYS}{child.name}'s max keys are not all included in {parent.name}'s", where
            )
    elif above != below:
        one, other = (parent, child) if written is child else (child, parent)
        yield WebhookComplaint(
            WebhookCheck.KEYS, f"{_KEYS}{one.name}'s max keys are not the same with {other.name}'s", where
        )
    if not child.least.keys() <= parent.least.keys():
        message = f"{_KEYS}{child.name}'s min keys are not all included in {parent.name}'s"
        yield WebhookComplaint(WebhookCheck.KEYS, message, written.at("spec", "min"))


def _of_sums(quota: WebhookQuota, known: WebhookTopology) -> Iterator[WebhookComplaint]:
    if quota.is_forced or quota.is_root:
        return
    place = quota.at("spec", "min")
    if quota.parent != names.ROOT:
        siblings = known.least_of_children(quota.parent, quota.name)
        over = exceeding(total([siblings, quota.least]), known.quotas[quota.parent].least)
        if over:
            message = f"checkMinQuotaSum all brothers' MinQuota > parent MinQuota, parent: {quota.parent}"
            yield WebhookComplaint(WebhookCheck.SUMS, message, place, over[0])
    children = known.children_of(quota.name)
    over = exceeding(total(child.least for child in children), quota.least) if children else []
    if over:
        message = f"checkMinQuotaSum all children's MinQuota > current MinQuota, current: {quota.name}"
        yield WebhookComplaint(WebhookCheck.SUMS, message, place, over[0])


def _of_guarantee(quota: WebhookQuota, known: WebhookTopology) -> Iterator[WebhookComplaint]:
    """Whether some quota above already guarantees what the min needs; only in named trees."""
    if quota.is_forced or quota.is_root or not quota.tree or not exceeding(quota.least, quota.guaranteed):
        return
    needed, name, parent = _larger(quota.least, quota.guaranteed), quota.name, quota.parent
    seen: set[str] = set()
    while parent != names.ROOT and parent in known.quotas and parent not in seen:
        seen.add(parent)
        siblings = [child.guaranteed for child in known.children_of(parent) if child.name != name]
        above = known.quotas[parent]
        needed = _larger(above.least, total([needed, *siblings]))
        if not exceeding(needed, above.guaranteed):
            return
        name, parent = above.name, above.parent
    missing = (
        f"tree root quota {name} can't guarantee for min" if parent == names.ROOT else f"parent {parent} not found"
    )
    yield WebhookComplaint(WebhookCheck.GUARANTEE, f"{missing} {quota.name}", quota.at("spec", "min"))


def _larger(a: Mapping[str, int], b: Mapping[str, int]) -> dict[str, int]:
    return {**a, **{resource: max(a.get(resource, value), value) for resource, value in b.items()}}


def exceeding(a: Mapping[str, int], b: Mapping[str, int]) -> list[str]:
    """The resources in which ``a`` is above ``b``; a missing one is 0."""
    return sorted(resource for resource in {*a, *b} if a.get(resource, 0) > b.get(resource, 0))
