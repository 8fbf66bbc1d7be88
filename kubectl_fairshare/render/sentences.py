"""The sentence of any step, whichever scheduler's law it names."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Final

from kubectl_fairshare.engines.elasticquota.laws import Law as ElasticQuotaLaw
from kubectl_fairshare.engines.kai.laws import Law as KaiLaw
from kubectl_fairshare.engines.kueue.laws import Law as KueueLaw
from kubectl_fairshare.render import elasticquota_laws, kai_laws, laws
from kubectl_fairshare.trace import Step

_BY_LAWS: Final[Mapping[type[StrEnum], Callable[[Step], str]]] = {
    KueueLaw: laws.sentence,
    ElasticQuotaLaw: elasticquota_laws.sentence,
    KaiLaw: kai_laws.sentence,
}


def sentence(step: Step) -> str:
    """What the step says, in one clause."""
    return _BY_LAWS[type(step.law)](step)
