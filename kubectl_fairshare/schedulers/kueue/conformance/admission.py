"""Replays recorded writes to Kueue's API through the admission rules."""

from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.schedulers.kueue.admission.judge import judge


def replay(case: JsonObject) -> JsonObject:
    """The answer to a recorded write, in the form in which answers are recorded."""
    return judge(case["object"], case.get("old"), case.get("subresource")).answer
