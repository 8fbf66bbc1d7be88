"""Replays recorded writes to KAI's API through the admission rules."""

from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.schedulers.kai.admission.judge import judge


def replay(case: JsonObject) -> JsonObject:
    """The answer to a recorded write, in the form of the recording.

    ``context`` are the existing queues; KAI reads them only if ``enableQuotaValidation`` is on.
    """
    checked = (case.get("config") or {}).get("enableQuotaValidation")
    queues = case.get("context") or () if checked else None
    return judge(case["object"], case.get("old"), case.get("subresource"), queues).answer
