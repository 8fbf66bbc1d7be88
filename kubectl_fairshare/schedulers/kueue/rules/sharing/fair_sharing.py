"""Weights of fair sharing without effect or with too much effect, and other effects of shares."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.finding import Finding, Related, Remedy, Remove
from kubectl_fairshare.lint.protocol import info_rule, warning_rule
from kubectl_fairshare.lint.words.figures import several
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.schedulers.kueue.model.objects import FINAL_SHARE, GROUP
from kubectl_fairshare.schedulers.kueue.rules.cohorts.trees import title, trees
from kubectl_fairshare.schedulers.kueue.rules.configuration.settings import (
    ELSEWHERE,
    absent,
    fair_sharing,
    sound_configuration,
    view,
)
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven
from kubectl_fairshare.schedulers.kueue.rules.preemption.priorities import priorities
from kubectl_fairshare.schedulers.kueue.tree.forest import TreeNode

_WEIGHT: Final = ("spec", "fairSharing", "weight")
_BEYOND_TELLING: Final = 10**9
_FAR_APART: Final = 1000
_MOST_RELATED: Final = 10
_GENTLER: Final = Remedy("write `[LessThanInitialShare]`")


def _key(node: TreeNode) -> ObjectKey:
    return ObjectKey(GROUP, "ClusterQueue" if node.is_queue else "Cohort", "", node.name)


def _place(node: TreeNode) -> Place:
    """The place of a node's weight, if it is not 1."""
    return Place(_key(node), _WEIGHT)


def _is_written(given: KueueGiven, node: TreeNode) -> bool:
    """Whether a node's weight is written, even if it is the default, 1."""
    examined = given.examined.get(_key(node))
    stored = examined.stored if examined is not None else None
    return node.weight != 1 or "weight" in ((stored or {}).get("spec", {}).get("fairSharing") or {})


def _counts(node: TreeNode) -> bool:
    """Whether a node can have a weight; a cohort without an object cannot."""
    return node.spec is not None and node.weight != 1


def _families(given: KueueGiven) -> Iterator[tuple[TreeNode, list[TreeNode]]]:
    """Every cohort with its children, by name: queues, and cohorts with an object."""
    nodes = given.forest.nodes
    for tree in trees(given):
        for cohort in tree.cohorts:
            yield cohort, [nodes[i] for i in (*cohort.cohorts, *cohort.queues)]


@warning_rule("K152")
def weight_zero(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each member of a cohort; without fair sharing weights have no effect."""
    if fair_sharing(given) is False or (fair_sharing(given) is None and not absent(given)):
        return
    for _, children in _families(given):
        for child in children:
            if child.weight == 0 and _may_borrow(child):
                yield Finding(
                    _place(child),
                    f"{title(child)} has weight 0: its share is infinite as soon as it borrows",
                    Remedy("write a small weight such as `100m`, or `borrowingLimit: 0`"),
                    elsewhere=ELSEWHERE if absent(given) else "",
                )


def _may_borrow(node: TreeNode) -> bool:
    """Whether a node may borrow; a cohort may borrow everything for which it sets no limit."""
    return not node.is_queue or any(quota.borrowing_limit != 0 for quota in node.quotas.values())


@warning_rule("K153")
def weight_without_effect(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each such weight; only one if fair sharing is off."""
    if fair_sharing(given) is False:
        yield from _while_off(given)
        return
    for tree in trees(given):
        if _counts(tree.root):
            place = _place(tree.root)
            lone = f"{title(tree.root)} {'has no cohort' if tree.root.is_queue else 'is a root'}"
            remedy = Remedy("take it out", (Remove(Place(place.object, _WEIGHT[:-1])),), safe=True)
            yield Finding(place, f"{lone}, so its weight has no effect", remedy)
    for cohort, children in _families(given):
        if len(children) == 1 and _counts(children[0]) and children[0].weight:
            message = f"{title(children[0])} is the only member of cohort `{cohort.name}`, so its weight has no effect"
            remedy = Remedy("take it out")
            yield Finding(_place(children[0]), message, remedy, elsewhere=f"a member of cohort {cohort.name}")


def _while_off(given: KueueGiven) -> Iterator[Finding]:
    """One finding, at the first weight, with the others."""
    weights = sorted(filter(_counts, given.forest.nodes), key=lambda node: (node.is_queue, node.name))
    if not weights:
        return
    found = sound_configuration(given)
    off = () if found is None else (Related("no `fairSharing` here", found.place),)
    others = tuple(Related("here, too", _place(node)) for node in weights[1 : 1 + _MOST_RELATED])
    yield Finding(
        _place(weights[0]),
        f"{several(len(weights), 'weight')} {'is' if len(weights) == 1 else 'are'} ignored: fair sharing is off",
        Remedy("write `fairSharing` in Kueue's Configuration, or remove the weights"),
        related=(*off, *others),
    )


@info_rule("K154")
def weights_far_apart(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each cohort, at its heaviest member."""
    if fair_sharing(given) is not False:
        for cohort, children in _families(given):
            ends = _ends(given, children)
            if ends is not None:
                light, heavy = ends
                ratio = heavy.weight / light.weight
                times = str(round(ratio)) if ratio < _BEYOND_TELLING else "more than 10⁹"
                written = _is_written(given, heavy)
                how = "" if written else ", 1 by default,"
                yield Finding(
                    _place(heavy) if written else Place(_key(heavy)),
                    f"the weight of {title(heavy)}{how} is {times} times the lightest in cohort `{cohort.name}`",
                    Remedy("write weights of similar size"),
                    evidence=(("lightest", f"{light.weight:g}"), ("heaviest", f"{heavy.weight:g}")),
                    related=(Related("the lightest", _place(light)),),
                )


def _ends(given: KueueGiven, children: list[TreeNode]) -> tuple[TreeNode, TreeNode] | None:
    """The lightest and the heaviest member, if they are too far apart; another rule reports weights of 0."""
    light = min(
        (child for child in children if child.weight > 0), key=lambda node: (node.weight, node.name), default=None
    )
    most = max((child.weight for child in children), default=0.0)
    if light is None or most <= light.weight * _FAR_APART:
        return None
    heaviest = [child for child in children if child.weight == most]
    return light, min(heaviest, key=lambda node: (_is_written(given, node), node.name))


@info_rule("K155", advice=True)
def cohort_weight_missing(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each Cohort, unless the weights are far apart, which another rule reports."""
    if fair_sharing(given) is False:
        return
    for cohort, children in _families(given):
        weighted = [child for child in children if _counts(child)]
        if not weighted or _ends(given, children) is not None:
            continue
        for child in children:
            if not child.is_queue and not _is_written(given, child):
                yield Finding(
                    Place(_key(child)),
                    f"Cohort `{child.name}` has weight 1 by default; {several(len(weighted), 'sibling')} "
                    f"below `{cohort.name}` {'has' if len(weighted) == 1 else 'have'} another",
                    Remedy("write `fairSharing.weight`"),
                    related=(Related("a sibling's weight", _place(weighted[0])),),
                )


@warning_rule("K156", advice=True)
def equal_shares_preempt_each_other(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each Configuration with that strategy first."""
    found, settings = sound_configuration(given), view(given)
    if found is None or settings is None or "fairSharing" not in settings:
        return
    if settings["fairSharing"]["preemptionStrategies"][0] == FINAL_SHARE and len(priorities(given)) == 1:
        message = (
            "jobs of equal priority may preempt each other in turn while the shares of their queues are nearly equal"
        )
        yield Finding(found.at("fairSharing", "preemptionStrategies"), message, _GENTLER)


@info_rule("K157", advice=True)
def priority_below_share(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each tree of several levels, at its root or the first Cohort that names it."""
    if not fair_sharing(given) or len(priorities(given)) < 2:
        return
    for tree in trees(given):
        below = [node for node in tree.cohorts if node.parent is not None]
        if below and len(tree.queues) > 1:
            key = ObjectKey(GROUP, "Cohort", "", below[0].name)
            message = f"below cohort `{tree.root.name}` Kueue compares shares before priorities, at each level"
            yield Finding(
                Place(key, ("spec", "parentName")),
                message,
                Remedy("put queues whose priorities should compete below one cohort"),
                evidence=(("priorities", ", ".join(map(str, priorities(given)))),),
            )
