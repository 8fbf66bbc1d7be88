"""What a scheduler makes of the manifests: its part of a snapshot, and what is wrong with objects that it reads.

Tested in ``tests/unit/input/test_known.py``.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kubectl_fairshare.jobs.context import PodContext
from kubectl_fairshare.model.absence import Absence
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.json import FieldPath
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import ByKind, Manifest
from kubectl_fairshare.model.values import Value, field


def _nothing(_: Manifest) -> bool:
    return False


class Material(Value, frozen=True):
    """What parts are made of: every manifest, sorted by key; the kinds of which not all could be read, sorted.

    A part without objects of its own kinds looks no further than ``by_kind``.
    ``complete``: nothing lies outside of the input. ``absent`` has objects that certainly do not exist.
    ``releases`` are those of schedulers, by name, as a user or a cluster names them.
    """

    manifests: Sequence[Manifest]
    by_kind: ByKind
    unread: tuple[str, ...] = ()
    pods: PodContext = field(default_factory=PodContext)
    complete: bool = True
    absent: Absence = Absence()
    releases: Mapping[str, str] = field(default_factory=dict)


class Part(Value, frozen=True):
    """One scheduler's part.

    ``values`` go into the snapshot, each under its type. ``kinds``, by API group and kind, are those that its answers
    rest on, and ``is_read`` says so for single objects of other kinds. ``refusals`` are what an API server would
    refuse, ``problems`` what cannot be read otherwise; ``unknown_fields`` are those that a server would drop.
    ``unknown`` are parts of objects that decide which the reproduced release does not have.
    ``workings`` is what rules about the same objects need, too.
    """

    values: tuple[object, ...] = ()
    kinds: frozenset[tuple[str, str]] = frozenset()
    is_read: Callable[[Manifest], bool] = _nothing
    refusals: tuple[Problem, ...] = ()
    problems: tuple[Problem, ...] = ()
    unknown_fields: Mapping[ObjectKey, tuple[FieldPath, ...]] = field(default_factory=dict)
    unknown: tuple[Place, ...] = ()
    workings: Any = None
