"""The part of the plan screen about topologies: a small tree of domains, and why each level was left.

Tested in ``tests/unit/schedulers/kueue/explain/test_grounds.py``.
"""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.answers.blocks import Block, Group, Remark, Table
from kubectl_fairshare.answers.number_text import amount, count
from kubectl_fairshare.answers.tables import Column, Row
from kubectl_fairshare.model.phrases import some_of
from kubectl_fairshare.schedulers.kueue.explain.decision import DomainRow, LevelTried, Plan, UnitGround

_SHOWN: Final = 12


def ground_blocks(plan: Plan) -> Group:
    """For each unit: what it asks for, the levels that were tried, and a tree of the domains that count."""
    return [block for ground in plan.grounds for block in _blocks(ground)]


def _blocks(ground: UnitGround) -> Iterator[Block]:
    yield Remark(f"{_asks(ground)}, in topology {ground.topology} (flavor {ground.flavor})")
    for tried in ground.tried:
        yield Remark(_tried(ground, tried), first="    ", more="      ")
    yield Table(_columns(ground), [_row(ground, row) for row in ground.rows[:_SHOWN]], "  ")
    if len(ground.rows) > _SHOWN:
        yield Remark(f"and {count(len(ground.rows) - _SHOWN, 'more domain')}", first="    ")
    yield from _left_out(ground)


def _asks(ground: UnitGround) -> str:
    """The pods and the level that they ask for: ``main: 4 pods in one rack``."""
    level = ground.levels[ground.level]
    slices = f" in slices of {ground.slice_size}" if ground.slice_size > 1 else ""
    where = (
        f"in one {level}" if ground.required else "anywhere" if ground.unconstrained else f"if possible in one {level}"
    )
    return f"{' with '.join(ground.pod_sets)}: {count(ground.pods, 'pod')}{slices} {where}"


def _tried(ground: UnitGround, tried: LevelTried) -> str:
    """What one level has: ``rack: best is b2/r3, with room for 8 of 12 pods: 4 short``."""
    level = ground.levels[tried.level]
    if tried.room >= tried.asked:
        return f"{level}: {tried.best} has room for {count(tried.room, 'pod')}"
    missing = tried.asked - tried.room
    return (
        f"{level}: the most room is in {tried.best}, for {tried.room} of {count(tried.asked, 'pod')}: {missing} short"
    )


def _columns(ground: UnitGround) -> tuple[Column, ...]:
    return (
        Column("DOMAIN", right=False),
        Column("LEVEL", right=False, rank=1),
        Column(f"FREE {ground.resource}"),
        Column("ROOM FOR PODS"),
        Column("PODS", kept=False),
        Column("", right=False, kept=False),
    )


def _row(ground: UnitGround, row: DomainRow) -> Row:
    pods = str(row.pods) if ground.placed else ""
    leader = "leader" if row.leader else ""
    free = amount(ground.resource, row.free)
    return Row(("  " * row.depth + row.name, row.level, free, str(row.room), pods, leader))


def _left_out(ground: UnitGround) -> Iterator[Block]:
    """Why domains hold no pod, and which nodes do not count; only where pods have no place."""
    if ground.placed:
        return
    reasons = [f"{reason}: {number}" for reason, number in sorted(ground.excluded.items())]
    if reasons:
        yield Remark(f"without room for a single pod: {', '.join(reasons)}", first="    ", more="      ")
    nodes = [f"{node.name} ({why})" for node, why in ground.absent]
    if nodes:
        yield Remark(f"not counted: {some_of(nodes, 5)}", first="    ", more="      ")
