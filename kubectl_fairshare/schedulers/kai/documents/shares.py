"""KAI's shares and their derivation, as documents. cpu in millicores, memory in bytes, GPUs in devices."""

import math
from typing import Final, Literal, TypedDict

from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.report.documents.proof import ProofPart, proof
from kubectl_fairshare.report.documents.structs import Forms
from kubectl_fairshare.schedulers.kai.documents.usage import UsagePart, usage_part
from kubectl_fairshare.schedulers.kai.explain.derivation import Derivation
from kubectl_fairshare.schedulers.kai.model.objects import Resources
from kubectl_fairshare.schedulers.kai.model.usage import PastUsage
from kubectl_fairshare.schedulers.kai.words.sentences import sentence


class AmountsPart(TypedDict):
    """An amount of each resource; null is infinite; −1 in a quota or a limit is unlimited."""

    cpu: float | None
    memory: float | None
    gpu: float | None


class KaiDerivationDocument(TypedDict):
    """The derivation of a fair share."""

    apiVersion: parts.ApiVersion
    kind: Literal["KaiDerivation"]
    fidelity: parts.FidelityPart
    queue: str
    parent: str | None
    proof: ProofPart


def amounts(of: Resources, *_: object) -> AmountsPart:
    """An amount of each resource."""
    return {"cpu": _finite(of.cpu), "memory": _finite(of.memory), "gpu": _finite(of.gpu)}


def _finite(value: float) -> float | None:
    return None if math.isinf(value) else value


def kai_derivation_document(derivation: Derivation, fidelity: Fidelity, places: parts.Places) -> KaiDerivationDocument:
    """A derivation as a document."""
    return {
        "apiVersion": parts.API_VERSION,
        "kind": "KaiDerivation",
        "fidelity": parts.fidelity(fidelity, places),
        "queue": derivation.queue,
        "parent": derivation.parent or None,
        "proof": proof(derivation.steps, places, sentence),
    }


def _usage(of: PastUsage | None, *_: object) -> UsagePart | None:
    return usage_part(of)


SHARES: Final = "KaiShares"
FORMS: Final = Forms({Resources: amounts, PastUsage | None: _usage})
