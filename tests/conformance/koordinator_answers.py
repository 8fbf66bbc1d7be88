"""What the engine says to a scenario about Koordinator's quotas, as plain documents that ``then`` is compared with."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from kubectl_fairshare.input.assemble import Assembled, assemble
from kubectl_fairshare.jobs.context import PodContext
from kubectl_fairshare.jobs.pod_templates import pod_of
from kubectl_fairshare.model.location import Origin
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.koordinator.explain.asking import state_in
from kubectl_fairshare.schedulers.koordinator.explain.decision import Plan
from kubectl_fairshare.schedulers.koordinator.explain.planning import plan
from kubectl_fairshare.schedulers.koordinator.jobs.pods import pod_reader
from kubectl_fairshare.schedulers.koordinator.model.amounts import Amounts, whole
from kubectl_fairshare.schedulers.koordinator.model.objects import KoordinatorState
from kubectl_fairshare.schedulers.koordinator.preemption.victims import PreemptionTrial
from kubectl_fairshare.schedulers.koordinator.quotas.state import State, with_pods
from kubectl_fairshare.schedulers.koordinator.reading.gates import wished_gates
from kubectl_fairshare.schedulers.koordinator.release import Rounding
from kubectl_fairshare.schedulers.koordinator.words.sentences import sentence
from kubectl_fairshare.schedulers.recording import accepted_form, manifest_of, manifests_of
from tests.conformance.scenarios import ASKED, Document, Scenario, known, moment

_API: Final = {"ElasticQuota": "scheduling.sigs.k8s.io/v1alpha1", "PodDisruptionBudget": "policy/v1"}
_LABELS: Final = "quota.scheduling.koordinator.sh/"
_POD: Final = ("namespace", "quota", "request", "priority", "preemptionPolicy", "preemptible", "labels")


def answer(scenario: Scenario) -> Document:
    """All that may stand in ``then``: the answer to the question, and the quotas that it was asked of."""
    known("when", scenario.when, ("plan", "shares"))
    ((question, asked),) = scenario.when.items()
    assembled = _assembled(scenario.given)
    snapshot = assembled.snapshot
    at = state_in(snapshot)
    if question == "shares":
        return {"quotas": {name: _quota(at, name) for name in at.source.quotas}}
    known("plan", asked, _POD)
    reader = pod_reader(snapshot.manifests.values(), snapshot.part(PodContext))
    pod, demand, *_ = pod_of(manifest_of(_pod(ASKED, asked), Origin("scenario", 0)), reader.read)
    at = with_pods(at, [*at.source.pods, pod])
    quotas = {name: _quota(at, name) for name in at.source.quotas}
    return {"quotas": quotas, **_plan(plan(at, pod, demand))}


def _assembled(given: Document) -> Assembled:
    """The state of a scenario, with its release and feature gates."""
    known("given", given, ("objects", "running", "pending", "release", "gates"))
    objects = [_whole(written) for written in given["objects"]]
    objects += _running(given.get("running", ()))
    for entry in given.get("pending", ()):
        known("pending", entry, (*_POD, "name"))
        objects.append({**_pod(entry["name"], entry), "status": {"phase": "Pending"}})
    assembled = assemble(manifests_of(map(accepted_form, objects), "scenario"), known_schedulers())
    part = assembled.snapshot.part(KoordinatorState)
    gates = wished_gates(tuple(given.get("gates", ())), part.gates)
    part = replace(part, rounding=Rounding(given.get("release", "1.8")), gates=gates)
    return replace(assembled, snapshot=assembled.snapshot.with_part(part))


def _whole(written: Document) -> Document:
    """The manifest with what the short form leaves out."""
    kind = written["kind"]
    metadata = {**({"namespace": "quotas"} if kind == "ElasticQuota" else {}), **written["metadata"]}
    for part in ("labels", "annotations"):
        if kind == "ElasticQuota" and part in metadata:
            metadata[part] = {f"{_LABELS}{name}": value for name, value in metadata[part].items()}
    whole = {"apiVersion": _API.get(kind, "v1"), **written, "metadata": metadata}
    if kind == "Node":
        whole["status"] = {"allocatable": {"pods": 110, **written["status"]["allocatable"]}}
    return whole


def _running(entries: Iterable[Document]) -> list[Document]:
    """Pods on nodes, each entry started a minute after the one before; pods of one entry start together."""
    found: list[Document] = []
    for minute, entry in enumerate(entries):
        known("running", entry, (*_POD, "name", "count", "node"))
        name = str(entry["name"])
        for one in [f"{name}-{i}" for i in range(1, entry["count"] + 1)] if "count" in entry else [name]:
            pod = _pod(one, entry)
            pod["spec"]["nodeName"] = entry["node"]
            found.append({**pod, "status": {"phase": "Running", "startTime": moment(minute)}})
    return found


def _pod(name: str, entry: Document) -> Document:
    labels = dict(entry.get("labels", {}))
    if "quota" in entry:
        labels[f"{_LABELS}name"] = entry["quota"]
    if not entry.get("preemptible", True):
        labels[f"{_LABELS}preemptible"] = "false"
    metadata = {"namespace": entry.get("namespace", "team"), "name": name, "labels": labels}
    container = {"name": "c", "image": "example.com/c", "resources": {"requests": entry["request"]}}
    spec: Document = {"containers": [container], "priority": entry.get("priority", 0)}
    spec |= {key: entry[key] for key in ("preemptionPolicy",) if key in entry}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}


def _one(figures: Mapping[str, Any]) -> Any:
    """The figures by resource, or the figure itself where there is but one."""
    return next(iter(figures.values())) if len(figures) == 1 else dict(figures)


def _quota(state: State, name: str) -> Document:
    """The figures of one quota in inner units: cpu in milli."""
    group, sums = state.quotas[name], state.sums(name)
    sizes = {"request": sums.request, "used": sums.used, "nonPreemptibleUsed": sums.firm_used}
    amounts: dict[str, Amounts] = {
        "min": group.min,
        "max": group.max,
        **{key: {r: each.get(r, 0) for r in group.max} for key, each in sizes.items()},
        "runtime": {r: value for r, value in state.runtime(name).items() if r in group.max},
    }
    told = {key: _one({r: whole(r, value) for r, value in each.items()}) for key, each in amounts.items()}
    return {**told, "tree": state.tree_of[name]}


def _plan(plan: Plan) -> Document:
    attempt, chosen = plan.attempt, plan.attempt.chosen
    return {
        "outcome": str(plan.outcome),
        "exact": plan.fidelity.exact,
        "quota": attempt.gate.quota,
        "preFilter": str(attempt.gate.status),
        "end": str(attempt.course),
        "nodes": list(attempt.choice.nodes) if attempt.choice is not None else list(attempt.feasible),
        "victims": [] if chosen is None else [fate.pod.key.name for fate in chosen.victims],
        "putBack": [] if chosen is None else _put_back(chosen),
        "notTaken": {pod.key.name: str(law) for pod, law in plan.spared},
        "rejected": {t.node: str(t.rejected) for t in attempt.trials.values() if t.rejected is not None},
        "inVain": plan.in_vain,
        "possible": [{"node": e.node, "victims": [p.key.name for p in e.victims]} for e in plan.possible],
        "message": plan.message,
        "says": [sentence(step) for step in plan.proof],
    }


def _put_back(trial: PreemptionTrial) -> list[str]:
    return [fate.pod.key.name for fate in trial.fates if not fate.leaves]
