"""The shape of the tree of quotas."""

from collections.abc import Iterator

from kubectl_fairshare.finding import Finding, Related, Remedy
from kubectl_fairshare.lint.protocol import error_rule, warning_rule
from kubectl_fairshare.lint.words.figures import few, figure
from kubectl_fairshare.model.json import mapping
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.koordinator.model import names
from kubectl_fairshare.schedulers.koordinator.model.amounts import whole
from kubectl_fairshare.schedulers.koordinator.model.objects import QuotaGroup
from kubectl_fairshare.schedulers.koordinator.rules.given import KoordinatorGiven, labelled


@error_rule("Q001")
def group_of_scheduler_plugins(given: KoordinatorGiven) -> Iterator[Finding]:
    """One finding for each quota of scheduler-plugins that has labels or annotations of Koordinator."""
    for place in given.state.foreign or _foreign(given):
        data = given.snapshot.manifests[place.object].data
        fields = (mapping(data, "metadata", field) for field in ("labels", "annotations"))
        marks = [key for field in fields for key in field if names.DOMAIN in key]
        if marks:
            yield Finding(
                Place(place.object, ("apiVersion",)),
                f"`{names.SCHEDULER_PLUGINS_GROUP}` is the group of scheduler-plugins, which ignores {few(marks)}; "
                f"Koordinator reads `{names.GROUP}` only",
                Remedy(f"write `{names.GROUP}/{names.VERSION}` if you use Koordinator"),
            )


def _foreign(given: KoordinatorGiven) -> list[Place]:
    """The quotas of scheduler-plugins, where the input has none of Koordinator's."""
    wanted = (names.SCHEDULER_PLUGINS_GROUP, names.KIND)
    return [Place(key) for key in given.snapshot.manifests if key[:2] == wanted]


@error_rule("Q005")
def cycle_of_parents(given: KoordinatorGiven) -> Iterator[Finding]:
    """One finding for each cycle, at its first quota."""
    for cycle in given.cycles:
        first = given.state.quotas[cycle[0]]
        path = " → ".join((*cycle, cycle[0]))
        yield Finding(
            labelled(first.key, names.PARENT),
            f"quotas are their own ancestors: {path}; the webhook accepts such an update, and the scheduler loops on "
            "it without end",
            Remedy("give one of them another parent"),
        )


@warning_rule("Q016")
def parent_without_children(given: KoordinatorGiven) -> Iterator[Finding]:
    """One finding for each quota; none if a quota is rejected, which may be a child."""
    for group in () if given.refused else _groups(given):
        childless = not any(other.parent == group.name for other in given.state.quotas.values())
        if group.is_parent and childless and not given.pods_of(group.name):
            yield Finding(
                labelled(group.key, names.IS_PARENT),
                f"`{group.name}` has neither a child nor a pod: it gets no runtime, and its min is not scaled with "
                "its siblings'",
                Remedy("remove the label, or add its children"),
                elsewhere="a child quota",
            )


@warning_rule("Q018")
def max_above_parent(given: KoordinatorGiven) -> Iterator[Finding]:
    """One finding for each quota with a larger max than a parent's, where no setting checks parents."""
    if given.state.arguments.checks_parents:
        return
    for group in _groups(given):
        parent = given.state.quotas.get(group.parent)
        if parent is None or group.parent == names.ROOT:
            continue
        for resource, most in sorted(group.max.items()):
            bound = parent.max.get(resource)
            if bound is not None and most > bound:
                mine, its = (figure(resource, whole(resource, value)) for value in (most, bound))
                yield Finding(
                    group.place("max", resource),
                    f"max {mine} is above the {its} of parent `{parent.name}`: parents are checked only with "
                    "`enableCheckParentQuota`, so the parent's max does not hold for running pods",
                    Remedy("lower it to the parent's max, or turn `enableCheckParentQuota` on"),
                    related=(Related("the parent's max", parent.place("max", resource)),),
                )
                break


@warning_rule("Q022")
def tree_without_effect(given: KoordinatorGiven) -> Iterator[Finding]:
    """One finding for each tree id if the gate is off; if it is on, for each tree without a total or with two roots."""
    trees: dict[str, list[QuotaGroup]] = {}
    for group in _groups(given):
        if group.tree:
            trees.setdefault(group.tree, []).append(group)
    for tree, members in sorted(trees.items()):
        roots = [group for group in members if group.is_root]
        place = labelled(next(group.key for group in members if _has_tree_label(given, group)), names.TREE)
        if not given.state.gates.multi_tree:
            yield Finding(
                place,
                f"the scheduler ignores tree `{tree}` without the feature gate MultiQuotaTree: all quotas are one tree",
                Remedy("turn the gate on in koord-scheduler and koord-manager, or remove the labels"),
                elsewhere="Deployment koord-scheduler",
            )
        elif not any(group.total is not None for group in roots):
            yield Finding(
                place,
                f"tree `{tree}` has no root with a total, so its quotas have nothing to divide",
                Remedy('label its top quota `is-root: "true"` and annotate `total-resource`'),
                elsewhere=f"the root of tree {tree}",
            )
        elif len(roots) > 1:
            yield Finding(
                labelled(roots[1].key, names.IS_ROOT),
                f"tree `{tree}` has {len(roots)} roots: which of their totals counts is undefined",
                Remedy("keep one root"),
                related=(Related("another root", Place(roots[0].key)),),
            )


def _has_tree_label(given: KoordinatorGiven, group: QuotaGroup) -> bool:
    """Whether the tree id of a quota is written, not filled in."""
    return names.TREE in mapping(given.snapshot.manifests[group.key].data, "metadata", "labels")


@warning_rule("Q023")
def root_below_another(given: KoordinatorGiven) -> Iterator[Finding]:
    """One finding for each quota."""
    for group in _groups(given):
        if group.is_root and group.parent != names.ROOT:
            yield Finding(
                labelled(group.key, names.IS_ROOT),
                f"`{group.name}` is below `{group.parent}`, so it is not the root of a tree; the label only turns the "
                "checks of its min off",
                Remedy("remove the label"),
            )


@warning_rule("Q028")
def quota_of_namespace_elsewhere(given: KoordinatorGiven) -> Iterator[Finding]:
    """A finding for each quota called like a namespace that lies in another; none if all its pods name a quota."""
    spaces = {each.pod.namespace for each in given.asking} | set(given.snapshot.namespaces)
    for group in _groups(given):
        if group.name in spaces and group.key.namespace != group.name and group.name not in group.namespaces:
            there = [each.pod for each in given.asking if each.pod.namespace == group.name]
            if not there or any(names.QUOTA_NAME not in pod.labels for pod in there):
                yield Finding(
                    Place(group.key, ("metadata", "namespace")),
                    f"pods of namespace `{group.name}` without a label do not find this quota, because it lies in "
                    f"`{group.key.namespace}`: they belong to the default quota",
                    Remedy(f"move it to namespace `{group.name}`, or annotate `namespaces`"),
                )


def _groups(given: KoordinatorGiven) -> Iterator[QuotaGroup]:
    return (given.state.quotas[name] for name in given.real if name not in given.looping)
