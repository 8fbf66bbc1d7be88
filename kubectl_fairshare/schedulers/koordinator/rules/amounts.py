"""Amounts and weights that do something else than they seem to."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.finding import Finding, Related, Remedy, Severity
from kubectl_fairshare.lint.protocol import info_rule, warning_rule
from kubectl_fairshare.lint.words.figures import few, figure, several
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.koordinator.admission.go_json import GoJsonError, decoded_amounts
from kubectl_fairshare.schedulers.koordinator.admission.topology import WebhookQuota
from kubectl_fairshare.schedulers.koordinator.model import names
from kubectl_fairshare.schedulers.koordinator.model.amounts import whole
from kubectl_fairshare.schedulers.koordinator.quotas.state import TreeFigures
from kubectl_fairshare.schedulers.koordinator.rules.given import KoordinatorGiven, labelled

_DIVISIBLE: Final = ("cpu", "memory", "ephemeral-storage")
_UNLIKE: Final = 20
"""A weight so many times below a sibling's gets less than a twentieth of what both divide."""
_MANY: Final = 10
"""A min from one part in so many of the total on is large."""


@warning_rule("Q010")
def requested_beyond_max(given: KoordinatorGiven) -> Iterator[Finding]:
    """One finding for each quota and resource that its pods request and its max omits."""
    for name in given.real:
        group = given.state.quotas[name]
        if not group.max or name in names.SPECIAL:
            continue
        pods = given.asking_by_quota.get(name, ())
        charges = [each.pod.charge for each in pods]
        missing = sorted({r for charge in charges for r, amount in charge.items() if amount and r not in group.max})
        for resource in missing:
            asking = [each for each in pods if each.pod.charge.get(resource)]
            yield Finding(
                group.place("max"),
                f"max does not list `{resource}`, which {several(len(asking), 'pod')} of `{name}` would use: it is "
                "neither limited nor counted",
                Remedy(f"list `{resource}` in max"),
                related=(Related("requested here", asking[0].containers),),
            )


@warning_rule("Q011")
def max_empty(given: KoordinatorGiven) -> Iterator[Finding]:
    """One finding for each quota without a max."""
    for name in given.real:
        group = given.state.quotas[name]
        if not group.max and name not in names.SPECIAL:
            yield Finding(
                Place(group.key, ("spec",)),
                f"`{name}` has no max: it limits nothing and counts nothing",
                Remedy("list in max every resource that it is to limit"),
            )


@warning_rule("Q012")
def weight_unusable(given: KoordinatorGiven) -> Iterator[Finding]:
    """One finding for each shared weight that the webhook rejects, or whose value misleads."""
    for quota in given.webhook_quotas:
        text = quota.annotations.get(names.WEIGHT, "")
        if text:
            yield from _of_weight(quota, text)


def _of_weight(quota: WebhookQuota, text: str) -> Iterator[Finding]:
    place = quota.annotation(names.WEIGHT)
    try:
        weights = decoded_amounts(text)
    except GoJsonError as error:
        message = f"the webhook rejects this: fillDefaultQuotaInfo unmarshal sharedWeight failed:{error}"
        yield Finding(place, message, Remedy("write a JSON map of quantities"), severity=Severity.ERROR)
        return
    remedy = Remedy("write a weight for every resource of max")
    if weights is None and quota.max:
        yield Finding(
            place, "`null` crashes the webhook, which then rejects the quota", remedy, severity=Severity.ERROR
        )
    elif weights is not None and not any(each.nano for each in weights.values()):
        yield Finding(place, "no weight is above 0, so max is the weight", remedy)
    elif weights is not None:
        missing, extra = sorted(quota.most.keys() - weights.keys()), sorted(weights.keys() - quota.most.keys())
        if missing:
            text = "the webhook fills in max at creation; in a stored quota the weight is 0, and it never gets surplus"
            yield Finding(place, f"no weight for {few(missing)}: {text}", remedy)
        if extra:
            yield Finding(place, f"max does not list {few(extra)}: the webhook drops these weights", remedy)


@warning_rule("Q013")
def weights_in_unlike_units(given: KoordinatorGiven) -> Iterator[Finding]:
    """One finding for each sibling whose written weight is tiny next to one that defaults to max."""
    engine = given.engine
    for parent in {} if engine is None else sorted({given.state.quotas[n].parent for n in given.real}):
        groups = [given.state.quotas[n] for n in given.real if given.state.quotas[n].parent == parent]
        groups = [group for group in groups if group.name not in names.SPECIAL]
        plain = [group for group in groups if group.shared_weight is group.max]
        for group in groups:
            if group in plain:
                continue
            for resource, weight in sorted(group.weight.items()):
                other = max((p for p in plain if resource in p.max), key=lambda p: p.max[resource], default=None)
                if other is None or weight <= 0 or other.max[resource] < _UNLIKE * weight:
                    continue
                mine, its = (figure(resource, whole(resource, v)) for v in (weight, other.max[resource]))
                yield Finding(
                    Place(group.key, ("metadata", "annotations", names.WEIGHT)),
                    f"weight {mine} competes with {its} of `{other.name}`, which has no weight and takes its max: "
                    f"`{group.name}` gets almost no surplus",
                    Remedy("write weights for all siblings in the same unit, or for none"),
                    related=(Related("the sibling's max", other.place("max", resource)),),
                )
                break


@warning_rule("Q014")
def min_sum_above_total(given: KoordinatorGiven) -> Iterator[Finding]:
    """One finding for each tree and resource, at the largest min at the top of the tree."""
    engine = given.engine
    for tree, figures in {}.items() if engine is None else engine.trees.items():
        if tree or given.state.nodes:
            yield from _of_tops(given, tree, figures)


def _of_tops(given: KoordinatorGiven, tree: str, figures: TreeFigures) -> Iterator[Finding]:
    tops = [figures.tree.quotas[name] for name in figures.tree.children.get(names.ROOT, ())]
    for resource, total in sorted(figures.shared.items()):
        least = sum(group.min.get(resource, 0) for group in tops)
        if least > max(0, total):
            largest = max(tops, key=lambda group: group.min.get(resource, 0))
            wanted, there = (figure(resource, whole(resource, value)) for value in (least, max(0, total)))
            yield Finding(
                largest.place("min", resource),
                f"the min of the top quotas{f' of tree `{tree}`' if tree else ''} adds up to {wanted}, and there is "
                f"{there}: {_consequence(given, total)}",
                Remedy("lower min, or raise the total of the tree" if tree else "lower min, or add nodes"),
                evidence=(("sum of min", wanted), ("total", there)),
                elsewhere="" if tree else "more Nodes",
            )


def _consequence(given: KoordinatorGiven, total: int) -> str:
    if not given.state.arguments.scales_min:
        return "more is promised than there is"
    return "each min is scaled down" if total > 0 else "each min is scaled to 0"


@warning_rule("Q015")
def min_on_no_node(given: KoordinatorGiven) -> Iterator[Finding]:
    """One finding for each resource that a min names and no node lists; of one that is listed as 0, min is scaled."""
    if not given.state.nodes:
        return
    there = {resource for node in given.state.nodes.values() for resource in node.allocatable}
    seen: set[str] = set()
    for name in given.real:
        group = given.state.quotas[name]
        for resource, amount in sorted(group.min.items()):
            if amount > 0 and resource not in there and resource not in seen:
                seen.add(resource)
                yield Finding(
                    group.place("min", resource),
                    f"no node has `{resource}`: this min is not scaled, its pods are admitted, and none is placed",
                    Remedy("correct the name, or remove it"),
                    elsewhere=f"a Node with {resource}",
                )


@warning_rule("Q024")
def lending_misread(given: KoordinatorGiven) -> Iterator[Finding]:
    """One finding for each value of the label other than true and false."""
    for quota in given.webhook_quotas:
        value = quota.labels.get(names.LENDS)
        if value is not None and value not in ("true", "false"):
            yield Finding(
                labelled(quota.key, names.LENDS),
                f"`{value}` is neither `true` nor `false`: the quota lends, as for every value but `false`",
                Remedy('write `"true"` or `"false"`'),
            )


@info_rule("Q030")
def idle_min_kept(given: KoordinatorGiven) -> Iterator[Finding]:
    """One finding for each quota that does not lend and requests less than half of its min, or has a large one."""
    engine = given.engine
    for name in () if engine is None else given.real:
        group = given.state.quotas[name]
        if group.lends or name in names.SPECIAL or engine is None:
            continue
        for resource, least in sorted(group.min.items()):
            asked = engine.sums(name).child_request.get(resource, 0)
            if least <= 0 or 2 * asked >= least:
                continue
            if given.state.pods:
                idle = figure(resource, whole(resource, least - asked))
                message = f"`{name}` does not lend and requests less than half of its min: {idle} is kept from others"
            elif 0 < engine.figures(name).total.get(resource, 0) <= _MANY * least:
                message = f"`{name}` does not lend: the part of its min that it does not request is kept from others"
            else:
                continue
            yield Finding(labelled(group.key, names.LENDS), message, Remedy("let it lend, or lower min"))
            break


@info_rule("Q026")
def rounding_loses_devices(given: KoordinatorGiven) -> Iterator[Finding]:
    """One finding for each device resource of which all quotas together get more or less than there is."""
    from kubectl_fairshare.schedulers.koordinator.explain.saturation import saturated_quotas, sum_of_top
    from kubectl_fairshare.schedulers.koordinator.release import Rounding

    engine = given.engine
    if engine is None or not given.state.nodes or given.state.rounding is not Rounding.EACH:
        return
    found = saturated_quotas(engine, {})
    figures = engine.trees[""]
    tops = [figures.tree.quotas[name] for name in figures.tree.children.get(names.ROOT, ())]
    for resource in (r for r in found.resources if r not in _DIVISIBLE):
        total = whole(resource, figures.shared.get(resource, 0))
        wanted = sum(whole(resource, group.max.get(resource, 0)) for group in tops)
        given_out = sum_of_top(found, resource)
        if total > 0 and wanted >= total and given_out != total:
            first = next(group for group in tops if resource in group.max)
            yield Finding(
                first.place("max", resource),
                f"if all request, {several(len(tops), 'quota')} get {figure(resource, given_out)} together, and there "
                f"is {figure(resource, total)}: up to release 1.8 each part is rounded by itself",
                Remedy("use min for devices, or a release that divides by largest remainder"),
            )
