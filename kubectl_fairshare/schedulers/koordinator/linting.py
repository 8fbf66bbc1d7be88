"""Koordinator's part in lint.

Tested in ``tests/unit/schedulers/koordinator/test_rules.py``.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from kubectl_fairshare.lint.house import Judged, LintedHouse
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.koordinator.model.names import (
    DOMAIN,
    GROUP,
    KIND,
    PROFILE_GROUP,
    PROFILE_KIND,
    VERSION,
)
from kubectl_fairshare.schedulers.koordinator.reads import READS

if TYPE_CHECKING:
    from kubectl_fairshare.api.structures.structure import Struct
    from kubectl_fairshare.input.assemble import Assembled
    from kubectl_fairshare.lint.given import Given
    from kubectl_fairshare.schedulers.koordinator.rules.given import KoordinatorGiven


def _judgements(manifests: Iterable[Manifest], _: "Assembled") -> Iterator[Judged]:
    from kubectl_fairshare.lint.examine import judged_by
    from kubectl_fairshare.schedulers.koordinator.admission.judge import schema_judgement

    ours = (each for each in manifests if (each.key.group, each.key.kind) == (GROUP, KIND))
    return judged_by(lambda manifest: schema_judgement(manifest.data), ours, "Koordinator v1.8")


def _structure(manifest: Manifest) -> "Struct | None":
    from kubectl_fairshare.schedulers.koordinator.admission.kinds import API

    return API.structure(VERSION, KIND) if manifest.key.kind == KIND else None


def _seen(given: "Given") -> "KoordinatorGiven":
    from kubectl_fairshare.lint.given import given_as
    from kubectl_fairshare.schedulers.koordinator.rules.given import KoordinatorGiven

    return given_as(given, KoordinatorGiven)


LINTED: Final = LintedHouse(
    "koordinator",
    "kubectl_fairshare.schedulers.koordinator.rules",
    _seen,
    words=(DOMAIN, GROUP),
    groups=frozenset({GROUP, PROFILE_GROUP}),
    judged=_judgements,
    structure=_structure,
    ruled=frozenset({(PROFILE_GROUP, PROFILE_KIND)}),
    reads=READS,
)
