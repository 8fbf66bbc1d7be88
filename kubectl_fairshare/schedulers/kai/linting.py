"""KAI-Scheduler's part in lint."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from kubectl_fairshare.lint.house import Judged, LintedHouse
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.kai.model.kinds import GROUPS
from kubectl_fairshare.schedulers.kai.reads import READS

if TYPE_CHECKING:
    from kubectl_fairshare.api.structures.structure import Struct
    from kubectl_fairshare.input.assemble import Assembled
    from kubectl_fairshare.lint.given import Given
    from kubectl_fairshare.schedulers.kai.rules.given import KaiGiven


def _judgements(manifests: Iterable[Manifest], _: "Assembled") -> Iterator[Judged]:
    from kubectl_fairshare.lint.examine import judged_by
    from kubectl_fairshare.schedulers.kai.admission.judge import judge
    from kubectl_fairshare.schedulers.kai.admission.kinds import KINDS

    known = {(names.group, kind) for kind, names in KINDS.items()}
    ours = (each for each in manifests if (each.key.group, each.key.kind) in known)
    return judged_by(lambda manifest: judge(manifest.data), ours, "KAI-Scheduler v0.17")


def _structure(manifest: Manifest) -> "Struct | None":
    from kubectl_fairshare.schedulers.kai.admission.kinds import API

    served = API.served(manifest.data)
    return served.struct if served is not None else None


def _seen(given: "Given") -> "KaiGiven":
    from kubectl_fairshare.lint.given import given_as
    from kubectl_fairshare.schedulers.kai.rules.given import KaiGiven

    return given_as(given, KaiGiven)


LINTED: Final = LintedHouse(
    "kai",
    "kubectl_fairshare.schedulers.kai.rules",
    _seen,
    words=("kai.scheduler", "kai-scheduler", "run.ai"),
    named_by_jobs=("kai.scheduler/", "run.ai"),
    groups=GROUPS,
    judged=_judgements,
    structure=_structure,
    reads=READS,
)
