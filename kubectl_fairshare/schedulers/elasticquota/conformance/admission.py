"""Replays recorded writes of ElasticQuotas through the admission rules."""

from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.schedulers.elasticquota.admission.judge import judge
from kubectl_fairshare.schedulers.kueue.conformance.admission import answer


def replay(case: JsonObject) -> JsonObject:
    """The answer to a recorded write, in the form in which answers are recorded."""
    return answer(judge(case["object"], case.get("old"), case.get("subresource")))
