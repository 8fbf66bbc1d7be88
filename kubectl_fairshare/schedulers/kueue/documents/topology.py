"""Where pods that a topology places go, as a document.

Tested in ``tests/unit/schedulers/kueue/explain/test_grounds.py``.
"""

from kubectl_fairshare.answers.documents import DocumentPart
from kubectl_fairshare.schedulers.kueue.explain.decision import DomainRow, UnitGround


class LevelPart(DocumentPart, frozen=True):
    """A level at which one domain was looked for: the best, and its room for the pods asked for."""

    level: str
    best: str
    room: int
    asked: int


class AbsentNodePart(DocumentPart, frozen=True):
    """A node of the flavor that does not count."""

    name: str
    because: str


class TopologyPart(DocumentPart, frozen=True):
    """The place of one pod set, or of workers with their leader; or the domains that come closest to one."""

    pod_sets: tuple[str, ...]
    flavor: str
    topology: str
    level: str
    required: bool
    unconstrained: bool
    pods: int
    slice_size: int
    placed: bool
    resource: str
    levels: tuple[LevelPart, ...]
    domains: tuple[DomainRow, ...]
    excluded: dict[str, int]
    not_counted: tuple[AbsentNodePart, ...]


def ground(of: UnitGround) -> TopologyPart:
    """One unit."""
    return TopologyPart(
        of.pod_sets,
        of.flavor,
        of.topology,
        of.levels[of.level],
        of.required,
        of.unconstrained,
        of.pods,
        of.slice_size,
        of.placed,
        of.resource,
        tuple(LevelPart(of.levels[tried.level], tried.best, tried.room, tried.asked) for tried in of.tried),
        of.rows,
        dict(sorted(of.excluded.items())),
        tuple(AbsentNodePart(node.name, why) for node, why in of.absent),
    )
