"""Tolerations and node selectors with which the pods could use another flavor, each simulated before it is proposed."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Final, TypeAlias

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.selectors import Requirement, Toleration
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination
from kubectl_fairshare.schedulers.kueue.explain.decision import Remedy, RemedyKind
from kubectl_fairshare.schedulers.kueue.explain.remedies.trying import decision
from kubectl_fairshare.schedulers.kueue.flavors.matching import untolerated_taints
from kubectl_fairshare.schedulers.kueue.model.objects import ResourceFlavor
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Pending, PodSet
from kubectl_fairshare.schedulers.kueue.tree.state import State

_SHOWN: Final = 2
Words: TypeAlias = tuple[str, str]
Fit: TypeAlias = Callable[[PodSet, ResourceFlavor], tuple[PodSet, Words]]


def matching_remedies(state: State, nomination: Nomination, outcome: Outcome) -> Iterator[Remedy]:
    """Tolerations and node selectors that admit the workload; if it preempts, those that admit it without victims."""
    if nomination.queue is None or nomination.assignment is None:
        return
    for kind, fit in ((RemedyKind.TOLERATION, _tolerant), (RemedyKind.SELECTOR, _selecting)):
        found = _by_flavor(state, nomination.queue, nomination.workload, kind, fit)
        yield from islice(
            (r for r in found if outcome is not Outcome.PREEMPTS or r.outcome is Outcome.ADMITTED), _SHOWN
        )


def _by_flavor(state: State, queue: int, workload: Pending, kind: RemedyKind, fit: Fit) -> Iterator[Remedy]:
    """For each flavor of the queue, the change of one pod set that admits the workload; else that of all pod sets."""
    names = dict.fromkeys(name for group in state.forest.nodes[queue].queue.groups for name in group.flavors)
    for name, flavor in ((n, state.kueue.flavors[n]) for n in names if n in state.kueue.flavors):
        kept_out = [i for i, p in enumerate(workload.pod_sets) if fit(p, flavor)[1] != ("", "")]
        each = [(i,) for i in kept_out]
        for changed in [*each, *([tuple(kept_out)] if len(kept_out) > 1 else [])]:
            remedy = _remedy(state, workload, kind, changed, flavor, fit)
            if remedy is not None:
                yield replace(remedy, pair=FlavorResource(name, ""))
                break


def _remedy(
    state: State, workload: Pending, kind: RemedyKind, changed: Sequence[int], flavor: ResourceFlavor, fit: Fit
) -> Remedy | None:
    pod_sets = (fit(p, flavor)[0] if i in changed else p for i, p in enumerate(workload.pod_sets))
    then = decision(state, replace(workload, pod_sets=tuple(pod_sets)))
    if then is None:
        return None
    first = workload.pod_sets[changed[0]]
    before, after = zip(*(fit(workload.pod_sets[i], flavor)[1] for i in changed), strict=True)
    words = (", ".join(dict.fromkeys(before)), ", ".join(dict.fromkeys(after)))
    pod_set = first.name if len(changed) == 1 else None
    remedy = Remedy(kind, 0, 1, then.outcome, len(then.leaving), pod_set=pod_set, words=words, leaving=then.leaving)
    return replace(remedy, doubted=then.doubted)


def _tolerant(pod_set: PodSet, flavor: ResourceFlavor) -> tuple[PodSet, Words]:
    """The pod set with tolerations for all taints of the flavor that it does not tolerate."""
    taints = list(untolerated_taints(flavor, pod_set))
    added = tuple(Toleration(t.key, "Equal", t.value, t.effect) for t in taints)
    text = ", ".join(f"{t.key}{t.value and f'={t.value}'}:{t.effect}" for t in taints)
    return replace(pod_set, tolerations=(*pod_set.tolerations, *added)), ("", text)


def _selecting(pod_set: PodSet, flavor: ResourceFlavor) -> tuple[PodSet, Words]:
    """The pod set whose node selector has the flavor's labels in place of the values that exclude it."""
    labels = flavor.node_labels
    wrong = {r.key: r for r in pod_set.node_selector if r.key in labels and not r.matches(labels)}
    selector = tuple(Requirement(r.key, "In", (labels[r.key],)) if r.key in wrong else r for r in pod_set.node_selector)
    before = ", ".join(f"{key}={','.join(r.values)}" for key, r in wrong.items())
    after = ", ".join(f"{key}={labels[key]}" for key in wrong)
    return replace(pod_set, node_selector=selector), (before, after)
