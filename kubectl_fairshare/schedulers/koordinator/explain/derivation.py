"""How one quota's runtime comes about: the division at each level from the root of its tree down to it."""

from collections.abc import Iterable
from typing import Annotated

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.figures import OMITTED, Quantity
from kubectl_fairshare.model.values import Value, field
from kubectl_fairshare.schedulers.koordinator.explain.figures import (
    RuntimeResourceFigures,
    RuntimeTable,
    runtime_figures,
)
from kubectl_fairshare.schedulers.koordinator.laws import Partition
from kubectl_fairshare.schedulers.koordinator.model.amounts import whole
from kubectl_fairshare.schedulers.koordinator.model.names import ROOT
from kubectl_fairshare.schedulers.koordinator.model.objects import QuotaGroup
from kubectl_fairshare.schedulers.koordinator.quotas.state import State


class NamedAmount(Value, frozen=True):
    """An amount with the name of what it is: a pod, or a quota."""

    name: str
    amount: Quantity


NamedAmounts = tuple[NamedAmount, ...]
"""Amounts with their names, largest first."""


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
    """One resource: who requests, and the divisions from the top of the tree down."""

    figures: RuntimeResourceFigures
    pods: NamedAmounts
    children: NamedAmounts
    levels: tuple[DivisionLevel, ...] = field(name="divisions")

    @property
    def resource(self) -> str:
        """The resource."""
        return self.figures.resource


class RuntimeDerivation(Value, frozen=True):
    """One quota's runtime, step by step. ``orphan``: its parent is missing."""

    namespace: str
    name: str
    orphan: bool
    resources: tuple[DerivedResource, ...]
    fidelity: Fidelity
    group: Annotated[QuotaGroup, OMITTED]
    uncomputed: Annotated[bool, OMITTED]
    """Whether the scheduler computes no runtime for it."""


def runtime_derivation(state: State, table: RuntimeTable, name: str) -> RuntimeDerivation:
    """The terms of every figure of one quota."""
    entry = next(each for each in table.quotas if each.name == name)
    group = state.quotas[name]
    own = [pod for pod in state.source.pods if state.quota_of[pod.key].quota == name and not pod.ignored]
    named = [r for r in table.resources if r in group.max or r in state.runtime(name)]
    return RuntimeDerivation(
        *group.key[2:],
        entry.own.orphan,
        tuple(
            DerivedResource(
                runtime_figures(state, state.figures(name), name, r),
                _terms((pod.name, whole(r, pod.charge.get(r, 0)) if r in group.max else 0) for pod in own),
                _terms((child.name, child.pairs["", r].request) for child in entry.children),
                tuple(_levels(state, name, r)),
            )
            for r in named
        ),
        table.fidelity,
        group,
        entry.own.uncomputed,
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
    found = [NamedAmount(name, value) for name, value in amounts if value]
    return tuple(sorted(found, key=lambda term: (-term.amount, term.name)))
