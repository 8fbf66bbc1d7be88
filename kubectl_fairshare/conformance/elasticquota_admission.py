"""Replays recorded writes of ElasticQuotas through the admission rules."""

from kubectl_fairshare.admission.elasticquota.judge import judge
from kubectl_fairshare.conformance.admission import answer
from kubectl_fairshare.model.json import JsonObject


def replay(case: JsonObject) -> JsonObject:
    """The answer to a recorded write, in the form in which answers are recorded."""
    return answer(judge(case["object"], case.get("old"), case.get("subresource")))
