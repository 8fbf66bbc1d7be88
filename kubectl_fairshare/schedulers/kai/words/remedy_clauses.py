"""What a remedy changes, in one clause."""

from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.report.text.figures import count
from kubectl_fairshare.schedulers.kai.explain.decision import NewValue, Remedy, RemedyKind
from kubectl_fairshare.schedulers.kai.words.screens import figures


def change_clause(remedy: Remedy) -> str:
    """The change, and what else it means."""
    clause = _clause(remedy)
    if not remedy.then:
        return clause
    return f"{clause}{', when' if remedy.kind is RemedyKind.LATER else ';'} {remedy.then}"


def result_clause(remedy: Remedy) -> str:
    """The effect of the change; without victims, pods of other jobs only restart elsewhere."""
    if remedy.outcome is Outcome.ADMITTED:
        return "admitted"
    effect = f"evicts {count(remedy.victims, 'job')}" if remedy.victims else "moves pods of other jobs"
    return f"admitted, {effect}"


def _clause(remedy: Remedy) -> str:
    first = remedy.changes[0]
    match remedy.kind:
        case RemedyKind.PREEMPTIBLE:
            return "make the job preemptible"
        case RemedyKind.PRIORITY:
            return f"use priority class {first.to}, of {first.after:.0f} instead of {first.before:.0f}"
        case RemedyKind.PODS:
            return _fewer_pods(remedy)
        case RemedyKind.POOL:
            pool = f"node pool {first.to}" if first.to else "the nodes without a node pool"
            queues = [f"queue {change.to}" for change in remedy.changes[1:]]
            return f"use {pool}{f' and {queues[0]}' if queues else ''}"
        case RemedyKind.LATER:
            return f"wait until {first.to}"
    return f"raise {', '.join(_raised(remedy, change) for change in remedy.changes)}"


def _fewer_pods(remedy: Remedy) -> str:
    """The lower minimums; those of sub-groups by name."""
    if not remedy.changes[0].to:
        (change,) = remedy.changes
        pods = count(int(change.after or 0), "pod")
        return f"start with {pods}: minMember {change.after:.0f}, not {change.before:.0f}"
    cuts = (f"{change.to} {change.after:.0f}, not {change.before:.0f}" for change in remedy.changes)
    return f"start with fewer pods: minMember of {'; '.join(cuts)}"


def _raised(remedy: Remedy, change: NewValue) -> str:
    before = figures.bound(change.field, change.before or 0.0)
    after = figures.with_unit(change.field, change.after or 0.0)
    return f"{change.queue} {change.field}.{remedy.kind.value} from {before} to {after}"
