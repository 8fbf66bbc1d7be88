"""Kueue's part in lint.

Tested in ``tests/unit/lint/findings/test_placing.py``.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from kubectl_fairshare.lint.house import Judged, LintedHouse, Releases, Renamed, Unreadable
from kubectl_fairshare.model.json import FieldPath
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.releases import Release
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP
from kubectl_fairshare.schedulers.kueue.reads import READS

if TYPE_CHECKING:
    from kubectl_fairshare.api.structures.structure import Struct
    from kubectl_fairshare.input.assemble import Assembled
    from kubectl_fairshare.lint.given import Given
    from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven

_CHECKED_WHEN_READ: Final = frozenset({"Workload"})
"""Few rules look at them, and there may be ten thousand: they stay packed."""


def _judgements(manifests: Iterable[Manifest], gathered: "Assembled") -> Iterator[Judged]:
    from kubectl_fairshare.schedulers.kueue.admission.kinds import KINDS
    from kubectl_fairshare.schedulers.kueue.reading.accepted import Accepted

    accepted = gathered.workings(Accepted)
    judgements = accepted.judgements
    stored = {each.key: each.held_data for kind in KINDS for each in accepted.of(kind)}
    for each in manifests:
        if each.key.group == GROUP and (each.key.kind in KINDS or each.key in judgements):
            yield Judged(each, judgements.get(each.key), stored.get(each.key))


def _structure(manifest: Manifest) -> "Struct | None":
    from kubectl_fairshare.schedulers.kueue.rules.versions.structures import known_structure

    return known_structure(manifest.version, manifest.key.kind)


def _rename(manifest: Manifest, path: FieldPath) -> Renamed:
    from kubectl_fairshare.schedulers.kueue.rules.versions.renames import new_name

    return new_name(manifest.version, manifest.key.kind, path)


def _renamed_value(field: str, value: str) -> str | None:
    from kubectl_fairshare.schedulers.kueue.rules.versions.renames import RENAMED_VALUES

    return RENAMED_VALUES.get((field, value))


def _unreadable(given: "Given", problems: Sequence[Unreadable]) -> Sequence[Unreadable]:
    from kubectl_fairshare.schedulers.kueue.rules.unreadable import unreadable

    return unreadable(given.seen_by(LINTED), problems)


def _kueue_given(given: "Given") -> "KueueGiven":
    from kubectl_fairshare.lint.given import given_as
    from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven

    return given_as(given, KueueGiven)


LINTED: Final = LintedHouse(
    "kueue",
    "kubectl_fairshare.schedulers.kueue.rules",
    _kueue_given,
    groups=frozenset({GROUP}),
    named_by_jobs=(f"{GROUP}/",),
    judged=_judgements,
    structure=_structure,
    as_written=READS.path_in_text,
    renamed=_rename,
    renamed_value=_renamed_value,
    unreadable=_unreadable,
    checked_when_read=_CHECKED_WHEN_READ,
    releases=Releases("Kueue", Release(0, 19), "--release", "kueue-version", "kueueVersion", Release(0, 20)),
    reads=READS,
)
