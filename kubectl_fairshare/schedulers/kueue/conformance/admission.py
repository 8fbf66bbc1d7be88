"""Replays recorded writes to Kueue's API through the admission rules."""

from kubectl_fairshare.api.causes import dotted_path
from kubectl_fairshare.api.judgement import Judgement
from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.schedulers.kueue.admission.judge import judge


def replay(case: JsonObject) -> JsonObject:
    """The answer to a recorded write, in the form in which answers are recorded."""
    return answer(judge(case["object"], case.get("old"), case.get("subresource")))


def answer(judgement: Judgement) -> JsonObject:
    """A judgement in the form in which answers are recorded: warnings sorted, not as they were given."""
    return {
        "accepted": judgement.accepted,
        "stage": judgement.stage,
        "unknownFields": list(map(dotted_path, judgement.unknown_fields)),
        "causes": [{"field": each.field, "type": each.type, "message": each.message} for each in judgement.causes],
        "warnings": sorted(judgement.warnings),
        "stored": judgement.stored,
    }
