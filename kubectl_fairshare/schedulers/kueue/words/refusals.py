"""Why Kueue does not consider a workload: in Kueue's words if it writes a message, and in ours."""

import json
from typing import Final

from kubectl_fairshare.model.json import field_text
from kubectl_fairshare.schedulers.kueue.jobs.laws import UNMANAGED, JobLaw
from kubectl_fairshare.schedulers.kueue.model.workload import BoundViolation, Refusal

_OPENING: Final = {
    JobLaw.REQUESTS_ABOVE_LIMITS: "resources validation failed",
    JobLaw.LIMIT_RANGE: "resources didn't satisfy LimitRange constraints",
}
_BROKEN: Final = {
    "limits": "requests must not exceed its limits",
    "max": "requests must not be above the limitRange max",
    "min": "requests must not be below the limitRange min",
}
_OURS: Final = {
    JobLaw.FRAMEWORK_OFF: "integration {0} is off",
    JobLaw.FRAMEWORK_UNKNOWN: "Kueue {0} has no integration {1}",
    JobLaw.NAMESPACE_NOT_MANAGED: "managedJobsNamespaceSelector does not select namespace {0}",
    JobLaw.NO_QUEUE_NAME: "{0} {1}/{2} has no label kueue.x-k8s.io/queue-name",
    JobLaw.EXISTING_CLUSTER: "the {0} runs in a cluster that its `clusterSelector` chooses",
    JobLaw.TOO_MANY_POD_SETS: "Kueue makes no Workload: it has {0} pod sets, and {1} is the maximum",
    JobLaw.PRIORITY_CLASS_MISSING: "Kueue makes no Workload: its {0} {1} does not exist",
    JobLaw.RUNTIME_MISSING: "Kueue makes no Workload: its {0} {1} does not exist",
    JobLaw.POD_GROUP_INCOMPLETE: "Kueue makes no Workload: pod group {0} is incomplete: {2} of {1} pods can run",
    JobLaw.POD_GROUP_DIFFERS: "Kueue makes no Workload: the pods of group {0} differ in {1}",
    JobLaw.NOT_CREATED: "the API server does not create {0}: {1}",
    JobLaw.NEVER_CREATED: "the API server never creates {0}: {1}",
    JobLaw.REQUESTS_ABOVE_LIMITS: "its requests are above its limits",
    JobLaw.LIMIT_RANGE: "its requests are outside what the namespace's LimitRanges allow",
    JobLaw.DEVICES: "Kueue does not count the devices that its pods claim: {0}",
}
_GIVEN_REQUEST: Final = (
    "{0} gives {1} a request of {2}, and its limit is {3}; from Kueue 0.19.3 on, its limit is its request"
)
_COURSE: Final = {
    False: "it starts at once, outside quota",
    True: "it stays suspended until its own `suspend` is false, and then starts outside quota",
}
"""The outcome of a job that Kueue leaves alone, by whether the job itself is suspended."""


def refusal_message(refusal: Refusal) -> str:
    """Kueue's own message, word for word, as in the condition QuotaReserved; empty if Kueue writes none."""
    if refusal.law == JobLaw.DEVICES:
        return refusal.operands[0]
    opening = _OPENING.get(JobLaw(refusal.law))
    if opening is None:
        return ""
    causes = list(dict.fromkeys(map(_cause, refusal.violations)))
    return f"{opening}: {causes[0]}" if len(causes) == 1 else f"{opening}: [{', '.join(causes)}]"


def refusal_sentence(refusal: Refusal) -> str:
    """What the rejection means, in one clause of ours."""
    law = JobLaw(refusal.law)
    clause = _OURS[law].format(*refusal.operands)
    if law is JobLaw.REQUESTS_ABOVE_LIMITS and refusal.operands:
        return f"{clause}: {_GIVEN_REQUEST.format(*refusal.operands)}"
    if law is JobLaw.NO_QUEUE_NAME and refusal.operands[-1]:
        clause += f"; Kueue does not read its {refusal.operands[-1]}"
    return f"not managed by Kueue: {_COURSE[refusal.suspended]}: {clause}" if law in UNMANAGED else clause


def _cause(violation: BoundViolation) -> str:
    resources = json.dumps(list(violation.resources), separators=(",", ":"))
    return f"{field_text(violation.field)}: Invalid value: {resources}: {_BROKEN[violation.bound]}"
