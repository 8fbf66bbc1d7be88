"""What a remedy changes, in one clause."""

from collections.abc import Sequence
from typing import Final

from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.schedulers.kai.explain.decision import NewValue, Remedy, RemedyKind
from kubectl_fairshare.schedulers.kai.jobs.gpus import MEMORY
from kubectl_fairshare.schedulers.kai.model.objects import UNLIMITED
from kubectl_fairshare.schedulers.kai.words.screens import figures

_JOINS: Final = {RemedyKind.LATER: ", when", RemedyKind.REQUEST: ""}


def change_clause(remedy: Remedy) -> str:
    """The change, and what else it means."""
    clause = _clause(remedy)
    if not remedy.then:
        return clause
    return f"{clause}{_JOINS.get(remedy.kind, ';')} {remedy.then}"


def result_clause(remedy: Remedy) -> str:
    """The effect of the change: the jobs that lose pods, and those of which pods only restart elsewhere."""
    if remedy.outcome is Outcome.ADMITTED:
        return "admitted"
    evicts = [f"evicts {count(remedy.victims, 'job')}"] if remedy.victims else []
    moves = [f"moves pods of {remedy.moved} other job{'s' if remedy.moved > 1 else ''}"] if remedy.moved else []
    return ", ".join(["admitted", *evicts, *moves])


def _clause(remedy: Remedy) -> str:
    first = remedy.changes[0]
    match remedy.kind:
        case RemedyKind.PREEMPTIBLE:
            return "make the job preemptible"
        case RemedyKind.PRIORITY:
            return f"use priority class {first.to}, of {first.after:.0f} instead of {first.before:.0f}"
        case RemedyKind.PODS:
            return _fewer_pods(remedy)
        case RemedyKind.REQUEST:
            return _smaller_request(first)
        case RemedyKind.POOL:
            pool = f"node pool {first.to}" if first.to else "the nodes without a node pool"
            queues = [f"queue {change.to}" for change in remedy.changes[1:]]
            return f"use {pool}{f' and {queues[0]}' if queues else ''}"
        case RemedyKind.LATER:
            return f"wait until {first.to}"
    return _bounds_clause(remedy.changes)


def _fewer_pods(remedy: Remedy) -> str:
    """The lower minimums; those of sub-groups by name."""
    if not remedy.changes[0].to:
        (change,) = remedy.changes
        pods = count(int(change.after or 0), "pod")
        return f"start with {pods}: minMember {change.after:.0f}, not {change.before:.0f}"
    cuts = (f"{change.to} {change.after:.0f}, not {change.before:.0f}" for change in remedy.changes)
    return f"start with fewer pods: minMember of {'; '.join(cuts)}"


def _smaller_request(change: NewValue) -> str:
    """The new amount in a container, or of an annotation, in place of the old one."""
    name = change.field if change.field in ("cpu", "memory") else "gpu"
    before, after = change.before or 0.0, change.after or 0.0
    if change.field == MEMORY:
        return f"request {after:.0f} MiB of GPU memory instead of {before:.0f}"
    return f"request {_in_full(name, after)} instead of {figures.in_full(name, before)}"


def _bounds_clause(changes: Sequence[NewValue]) -> str:
    """The bounds to raise, then those to lower."""
    raised = [_new_bound(change) for change in changes if not _lowers(change)]
    lowered = [_new_bound(change) for change in changes if _lowers(change)]
    clauses = (("raise", raised), ("lower", lowered))
    return ", and ".join(f"{verb} {', '.join(bounds)}" for verb, bounds in clauses if bounds)


def _lowers(change: NewValue) -> bool:
    return (change.after or 0.0) < (change.before or 0.0)


def _new_bound(change: NewValue) -> str:
    known = change.before or 0.0
    before = figures.bound(change.field, known) if known == UNLIMITED else figures.in_full(change.field, known)
    after = _in_full(change.field, change.after or 0.0)
    return f"{change.queue} {change.field}.{change.bound} from {before} to {after}"


def _in_full(resource: str, value: float) -> str:
    return figures.unit_after(resource, figures.in_full(resource, value))
