"""What Koordinator's webhook rejects, in its own words; it answers with the first mistake, these rules with all."""

from collections.abc import Iterator

from kubectl_fairshare.finding import Finding, Related, Remedy
from kubectl_fairshare.lint.protocol import error_rule
from kubectl_fairshare.lint.words.figures import few
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.koordinator.admission.complaints import (
    WebhookCheck,
    WebhookComplaint,
    self_complaints,
    topology_complaints,
)
from kubectl_fairshare.schedulers.koordinator.admission.topology import WebhookQuota
from kubectl_fairshare.schedulers.koordinator.model.names import NAMESPACES, PARENT, ROOT
from kubectl_fairshare.schedulers.koordinator.rules.given import KoordinatorGiven

_REMEDIES = {
    WebhookCheck.NEGATIVE: "write 0 or more",
    WebhookCheck.MIN_MAX: "list it in max with at least the min, or remove it from min",
    WebhookCheck.STRICT: "raise max to the use, or remove the key from the annotation",
    WebhookCheck.SUMS: "raise the parent's min, or lower the children's",
    WebhookCheck.KEYS: "list the same resources in both",
    WebhookCheck.TREE: "write the tree id of the parent, or remove the label",
    WebhookCheck.GUARANTEE: "raise the min of the quotas above first, or force the update",
}


def _own(given: KoordinatorGiven, *checks: WebhookCheck) -> Iterator[Finding]:
    for quota in given.webhook_quotas:
        for each in self_complaints(quota):
            if each.check in checks:
                yield _finding(each)


def _among(given: KoordinatorGiven, *checks: WebhookCheck) -> Iterator[Finding]:
    for quota in given.webhook_quotas:
        seen: set[Place] = set()
        for each in topology_complaints(quota, given.topology):
            if each.check in checks and each.place not in seen:
                seen.add(each.place)
                yield _finding(each)


def _finding(of: WebhookComplaint) -> Finding:
    return Finding(of.place, f"the webhook rejects this: {of.message}", Remedy(_REMEDIES[of.check]))


@error_rule("Q002")
def amounts_refused(given: KoordinatorGiven) -> Iterator[Finding]:
    """One finding for each amount."""
    return _own(given, WebhookCheck.NEGATIVE, WebhookCheck.MIN_MAX, WebhookCheck.STRICT)


def _first_of_siblings(given: KoordinatorGiven) -> Iterator[tuple[WebhookQuota, WebhookComplaint]]:
    """Sums that do not hold, once for each parent: at the parent, or at the first child if the parent is forced."""
    done: set[str] = set()
    for quota in sorted(
        given.webhook_quotas, key=lambda each: bool(given.topology.children.get(each.name)), reverse=True
    ):
        for each in topology_complaints(quota, given.topology):
            about = quota.parent if "brothers" in each.message else quota.name
            if each.check is WebhookCheck.SUMS and about not in done:
                done.add(about)
                yield quota, each


@error_rule("Q003")
def min_sum_above_parent(given: KoordinatorGiven) -> Iterator[Finding]:
    """One finding for each parent."""
    for _, each in _first_of_siblings(given):
        yield _finding(each)


@error_rule("Q004")
def parent_unfit(given: KoordinatorGiven) -> Iterator[Finding]:
    """One finding for each quota."""
    for quota in given.webhook_quotas:
        parent = given.topology.quotas.get(quota.parent)
        place = quota.label(PARENT)
        if quota.parent == ROOT or quota.name == ROOT or quota.name in given.looping:
            continue
        if parent is None and quota.parent in given.refused:  # that it is rejected is a finding of its own
            continue
        if parent is None:
            yield Finding(
                place,
                f"quota `{quota.parent}` does not exist: the webhook rejects this, and a stored one like it, with all "
                "below it, is not limited at all",
                Remedy("name an existing quota"),
                elsewhere=f"ElasticQuota {quota.parent}",
            )
        elif not parent.is_parent:
            yield Finding(
                place,
                f'`{quota.parent}` is not labelled `is-parent: "true"`, so the webhook rejects quotas below it',
                Remedy("label the parent"),
                related=(Related("the parent", Place(parent.key)),),
            )


@error_rule("Q006")
def keys_unlike_parent(given: KoordinatorGiven) -> Iterator[Finding]:
    """One finding for each list of a quota that differs from its parent's."""
    for quota in given.webhook_quotas:
        parent = given.topology.quotas.get(quota.parent)
        if parent is None or quota.parent == ROOT:
            continue
        for each in topology_complaints(quota, given.topology):
            if each.check is WebhookCheck.KEYS and parent.name in each.message:
                extra = sorted(quota.most.keys() - parent.most.keys())
                free = f"; nothing limits its {few(extra)}" if extra and each.place.path[-1] == "max" else ""
                yield Finding(
                    each.place, f"the webhook rejects this: {each.message}{free}", Remedy(_REMEDIES[each.check])
                )


@error_rule("Q007")
def tree_unlike_parent(given: KoordinatorGiven) -> Iterator[Finding]:
    """One finding for each quota whose tree id differs from its parent's."""
    for quota in given.webhook_quotas:
        if quota.parent in given.treeless:
            continue
        for each in topology_complaints(quota, given.topology):
            if each.check is WebhookCheck.TREE and "from parent" in each.message:
                yield _finding(each)


@error_rule("Q008")
def name_used_twice(given: KoordinatorGiven) -> Iterator[Finding]:
    """One finding for each further quota of a name, and for each namespace that is listed twice."""
    names: dict[str, WebhookQuota] = {}
    bound: dict[str, WebhookQuota] = {}
    for quota in given.webhook_quotas:
        first = names.setdefault(quota.name, quota)
        if first is not quota:
            yield Finding(
                Place(quota.key, ("metadata", "name")),
                f"another ElasticQuota is called `{quota.name}`: the scheduler knows quotas by name alone, whatever "
                "their namespaces, so only one of them counts",
                Remedy("give it another name"),
                related=(Related("the other one", Place(first.key)),),
            )
            continue
        for namespace in quota.namespaces:
            owner = bound.setdefault(namespace, quota)
            if owner is not quota:
                yield Finding(
                    quota.annotation(NAMESPACES),
                    f"namespace `{namespace}` is already bound to quota `{owner.name}`: which of them takes its pods "
                    "is undefined",
                    Remedy("list it in one of them"),
                    related=(Related("listed here, too", owner.annotation(NAMESPACES)),),
                )


@error_rule("Q029")
def guarantee_impossible(given: KoordinatorGiven) -> Iterator[Finding]:
    """One finding for each quota of a named tree; only with the gate ElasticQuotaGuaranteeUsage."""
    return _among(given, WebhookCheck.GUARANTEE)
