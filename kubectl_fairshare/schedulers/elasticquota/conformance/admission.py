"""Replays recorded writes of ElasticQuotas through the admission rules."""

from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.schedulers.elasticquota.admission.judge import judge


def replay(case: JsonObject) -> JsonObject:
    """The answer to a recorded write, in the form of the recording."""
    return judge(case["object"], case.get("old"), case.get("subresource")).answer
