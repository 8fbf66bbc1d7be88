"""Replays recorded cases of CapacityScheduling: one scheduling cycle for one pending pod."""

from collections.abc import Mapping
from enum import StrEnum

from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.known import KnownSchedulers
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import Json, JsonObject
from kubectl_fairshare.schedulers.elasticquota.laws import Law
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuotaState
from kubectl_fairshare.schedulers.elasticquota.preemption.scheduling import Attempt, schedule
from kubectl_fairshare.schedulers.elasticquota.preemption.victims import NodeTrial
from kubectl_fairshare.schedulers.elasticquota.quotas.state import state_of
from kubectl_fairshare.schedulers.elasticquota.reads import READS
from kubectl_fairshare.schedulers.kubescheduler.decision import CycleEnd
from kubectl_fairshare.schedulers.recording import accepted_form, manifests_of

_KNOWN = KnownSchedulers((READS,))

_REJECTIONS: Mapping[StrEnum, str] = {
    Law.NO_VICTIMS: "NoVictims",
    Law.DOES_NOT_FIT: "DoesNotFit",
    Law.QUOTA_STILL_EXCEEDED: "QuotaStillExceeded",
    Law.REMOVED_TWICE: "Error:doubleRemoval",
    Law.ALL_SPARED: "Error:noVictims",
}


def replay(case: JsonObject) -> JsonObject:
    """The engine's answer to a case, in the form of its ``expected``.

    Raises ``FairshareError`` if the case's pending pod is not among its objects.
    """
    found = assemble(manifests_of(whole_objects(case), case["name"]), _KNOWN).snapshot.part(ElasticQuotaState)
    pod = next((p for p in found.pods if p.name == case["pending"]), None)
    if pod is None:
        raise FairshareError(Problem(f"there is no pod `{case['pending']}` to place", case["name"]))
    return _answer(schedule(state_of(found), pod, None))


def whole_objects(case: JsonObject) -> list[JsonObject]:
    """The objects of a case, as an API server would hold them."""
    return [accepted_form(_usual_form(data)) for data in case["objects"]]


def _usual_form(data: JsonObject) -> JsonObject:
    """The object with requests of init containers in the usual form; some recordings have them in a list."""
    spec = data.get("spec") or {}
    if data.get("kind") != "Pod" or not spec.get("initContainers"):
        return data
    return {**data, "spec": {**spec, "initContainers": [_container_form(c) for c in spec["initContainers"]]}}


def _container_form(container: JsonObject) -> JsonObject:
    resources = container.get("resources") or {}
    requests: Json = resources.get("requests")
    if not isinstance(requests, list):
        return container
    merged = {resource: value for amounts in requests for resource, value in amounts.items()}
    return {**container, "resources": {**resources, "requests": merged}}


def _answer(attempt: Attempt) -> JsonObject:
    trials = attempt.trials.values()
    return {
        "preFilter": str(attempt.gate.verdict),
        "filter": {name: str(verdict.status) for name, verdict in attempt.filters.items()},
        "outcome": str(attempt.course),
        "eligibleToPreempt": attempt.eligibility is not None and attempt.course is not CycleEnd.NOT_ELIGIBLE,
        "rejectedNodes": {t.node: _REJECTIONS[t.rejected] for t in trials if t.rejected is not None},
        "candidates": {t.node: _candidate(t) for t in trials if t.rejected is None},
        "chosenNodes": list(attempt.choice.nodes) if attempt.choice is not None else [],
    }


def _candidate(trial: NodeTrial) -> JsonObject:
    return {"victims": [f.taken.pod.name for f in trial.victims], "pdbViolations": trial.violations}
