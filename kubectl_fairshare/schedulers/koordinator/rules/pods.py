"""Pods whose quota is not what their authors think."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.finding import Finding, Related, Remedy
from kubectl_fairshare.lint.protocol import warning_rule
from kubectl_fairshare.lint.words.figures import figure, several
from kubectl_fairshare.lint.words.spelling import nearest
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.koordinator.laws import Law
from kubectl_fairshare.schedulers.koordinator.model import names
from kubectl_fairshare.schedulers.koordinator.model.amounts import whole
from kubectl_fairshare.schedulers.koordinator.model.objects import Pod
from kubectl_fairshare.schedulers.koordinator.rules.given import KoordinatorGiven, labelled

_MANY: Final = 10
"""Pods in the default quota matter from one part in so many of the total on."""


@warning_rule("Q009")
def unknown_quota_named(given: KoordinatorGiven) -> Iterator[Finding]:
    """One finding for each unknown name, at the first pod that has it."""
    by_name: dict[str, list[Pod]] = {}
    for pod in given.state.pods:
        member = given.members[pod.key]
        if member.wished:
            by_name.setdefault(member.wished, []).append(pod)
    for name, pods in sorted(by_name.items()):
        meant = nearest(name, given.real)
        limits = (
            "no quota limits them"
            if given.state.gates.no_default
            else ("they belong to the default quota, which limits nothing")
        )
        yield Finding(
            labelled(pods[0].key, names.QUOTA_NAME),
            f"no quota is called `{name}`: {several(len(pods), 'pod')} of this name are admitted always, as {limits}",
            Remedy(f"write `{meant}`" if meant else "name an existing quota"),
            elsewhere=f"ElasticQuota {name}",
        )


@warning_rule("Q017")
def pod_on_parent(given: KoordinatorGiven) -> Iterator[Finding]:
    """One finding for each quota with children that has pods of its own."""
    if given.state.gates.parents_take_pods:
        return
    for name in given.real:
        group = given.state.quotas[name]
        pods = [pod for pod in given.pods_of(name) if pod.labels.get(names.QUOTA_NAME) == name]
        if group.is_parent and pods:
            yield Finding(
                labelled(pods[0].key, names.QUOTA_NAME),
                f"`{name}` is labelled as a parent: the webhook refuses new pods of it, in its words: pod can not be "
                f"linked to a parentQuotaGroup,quota:{name}, pod:{pods[0].key.name}",
                Remedy("name one of its children"),
                related=(Related("labelled as a parent here", Place(group.key)),),
            )


@warning_rule("Q020")
def default_quota_is_large(given: KoordinatorGiven) -> Iterator[Finding]:
    """One finding for each resource of which pods without a quota use a tenth of the total or more."""
    engine = given.engine
    if engine is None or not given.state.nodes or names.DEFAULT not in engine.quotas:
        return
    pods = [p for p in given.state.pods if p.node and given.members[p.key].law is Law.BY_DEFAULT]
    total = engine.trees[""].total
    for resource in ("cpu", "memory"):
        used = sum(pod.charged.get(resource, 0) for pod in pods)
        if used > 0 and used * _MANY >= total.get(resource, 0):
            yield Finding(
                Place(pods[0].key, ("metadata",)),
                f"{several(len(pods), 'pod')} without a quota use {figure(resource, whole(resource, used))}: that is "
                "taken off the total, and they compete again for the surplus",
                Remedy("give them a quota: a label, or a quota that lists their namespace"),
            )
            break


@warning_rule("Q021")
def fixed_pods_beyond_min(given: KoordinatorGiven) -> Iterator[Finding]:
    """One finding for each quota whose pods that are not preemptible request more than its min, or what it omits."""
    for name in given.real:
        group = given.state.quotas[name]
        firm = [pod for pod in given.pods_of(name) if not pod.preemptible]
        for resource in sorted({r for pod in firm for r in pod.charged if pod.charged[r] and r in group.max}):
            asked = sum(pod.charged.get(resource, 0) for pod in firm)
            wanted = figure(resource, whole(resource, asked))
            if resource not in group.min:
                yield Finding(
                    group.place("min") if group.min else Place(group.key, ("spec",)),
                    f"min does not list `{resource}`, so nothing limits the {wanted} of pods that are not preemptible",
                    Remedy(f"list `{resource}` in min"),
                )
            elif asked > group.min[resource]:
                least = figure(resource, whole(resource, group.min[resource]))
                yield Finding(
                    group.place("min", resource),
                    f"pods that are not preemptible request {wanted}, and they may use min at most: {least}",
                    Remedy("raise min, or remove the label from some pods"),
                    related=(Related("not preemptible", Place(firm[0].key)),),
                )
