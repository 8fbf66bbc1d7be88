"""Replays recorded cases of Koordinator's quotas: all figures, and one scheduling cycle for each pending pod."""

from collections.abc import Mapping
from enum import StrEnum

from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.known import KnownSchedulers
from kubectl_fairshare.jobs.context import PodContext
from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.model.json import JsonObject, mapping
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.koordinator.explain.messages import message
from kubectl_fairshare.schedulers.koordinator.jobs.pods import texts_of
from kubectl_fairshare.schedulers.koordinator.laws import Law
from kubectl_fairshare.schedulers.koordinator.model.amounts import Amounts, inner, masked
from kubectl_fairshare.schedulers.koordinator.model.names import ROOT
from kubectl_fairshare.schedulers.koordinator.model.objects import KoordinatorState
from kubectl_fairshare.schedulers.koordinator.preemption.revoking import over_used, revoked
from kubectl_fairshare.schedulers.koordinator.preemption.scheduling import PodAttempt, schedule
from kubectl_fairshare.schedulers.koordinator.preemption.victims import PreemptionTrial
from kubectl_fairshare.schedulers.koordinator.quotas.state import State, TreeFigures, state_of
from kubectl_fairshare.schedulers.koordinator.reading.arguments import arguments_of
from kubectl_fairshare.schedulers.koordinator.reading.gates import gates_of
from kubectl_fairshare.schedulers.koordinator.reads import READS
from kubectl_fairshare.schedulers.recording import accepted_form, manifests_of

_KNOWN = KnownSchedulers((READS,))
_NOWHERE = ObjectKey("", "ElasticQuotaArgs", "", "args")
_REJECTIONS: Mapping[StrEnum, str] = {
    Law.NO_VICTIMS: "NoVictims",
    Law.DOES_NOT_FIT: "DoesNotFit",
    Law.REMOVED_TWICE: "Error:RemovedTwice",
    Law.ALL_SPARED: "Error:NoVictimNeeded",
}


def replay(case: JsonObject) -> JsonObject:
    """The engine's answer to a case, in the form of its ``expected``. NodeResourcesFit was the only filter."""
    config = case.get("config") or {}
    manifests = manifests_of(map(accepted_form, case["objects"]), case["name"])
    source = assemble(manifests, _KNOWN).snapshot.part(KoordinatorState)
    source = replace(
        source,
        arguments=arguments_of(Field(_NOWHERE, (), config.get("args") or {})),
        gates=gates_of(config.get("featureGates") or {}),
        nodes={name: replace(node, unschedulable=False, taints=()) for name, node in source.nodes.items()},
    )
    objects = {manifest.key: manifest for manifest in manifests}
    state = state_of(source, (), texts_of(objects, PodContext(), source.gates))
    return {
        "trees": {f"tree:{tree}": _tree(figures) for tree, figures in state.trees.items()},
        "quotas": {name: _quota(state, name) for name in state.quotas if name != ROOT},
        "podQuota": {f"{m.key.namespace}/{m.key.name}": _pod_quota(state, m) for m in manifests if m.key.kind == "Pod"},
        "pods": {p.name: _pod(state, schedule(state, p)) for p in state.source.pods if not p.node},
        "revoke": {name: [pod.name for pod in revoked(state, name)] for name in over_used(state)},
    }


def _pod_quota(state: State, pod: Manifest) -> str:
    """The quota of a pod, even of one that has ended."""
    return state.members.of_labels(mapping(pod.data, "metadata", "labels"), pod.key.namespace).quota


def _tree(figures: TreeFigures) -> JsonObject:
    return {"total": inner(figures.total), "distributable": inner(figures.shared)}


def _quota(state: State, name: str) -> JsonObject:
    """The figures of one quota, in inner units."""
    group, sums, figures = state.quotas[name], state.sums(name), state.figures(name)
    amounts: Mapping[str, Amounts] = {
        "max": group.max,
        "min": group.min,
        "sharedWeight": group.shared_weight,
        "autoScaleMin": figures.runtimes.least(name),
        "request": sums.request,
        "limitRequest": sums.limit_request,
        "childRequest": sums.child_request,
        "selfRequest": sums.own.request,
        "used": sums.used,
        "selfUsed": sums.own.used,
        "nonPreemptibleRequest": sums.firm_request,
        "nonPreemptibleUsed": sums.firm_used,
        "guaranteed": sums.guaranteed,
        "allocated": sums.allocated,
    }
    return {
        "tree": state.tree_of[name],
        "parent": group.parent,
        "isParent": group.is_parent,
        "allowLent": group.lends and not state.source.gates.guarantees_use,
        **{kind: inner(each) for kind, each in amounts.items()},
        "runtime": inner(masked(state.runtime(name), group.max)),
    }


def _pod(state: State, attempt: PodAttempt) -> JsonObject:
    trials, refusal = attempt.trials.values(), attempt.gate.refusal
    return {
        "quota": attempt.gate.quota,
        "preFilter": str(attempt.gate.status),
        "message": message(state, attempt.pod, attempt.gate),
        "exceedDimensions": list(refusal.exceeded) if refusal is not None else [],
        "filter": {name: str(result.status) for name, result in attempt.filters.items()},
        "outcome": str(attempt.course),
        "candidates": {t.node: _candidate(t) for t in trials if t.rejected is None},
        "rejectedNodes": {t.node: _REJECTIONS[t.rejected] for t in trials if t.rejected is not None},
        "chosenNodes": list(attempt.choice.nodes) if attempt.choice is not None else [],
    }


def _candidate(trial: PreemptionTrial) -> JsonObject:
    return {"victims": [fate.pod.name for fate in trial.victims], "pdbViolations": trial.violations}
