"""Where pods that a topology places go, as a document.

Tested in ``tests/unit/schedulers/kueue/explain/test_grounds.py``.
"""

from typing import TypedDict

from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.schedulers.kueue.explain.decision import DomainRow, LevelTried, UnitGround


class DomainPart(TypedDict):
    """A domain: ``depth`` in the tree, ``room`` for pods, what is free of the resource, and the pods that go there."""

    depth: int
    level: str
    name: str
    room: int
    free: parts.AmountPart
    pods: int
    leader: bool


class LevelPart(TypedDict):
    """A level at which one domain was looked for: the best, and its room for the pods asked for."""

    level: str
    best: str
    room: int
    asked: int


class AbsentNodePart(TypedDict):
    """A node of the flavor that does not count."""

    name: str
    because: str


class TopologyPart(TypedDict):
    """The place of one pod set, or of workers with their leader; or the domains that come closest to one."""

    podSets: list[str]
    flavor: str
    topology: str
    level: str
    required: bool
    unconstrained: bool
    pods: int
    sliceSize: int
    placed: bool
    resource: str
    levels: list[LevelPart]
    domains: list[DomainPart]
    excluded: dict[str, int]
    notCounted: list[AbsentNodePart]


def ground(of: UnitGround) -> TopologyPart:
    """One unit."""
    return {
        "podSets": list(of.pod_sets),
        "flavor": of.flavor,
        "topology": of.topology,
        "level": of.levels[of.level],
        "required": of.required,
        "unconstrained": of.unconstrained,
        "pods": of.pods,
        "sliceSize": of.slice_size,
        "placed": of.placed,
        "resource": of.resource,
        "levels": [_level(of, tried) for tried in of.tried],
        "domains": [_domain(of, row) for row in of.rows],
        "excluded": dict(sorted(of.excluded.items())),
        "notCounted": [{"name": node.name, "because": why} for node, why in of.absent],
    }


def _level(of: UnitGround, tried: LevelTried) -> LevelPart:
    return {"level": of.levels[tried.level], "best": tried.best, "room": tried.room, "asked": tried.asked}


def _domain(of: UnitGround, row: DomainRow) -> DomainPart:
    return {
        "depth": row.depth,
        "level": row.level,
        "name": row.name,
        "room": row.room,
        "free": parts.amount(of.resource, row.free),
        "pods": row.pods,
        "leader": row.leader,
    }
