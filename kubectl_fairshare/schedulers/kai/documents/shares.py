"""KAI's shares and their derivation, as documents. cpu in millicores, memory in bytes, GPUs in devices."""

import math
from typing import Final, TypedDict

from kubectl_fairshare.answers.documents import DocumentKind, DocumentPart, ProofSteps
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.schedulers.kai.documents.usage import usage_part
from kubectl_fairshare.schedulers.kai.explain.derivation import Derivation
from kubectl_fairshare.schedulers.kai.explain.forest import KaiForest
from kubectl_fairshare.schedulers.kai.model.objects import Resources
from kubectl_fairshare.schedulers.kai.model.usage import PastUsage
from kubectl_fairshare.schedulers.kai.words.sentences import sentence


class AmountsPart(TypedDict):
    """An amount of each resource; null is infinite; −1 in a quota or a limit is unlimited."""

    cpu: float | None
    memory: float | None
    gpu: float | None


class KaiDerivationDocument(DocumentPart, frozen=True):
    """The derivation of a fair share."""

    fidelity: Fidelity
    queue: str
    parent: str | None
    proof: ProofSteps


def amounts(of: Resources) -> AmountsPart:
    """An amount of each resource."""
    return {"cpu": _finite(of.cpu), "memory": _finite(of.memory), "gpu": _finite(of.gpu)}


def _finite(value: float) -> float | None:
    return None if math.isinf(value) else value


def kai_derivation_document(of: Derivation, fidelity: Fidelity) -> KaiDerivationDocument:
    """A derivation as a document."""
    return KaiDerivationDocument(fidelity, of.queue, of.parent or None, ProofSteps(tuple(of.steps), sentence))


SHARES: Final = DocumentKind("KaiShares", KaiForest, "shares", {Resources: amounts, PastUsage: usage_part})
DERIVATION: Final = DocumentKind("KaiDerivation", KaiDerivationDocument)
