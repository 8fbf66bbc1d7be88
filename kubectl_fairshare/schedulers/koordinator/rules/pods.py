"""Pods whose quota is not what their authors think."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.answers.holds import Hold
from kubectl_fairshare.finding import Finding, Related, Remedy
from kubectl_fairshare.jobs.creation import NewPods
from kubectl_fairshare.lint.protocol import warning_rule
from kubectl_fairshare.lint.words.figures import figure, several
from kubectl_fairshare.lint.words.spelling import nearest
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.koordinator.model import names
from kubectl_fairshare.schedulers.koordinator.model.amounts import whole
from kubectl_fairshare.schedulers.koordinator.quotas.state import all_quotas
from kubectl_fairshare.schedulers.koordinator.rules.given import AskingPod, KoordinatorGiven
from kubectl_fairshare.schedulers.manifests.holds import creation_holds, rejected_pods

_MANY: Final = 10
"""Pods in the default quota matter from one part in so many of the total on."""


@warning_rule("Q009")
def unknown_quota_named(given: KoordinatorGiven) -> Iterator[Finding]:
    """One finding for each unknown name, at the first pod or template that has it."""
    known, by_name = {*all_quotas(given.state), *given.refused}, dict[str, list[AskingPod]]()
    for each in given.asking:
        name = each.pod.labels.get(names.QUOTA_NAME, "")
        if name and name not in known:
            by_name.setdefault(name, []).append(each)
    for name, pods in sorted(by_name.items()):
        meant = nearest(name, given.real)
        yield Finding(
            pods[0].label(names.QUOTA_NAME),
            f"no quota is called `{name}`: {_admitted(given, len(pods))}",
            Remedy(f"write `{meant}`" if meant else "name an existing quota"),
            elsewhere=f"ElasticQuota {name}",
        )


def _admitted(given: KoordinatorGiven, pods: int) -> str:
    belongs, is_, it = ("belongs", "is", "it") if pods == 1 else ("belong", "are", "them")
    who, uses_runtime = several(pods, "pod"), given.state.arguments.uses_runtime
    if given.state.gates.no_default:
        return f"{who} with this label {is_} always admitted, as no quota limits {it}"
    if not uses_runtime:
        return f"{who} with this label {belongs} to the default quota"
    return f"{who} with this label {belongs} to the default quota, which limits nothing, and {is_} always admitted"


@warning_rule("Q017")
def pod_on_parent(given: KoordinatorGiven) -> Iterator[Finding]:
    """One finding for each quota labelled as a parent that has pods, or templates of pods."""
    if given.state.gates.parents_take_pods:
        return
    for name in given.real:
        group = given.state.quotas[name]
        pods = given.asking_by_quota.get(name, ()) if group.is_parent else ()
        if pods:
            first = pods[0]
            named = names.QUOTA_NAME in first.pod.labels
            yield Finding(
                first.label(names.QUOTA_NAME) if named else Place(first.at.object, (*first.at.path, "metadata")),
                f"`{name}` is labelled as a parent: the webhook rejects new pods of it, in its words: pod can not be "
                f"linked to a parentQuotaGroup,quota:{name}, pod:{first.pod.key.name}",
                Remedy("name one of its children"),
                related=(Related("labelled as a parent here", Place(group.key)),),
            )


@warning_rule("Q020")
def default_quota_is_large(given: KoordinatorGiven) -> Iterator[Finding]:
    """One finding, for a resource of which pods of the default quota use a tenth of the total or more."""
    engine = given.engine
    if engine is None or not given.state.nodes or names.DEFAULT not in engine.quotas:
        return
    pods = [p for p in given.state.pods if p.node and given.members[p.key].quota == names.DEFAULT]
    total = engine.trees[""].total
    for resource in ("cpu", "memory"):
        used = sum(pod.charge.get(resource, 0) for pod in pods)
        if used > 0 and used * _MANY >= total.get(resource, 0):
            yield Finding(
                Place(pods[0].key, ("metadata",)),
                f"{several(len(pods), 'pod')} of the default quota use {figure(resource, whole(resource, used))}: that "
                "is taken off the total, and their requests compete again for the surplus",
                Remedy("give them a quota: a label, or a quota that lists their namespace"),
            )
            break


@warning_rule("Q021")
def fixed_pods_beyond_min(given: KoordinatorGiven) -> Iterator[Finding]:
    """One finding for each quota whose pods that are not preemptible request more than its min, or what it omits."""
    for name in given.real:
        group = given.state.quotas[name]
        firm = [pod for pod in given.pods_of(name) if not pod.preemptible]
        for resource in sorted({r for pod in firm for r in pod.charge if pod.charge[r] and r in group.max}):
            asked = sum(pod.charge.get(resource, 0) for pod in firm)
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


@warning_rule("Q031")
def quota_rejects_pods_of_quota(given: KoordinatorGiven) -> Iterator[Finding]:
    """One finding for each new object and ResourceQuota, for pods of a quota other than the default one."""
    quotas = given.asking_by_quota
    asking = {each.at.object for name in given.real if name != names.DEFAULT for each in quotas.get(name, ())}

    def holds(maker: Manifest, bounds: NewPods) -> Iterator[Hold]:
        return creation_holds(maker, bounds) if maker.key in asking else iter(())

    return rejected_pods(given.snapshot, holds)
