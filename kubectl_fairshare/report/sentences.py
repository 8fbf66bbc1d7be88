"""The sentence of any step, whichever scheduler's law it names."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Final

from kubectl_fairshare.schedulers.elasticquota.laws import Law as ElasticQuotaLaw
from kubectl_fairshare.schedulers.elasticquota.words import sentences as elasticquota_laws
from kubectl_fairshare.schedulers.kai.laws import Law as KaiLaw
from kubectl_fairshare.schedulers.kai.words import sentences as kai_laws
from kubectl_fairshare.schedulers.kueue.laws import Law as KueueLaw
from kubectl_fairshare.schedulers.kueue.words import sentences as laws
from kubectl_fairshare.trace import Step

_BY_LAWS: Final[Mapping[type[StrEnum], Callable[[Step], str]]] = {
    KueueLaw: laws.sentence,
    ElasticQuotaLaw: elasticquota_laws.sentence,
    KaiLaw: kai_laws.sentence,
}


def sentence(step: Step) -> str:
    """What the step says, in one clause."""
    return _BY_LAWS[type(step.law)](step)
