"""How one quota's runtime comes about: the division at each level from the root of its tree down to it."""

from collections.abc import Iterable, Sequence

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers.koordinator.explain.figures import RuntimeFigures, RuntimeTable, walk_entries
from kubectl_fairshare.schedulers.koordinator.laws import Partition
from kubectl_fairshare.schedulers.koordinator.model.amounts import whole
from kubectl_fairshare.schedulers.koordinator.model.names import ROOT
from kubectl_fairshare.schedulers.koordinator.model.objects import QuotaGroup
from kubectl_fairshare.schedulers.koordinator.quotas.state import State

NamedAmounts = tuple[tuple[str, int], ...]
"""Amounts with the names of what they are, largest first."""


class DivisionLevel(Value, frozen=True):
    """The division of one resource by ``parent``, on the way to ``child``.

    ``sum_of_min`` is that of all children; where it is above ``held``, minima are scaled.
    """

    parent: str
    child: str
    held: int
    sum_of_min: int
    division: Partition


class DerivedResource(Value, frozen=True):
    """One resource: figures, the pods that request, the children that request, and the divisions from the top down."""

    resource: str
    figures: RuntimeFigures
    pods: NamedAmounts
    children: NamedAmounts
    levels: Sequence[DivisionLevel]


class RuntimeDerivation(Value, frozen=True):
    """One quota, resource by resource.

    ``orphan``: its parent is missing; ``uncomputed``: the scheduler computes no runtime for it.
    """

    group: QuotaGroup
    orphan: bool
    uncomputed: bool
    resources: tuple[DerivedResource, ...]
    fidelity: Fidelity


def runtime_derivation(state: State, table: RuntimeTable, name: str) -> RuntimeDerivation:
    """The terms of every figure of one quota."""
    entry = next(each for each in walk_entries(table.roots) if each.name == name)
    group = state.quotas[name]
    own = [pod for pod in state.source.pods if state.quota_of[pod.key].quota == name and not pod.ignored]
    named = [r for r in table.resources if r in group.max or r in state.runtime(name)]
    return RuntimeDerivation(
        group,
        entry.orphan,
        entry.uncomputed,
        tuple(
            DerivedResource(
                r,
                entry.figures[r],
                _terms((pod.name, whole(r, pod.charged.get(r, 0)) if r in group.max else 0) for pod in own),
                _terms((child.name, child.figures[r].request) for child in entry.children),
                _levels(state, name, r),
            )
            for r in named
        ),
        table.fidelity,
    )


def _levels(state: State, name: str, resource: str) -> list[DivisionLevel]:
    figures = state.figures(name)
    found = []
    path = figures.tree.path(name)
    for parent, child in zip((ROOT, *path), path, strict=False):
        division = figures.runtimes.partition(parent, resource)
        if division is None or name in figures.tree.orphans:
            break
        children = figures.tree.children.get(parent, ())
        sum_of_min = sum(figures.tree.quotas[each].min.get(resource, 0) for each in children)
        found.append(DivisionLevel(parent, child, division.total, whole(resource, sum_of_min), division))
    return found


def _terms(amounts: Iterable[tuple[str, int]]) -> NamedAmounts:
    """The amounts other than 0, largest first."""
    return tuple(sorted(((n, v) for n, v in amounts if v), key=lambda term: (-term[1], term[0])))
