"""ElasticQuota's part in lint."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from kubectl_fairshare.lint.house import Judged, LintedHouse
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.elasticquota.model.kinds import GROUP, KIND
from kubectl_fairshare.schedulers.elasticquota.reads import READS

if TYPE_CHECKING:
    from kubectl_fairshare.api.structures.structure import Struct
    from kubectl_fairshare.input.assemble import Assembled
    from kubectl_fairshare.lint.given import Given
    from kubectl_fairshare.schedulers.elasticquota.rules.given import ElasticQuotaGiven


def _judgements(manifests: Iterable[Manifest], _: "Assembled") -> Iterator[Judged]:
    from kubectl_fairshare.lint.examine import judged_by
    from kubectl_fairshare.schedulers.elasticquota.admission.judge import judge

    ours = (each for each in manifests if (each.key.group, each.key.kind) == (GROUP, KIND))
    return judged_by(lambda manifest: judge(manifest.data), ours, "scheduler-plugins")


def _structure(manifest: Manifest) -> "Struct | None":
    from kubectl_fairshare.schedulers.elasticquota.admission.kinds import API, VERSION

    return API.structure(VERSION, KIND) if manifest.key.kind == KIND else None


def _seen(given: "Given") -> "ElasticQuotaGiven":
    from kubectl_fairshare.lint.given import given_as
    from kubectl_fairshare.schedulers.elasticquota.rules.given import ElasticQuotaGiven

    return given_as(given, ElasticQuotaGiven)


LINTED: Final = LintedHouse(
    "elasticquota",
    "kubectl_fairshare.schedulers.elasticquota.rules",
    _seen,
    words=(KIND, "KubeSchedulerConfiguration", "CapacityScheduling"),
    groups=frozenset({GROUP}),
    judged=_judgements,
    structure=_structure,
    reads=READS,
)
