"""From manifests to the snapshot that questions are asked about.

Tested in ``tests/unit/policy/test_search.py``.
"""

from collections.abc import Collection, Mapping, Sequence
from operator import attrgetter
from types import MappingProxyType
from typing import Final, TypeVar

from kubectl_fairshare.input.known import KnownSchedulers
from kubectl_fairshare.input.parts import Material, Part
from kubectl_fairshare.jobs.context import KINDS, pod_context
from kubectl_fairshare.jobs.pod_templates import other_scheduler
from kubectl_fairshare.model.absence import Absence, listed_kinds
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import FieldPath
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import ByKind, Manifest, by_kind
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import Value, field

T = TypeVar("T")
NO_RELEASES: Final[Mapping[str, str]] = MappingProxyType({})


class Assembled(Value, frozen=True):
    """The snapshot of the objects that can be read; ``refusals`` and ``problems`` are about the others.

    ``unknown_fields`` are the paths of fields that an API server would drop, by object.
    """

    snapshot: Snapshot
    refusals: tuple[Problem, ...] = ()
    problems: tuple[Problem, ...] = ()
    unknown_fields: Mapping[ObjectKey, tuple[FieldPath, ...]] = field(default_factory=dict)
    parts: tuple[Part, ...] = ()

    def workings(self, kind: type[T]) -> T:
        """What a scheduler keeps for rules about its objects. Raises ``LookupError`` for one that was not asked."""
        return next(part.workings for part in self.parts if isinstance(part.workings, kind))


def assemble(
    manifests: Sequence[Manifest],
    schedulers: KnownSchedulers,
    unread: Collection[str] = (),
    *,
    complete: bool = True,
    deleted: frozenset[ObjectKey] = frozenset(),
    releases: Mapping[str, str] = NO_RELEASES,
) -> Assembled:
    """The snapshot that ``manifests`` describe, for the questions that ``schedulers`` answer.

    ``unread`` are kinds of which not all could be read; ``complete``: nothing lies outside of the input;
    ``deleted`` are objects that are surely gone; ``releases`` as in ``Material``. Raises ``FairshareError`` with every
    object that an API server would refuse.
    """
    assembled = gather(manifests, schedulers, unread, complete=complete, deleted=deleted, releases=releases)
    if problems := (*assembled.refusals, *assembled.problems):
        raise FairshareError(*problems)
    return assembled


def gather(
    manifests: Sequence[Manifest],
    schedulers: KnownSchedulers,
    unread: Collection[str] = (),
    *,
    complete: bool = True,
    deleted: frozenset[ObjectKey] = frozenset(),
    releases: Mapping[str, str] = NO_RELEASES,
) -> Assembled:
    """All of ``manifests`` that an API server takes and that can be read, and what is wrong with the rest."""
    manifests = sorted(manifests, key=attrgetter("key"))
    problems: list[Problem] = []
    kinds = by_kind(manifests)
    absent = Absence(deleted, frozenset() if complete else listed_kinds(manifests))
    completing = (each for kind, alike in kinds.items() if kind in KINDS for each in alike)
    context = pod_context(completing, problems, None if complete else absent)
    material = Material(manifests, kinds, tuple(sorted(unread)), context, complete, absent, releases)
    parts = tuple(each.part(material) for each in schedulers)
    snapshot = Snapshot(
        {m.key: m for m in manifests},
        dict(context.namespace_labels),
        _skipped(kinds, parts),
        {type(value): value for value in (context, *(value for part in parts for value in part.values))},
        complete=complete,
        absent=absent,
    )
    return Assembled(
        snapshot,
        tuple(problem for part in parts for problem in part.refusals),
        (*problems, *(problem for part in parts for problem in part.problems)),
        {key: paths for part in parts for key, paths in part.unknown_fields.items()},
        parts,
    )


def _skipped(present: ByKind, parts: Sequence[Part]) -> dict[str, int]:
    """How many objects of each kind were passed over, by ``apiVersion kind``: those that no answer rests on.

    An object whose pods another scheduler places is named by answers.
    """
    counts: dict[str, int] = {}
    for each in present.keys() - KINDS.union(*(part.kinds for part in parts)):
        for manifest in present[each]:
            if not any(part.is_read(manifest) for part in parts) and other_scheduler(manifest) is None:
                kind = f"{manifest.api_version} {manifest.key.kind}"
                counts[kind] = counts.get(kind, 0) + 1
    return dict(sorted(counts.items()))
