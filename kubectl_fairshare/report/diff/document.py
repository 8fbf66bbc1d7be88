"""A change of policy as a document."""

from collections.abc import Iterable

from kubectl_fairshare.answers.answer import Amount
from kubectl_fairshare.answers.diff import (
    Decision,
    Diff,
    FieldChange,
    FigureChange,
    OutcomeChange,
    RepositoryDiff,
    RiskChange,
    RuleFinding,
    UnitDiff,
)
from kubectl_fairshare.answers.review import Entitlement, Exposure, PossiblePreemptor
from kubectl_fairshare.model.location import Location
from kubectl_fairshare.report.diff import words
from kubectl_fairshare.report.documents import diff as types
from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.report.documents.parts import FigurePart, Places, SourcePart


def document(diff: Diff, places: Places) -> types.DiffDocument:
    """The whole answer."""
    return {
        "apiVersion": parts.API_VERSION,
        "kind": "Diff",
        "scheduler": diff.scheduler,
        "version": diff.fidelity.version,
        "verdict": words.verdict(diff),
        "exitCode": int(bool(diff.failed)),
        "versions": {
            "before": diff.versions.before,
            "after": diff.versions.after,
            "running": diff.versions.running,
            "pending": diff.versions.pending,
        },
        "blastRadius": _blast_radius(diff),
        "changed": [_field(each) for each in diff.fields],
        "rewritten": diff.rewritten,
        "rights": [_rights_change(each) for each in diff.figures],
        "running": [_risk(each) for each in diff.risks],
        "outcomes": [_outcome(each) for each in diff.outcomes],
        "newFindings": [_finding(each) for each in diff.new_findings],
        "goneFindings": [_finding(each) for each in diff.gone_findings],
        "undecided": [{"about": each.about, "why": each.why} for each in diff.undecided],
        "fidelity": parts.fidelity(diff.fidelity, places),
        "gates": {"asked": [g.value for g in diff.gates], "failed": [g.value for g in diff.failed]},
    }


def repository_document(of: RepositoryDiff, places: Places) -> types.DiffListDocument:
    """The answer for each unit."""
    return {
        "apiVersion": parts.API_VERSION,
        "kind": "DiffList",
        "verdict": words.repository_verdict(of),
        "exitCode": of.exit_code,
        "gates": {"asked": [g.value for g in of.gates], "failed": [g.value for g in of.failed]},
        "unread": list(of.unread),
        "unbuilt": list(of.unbuilt),
        "notes": list(of.notes),
        "items": [_unit(part, places) for part in of.parts],
    }


def _unit(part: UnitDiff, places: Places) -> types.UnitDiffPart:
    found = "new" if part.new else "gone" if part.gone else "both"
    return {"units": list(part.units), "found": found, "diff": document(part.diff, places)}  # type: ignore[typeddict-item]


def _blast_radius(diff: Diff) -> types.BlastRadiusPart:
    blast = words.blast_radius(diff)
    return {
        "queues": list(blast.queues),
        "losing": list(blast.losing),
        "gaining": list(blast.gaining),
        "namespaces": list(blast.namespaces),
        "runningWorkloads": blast.workloads,
        "runningPods": blast.pods,
        "holds": [parts.held_part(each) for each in blast.amounts],
    }


def _source(at: Location | None) -> SourcePart | None:
    return None if at is None else parts.source_part(at)


def _field(of: FieldChange) -> types.FieldChangePart:
    return {
        "object": parts.object_part(of.object),
        "field": of.field,
        "was": of.was,
        "now": of.now,
        "wasAt": _source(of.was_at),
        "nowAt": _source(of.now_at),
    }


def _figure(of: Amount | None) -> FigurePart | None:
    return None if of is None else parts.figure(of.text, of.value)


def _rights(of: Entitlement | None) -> types.RightsPart | None:
    if of is None:
        return None
    return {"guaranteed": _figure(of.guaranteed), "entitled": _figure(of.entitled), "most": _figure(of.most)}


def _rights_change(of: FigureChange) -> types.RightsChangePart:
    row = of.row
    return {
        "queue": parts.object_part(row.queue),
        "flavor": row.pool,
        "resource": row.resource,
        "before": _rights(of.before),
        "after": _rights(of.after),
    }


def _takers(takers: Iterable[PossiblePreemptor]) -> list[types.PossiblePreemptorPart]:
    by_rule: dict[tuple[str, str], list[str]] = {}
    for taker in takers:
        by_rule.setdefault((taker.law, taker.rule), []).append(taker.queue)
    return [{"law": law, "rule": rule, "queues": queues} for (law, rule), queues in by_rule.items()]


def _running(of: Exposure) -> types.RunningPart:
    holds = [parts.held_part(each) for each in of.holds]
    below = [parts.held_part(each) for each in of.left_below]
    return {"object": parts.object_part(of.key), "pods": of.pods, "holds": holds, "belowOwnQuotaWithout": below}


def _risk(of: RiskChange) -> types.RiskChangePart:
    return {
        "queue": of.queue,
        "wasSafe": not of.before,
        "isSafe": not of.after,
        "gained": _takers(of.gained),
        "lost": _takers(of.lost),
        "workloads": [_running(each) for each in of.workloads],
    }


def _decision(of: Decision | None) -> types.DecisionPart | None:
    if of is None:
        return None
    victims: list[types.DecidedVictimPart] = [
        {"object": parts.object_part(v.key), "queue": v.queue, "law": v.law, "because": v.because} for v in of.victims
    ]
    return {
        "outcome": of.outcome.value,
        "verdict": of.verdict,
        "victims": victims,
        "causes": [{"clause": cause.clause, "at": _source(cause.at)} for cause in of.causes],
        "doubts": list(of.doubts),
    }


def _outcome(of: OutcomeChange) -> types.OutcomeChangePart:
    return {
        "object": parts.object_part(of.key),
        "finished": of.finished,
        "lost": of.is_lost,
        "never": of.becomes_never,
        "before": _decision(of.before),
        "after": _decision(of.after),
    }


def _finding(of: RuleFinding) -> types.RuleFindingPart:
    return {
        "rule": of.rule,
        "name": of.name,
        "severity": of.severity.value,
        "object": parts.object_part(of.object),
        "field": of.field,
        "message": of.message,
        "at": _source(of.at),
    }
