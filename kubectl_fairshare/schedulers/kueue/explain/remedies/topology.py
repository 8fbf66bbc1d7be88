"""What would give pods a place, each change simulated before it is proposed.

Tested in ``tests/unit/schedulers/kueue/explain/test_grounds.py``.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kueue.cycle.alone import scan
from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination
from kubectl_fairshare.schedulers.kueue.explain.decision import Remedy, RemedyKind, UnitGround
from kubectl_fairshare.schedulers.kueue.model.topology import Node, SliceLayer, TopologyRequest
from kubectl_fairshare.schedulers.kueue.model.workload import Holder, Pending, PodSet
from kubectl_fairshare.schedulers.kueue.topology.laws import TopologyLaw
from kubectl_fairshare.schedulers.kueue.topology.requests import request_of
from kubectl_fairshare.schedulers.kueue.topology.tree import selects
from kubectl_fairshare.schedulers.kueue.tree.state import State

_TRIES: Final = 30
_SHOWN: Final = 2


def topology_remedies(state: State, nomination: Nomination, grounds: tuple[UnitGround, ...]) -> tuple[Remedy, ...]:
    """Another level, other slices, a cordoned node, or the end of one workload: what admits it without victims."""
    failing, workload = next((g for g in grounds if not g.placed), None), nomination.workload
    if failing is None:
        return tuple(islice(_uncordoned(state, workload, _absent(state, nomination)), _SHOWN))
    found = [
        *islice(_wider(state, workload, failing), 1),
        *islice(_smaller_slices(state, workload, failing), 1),
        *islice(_uncordoned(state, workload, (node for node, _ in failing.absent)), _SHOWN),
        *islice(_ended(state, workload, failing), _SHOWN),
    ]
    return tuple(found)


def _is_admitted(state: State, workload: Pending) -> bool:
    """Whether the workload is admitted without victims."""
    last = scan(state, workload)[-1]
    return last.admits and (last.search is None or not last.search.targets)


def _with_request(workload: Pending, names: tuple[str, ...], request: TopologyRequest) -> Pending:
    pod_sets = (replace(p, topology=request) if p.name in names else p for p in workload.pod_sets)
    return replace(workload, pod_sets=tuple(pod_sets))


def _of(workload: Pending, ground: UnitGround) -> PodSet:
    return next(p for p in workload.pod_sets if p.name == ground.pod_sets[0])


def _wider(state: State, workload: Pending, ground: UnitGround) -> Iterator[Remedy]:
    """The narrowest level above the required one that has room; otherwise a level that is only preferred, or none."""
    request = request_of(_of(workload, ground))
    if request.required is None or request.required not in ground.levels:
        return
    levels, below = ground.levels, ground.levels.index(request.required)
    wider = [(i, f"required {levels[i]}", replace(request, required=levels[i])) for i in range(below - 1, -1, -1)]
    preferred = replace(request, required=None, preferred=request.required)
    free = TopologyRequest(unconstrained=True, layers=request.layers, explicit=True)
    softer = [(below, f"preferred {request.required}", preferred), (len(levels), "unconstrained", free)]
    for level, name, other in (*wider, *softer):
        if _is_admitted(state, _with_request(workload, ground.pod_sets, other)):
            words = (f"required {request.required}", name)
            yield _of_all(ground, Remedy(RemedyKind.LEVEL, below, level, Outcome.ADMITTED, 0, words=words))


def _smaller_slices(state: State, workload: Pending, ground: UnitGround) -> Iterator[Remedy]:
    """The largest slices that fit, where slices are asked for."""
    request = request_of(_of(workload, ground))
    if len(request.layers) != 1:
        return
    level, size = request.layers[0]
    for smaller in (n for n in range(size - 1, 0, -1) if not ground.pods % n):
        other = replace(request, layers=(SliceLayer(level, smaller),))
        if _is_admitted(state, _with_request(workload, ground.pod_sets, other)):
            yield _of_all(ground, Remedy(RemedyKind.SLICE, size, smaller, Outcome.ADMITTED, 0))


def _of_all(ground: UnitGround, remedy: Remedy) -> Remedy:
    """The remedy in each pod set of the group: Kueue's webhook wants one request of all of them."""
    first, *others = (replace(remedy, pod_set=name) for name in ground.pod_sets)
    return replace(first, also=tuple(others))


def _absent(state: State, nomination: Nomination) -> Iterator[Node]:
    """The nodes that do not count, of flavors of which no node counts."""
    pod_sets = () if nomination.assignment is None else nomination.assignment.pod_sets
    empty = (p for p in pod_sets if any(r.law is TopologyLaw.EMPTY for r in p.reasons))
    names = {flavor for p in empty for flavor, _ in p.flavors.values()}
    flavors = [state.kueue.flavors[name] for name in sorted(names)]
    yield from (n for n in state.kueue.nodes if not n.counts and any(selects(flavor, n) for flavor in flavors))


def _uncordoned(state: State, workload: Pending, absent: Iterable[Node]) -> Iterator[Remedy]:
    """A cordoned node that would be enough, of those that do not count."""
    for node in islice((n for n in absent if n.cordoned and n.ready), _TRIES):
        if _is_admitted(state.with_nodes(n.uncordoned if n == node else n for n in state.kueue.nodes), workload):
            place = Place(node.key, ("spec", "unschedulable"))
            yield Remedy(RemedyKind.UNCORDON, 1, 0, Outcome.ADMITTED, 0, object=node.key, place=place)


def _ended(state: State, workload: Pending, ground: UnitGround) -> Iterator[Remedy]:
    """A single workload whose end would be enough, the smallest first."""
    there = [h for h in state.kueue.holders if any(ground.flavor in p.flavors for p in h.placements)]
    for holder in islice(sorted(there, key=_pods), _TRIES):
        if _is_admitted(state.without_holder(holder), workload):
            yield Remedy(RemedyKind.END, 1, 0, Outcome.ADMITTED, 0, object=holder.key)


def _pods(holder: Holder) -> tuple[int, str]:
    return sum(d.pods for p in holder.placements for d in p.domains), holder.name
