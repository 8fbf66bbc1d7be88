"""What the engine says to a scenario about ElasticQuotas, as plain documents that ``then`` is compared with."""

from collections.abc import Iterable
from functools import partial
from typing import Any, Final

from kubectl_fairshare.input.assemble import Assembled, assemble
from kubectl_fairshare.jobs.context import PodContext
from kubectl_fairshare.jobs.pod_surroundings import surroundings
from kubectl_fairshare.jobs.pod_templates import pod_of
from kubectl_fairshare.model.location import Origin
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.elasticquota.explain.decision import Plan
from kubectl_fairshare.schedulers.elasticquota.explain.planning import plan
from kubectl_fairshare.schedulers.elasticquota.explain.quota_table import QuotaReport
from kubectl_fairshare.schedulers.elasticquota.explain.shares import shares
from kubectl_fairshare.schedulers.elasticquota.jobs.pods import read_pod
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuotaState
from kubectl_fairshare.schedulers.elasticquota.preemption.victims import NodeTrial
from kubectl_fairshare.schedulers.elasticquota.quotas.state import state_of
from kubectl_fairshare.schedulers.elasticquota.words.sentences import sentence
from kubectl_fairshare.schedulers.kubescheduler.decision import Remedy
from kubectl_fairshare.schedulers.recording import accepted_form, manifest_of, manifests_of
from tests.conformance.scenarios import ASKED, Document, Scenario, known, moment

_API: Final = {
    "ElasticQuota": "scheduling.x-k8s.io/v1alpha1",
    "PodDisruptionBudget": "policy/v1",
    "PriorityClass": "scheduling.k8s.io/v1",
}
_POD: Final = ("namespace", "request", "priority", "preemptionPolicy", "labels", "nodeSelector")


def answer(scenario: Scenario) -> Document:
    """All that may stand in ``then``: the answer to the question, and the quotas that it was asked of."""
    known("when", scenario.when, ("plan", "shares"))
    ((question, asked),) = scenario.when.items()
    assembled = state(scenario.given)
    at = state_of(assembled.snapshot.part(ElasticQuotaState))
    table = shares(at, assembled.snapshot.skipped)
    answered: Document = {"quotas": {r.quota.namespace: _quota(r, table.resources) for r in table.quotas}}
    if question == "plan":
        known("plan", asked, _POD)
        manifest = manifest_of(_pod(ASKED, asked), Origin("scenario", 0))
        snapshot = assembled.snapshot
        around = surroundings(snapshot.manifests.values(), snapshot.part(PodContext))
        pod, demand, *_ = pod_of(manifest, partial(read_pod, around=around))
        answered |= _plan(plan(at, pod, demand))
    return answered


def state(given: Document) -> Assembled:
    """The state of a scenario."""
    known("given", given, ("objects", "running", "pending"))
    objects = [_whole(written) for written in given["objects"]]
    objects += _running(given.get("running", ()))
    for entry in given.get("pending", ()):
        known("pending", entry, (*_POD, "name", "kept"))
        pod = _pod(entry["name"], entry)
        status = {"phase": "Pending", **({"nominatedNodeName": entry["kept"]} if "kept" in entry else {})}
        objects.append({**pod, "status": status})
    return assemble(manifests_of(map(accepted_form, objects), "scenario"), known_schedulers())


def _whole(written: Document) -> Document:
    """The manifest with what the short form leaves out."""
    kind = written["kind"]
    metadata = {"name": "quota" if kind == "ElasticQuota" else "", **written["metadata"]}
    whole = {"apiVersion": _API.get(kind, "v1"), **written, "metadata": metadata}
    if kind == "Node":
        whole["status"] = {"allocatable": {"pods": 110, **written["status"]["allocatable"]}}
    return whole


def _running(entries: Iterable[Document]) -> list[Document]:
    """Pods on nodes, each started a minute after the one before."""
    found: list[Document] = []
    for entry in entries:
        known("running", entry, (*_POD, "name", "count", "node", "leaving"))
        name = str(entry["name"])
        numbered = [f"{name}-{number}" for number in range(1, entry["count"] + 1)] if "count" in entry else [name]
        for one in numbered:
            at = moment(len(found))
            pod = _pod(one, entry)
            pod["spec"]["nodeName"] = entry["node"]
            pod["status"] = {"phase": "Running", "startTime": at}
            if entry.get("leaving"):
                pod["metadata"]["deletionTimestamp"] = at
            found.append(pod)
    return found


def _pod(name: str, entry: Document) -> Document:
    metadata = {"namespace": entry["namespace"], "name": name, "labels": entry.get("labels", {})}
    container = {"name": "c", "image": "example.com/c", "resources": {"requests": entry["request"]}}
    spec: Document = {"containers": [container], "priority": entry.get("priority", 0)}
    spec |= {key: entry[key] for key in ("preemptionPolicy", "nodeSelector") if key in entry}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}


def _one(figures: Document) -> Any:
    """The figures by resource, or the figure itself where there is but one."""
    return next(iter(figures.values())) if len(figures) == 1 else figures


def _quota(report: QuotaReport, resources: Iterable[str]) -> Document:
    names = ("min", "max", "used", "borrowed", "lendable", "own_headroom", "pool_headroom", "reachable")
    told = {name: _one({r: getattr(report.figures[r], name) for r in resources}) for name in names}
    return {**told, "maxIs": _one({r: report.figures[r].bounded.value for r in resources})}


def _plan(plan: Plan) -> Document:
    attempt, chosen = plan.attempt, plan.chosen
    return {
        "outcome": str(plan.outcome),
        "preFilter": str(attempt.gate.verdict),
        "course": str(attempt.course),
        "nodes": list(attempt.choice.nodes) if attempt.choice is not None else list(attempt.feasible),
        "victims": [] if chosen is None else _victims(chosen),
        "putBack": [] if chosen is None else [f.taken.pod.key.name for f in chosen.fates if not f.leaves],
        "notTaken": {pod.key.name: str(law) for pod, law in plan.spared},
        "rejected": {t.node: str(t.rejected) for t in attempt.trials.values() if t.rejected is not None},
        "lost": {lost.node: str(lost.law) for lost in attempt.choice.lost} if attempt.choice is not None else {},
        "pdbViolations": 0 if chosen is None else chosen.violations,
        "singleNode": plan.spread is not None and plan.spread.is_reason,
        "remedies": [_remedy(r) for r in plan.remedies],
        "says": [sentence(step) for step in plan.proof],
    }


def _victims(trial: NodeTrial) -> list[Document]:
    return [
        {"pod": f.taken.pod.key.name, "law": str(f.taken.law), "because": str(f.law), "priority": f.taken.pod.priority}
        for f in trial.victims
    ]


def _remedy(remedy: Remedy) -> Document:
    return {
        "changes": [
            f"{c.kind} {c.resource} {c.before} -> {c.after}"
            if c.pod is None
            else f"{c.kind} of {c.pod.key.namespace}/{c.pod.key.name}"
            for c in remedy.changes
        ],
        "course": str(remedy.course),
        "nodes": list(remedy.nodes),
        "victims": remedy.victims,
    }
