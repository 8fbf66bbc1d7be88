"""Amounts of a queue with a surprising meaning: missing means 0; signs; weights."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.finding import Edit, Finding, Insert, Remedy, Replace, Severity
from kubectl_fairshare.lint.protocol import error_rule, info_rule, warning_rule
from kubectl_fairshare.lint.refusals import quote
from kubectl_fairshare.lint.words.figures import few
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES, Queue
from kubectl_fairshare.schedulers.kai.rules.figures import amount, of
from kubectl_fairshare.schedulers.kai.rules.given import KaiGiven
from kubectl_fairshare.schedulers.kai.rules.queues import Queues, amount_at, at, is_finite, is_unlimited

_BOUNDS: Final = ("quota", "limit")
_WEIGHT: Final = "overQuotaWeight"


@error_rule("A011")
def nothing_may_run(given: KaiGiven) -> Iterator[Finding]:
    """One finding for each queue: nothing can run in it, or nothing that requests some resource."""
    queues = given.queues
    for queue in queues:
        closed = [resource for resource in RESOURCES if of(queue.limit, resource) == 0]
        if not queue.stated and queues.children.get(queue.name):
            continue
        if len(closed) == len(RESOURCES):
            written = [r for r in RESOURCES if queues.resources(queue, r)]
            edits = tuple(edit for resource in written for edit in _opened(queues, queue, resource))
            place = amount_at(queue, written[0]) if len(written) == 1 else at(queue, "spec", "resources")
            meant = all("limit" in queues.resources(queue, resource) for resource in RESOURCES)
            message = f"all limits of queue `{queue.name}` are 0, so no workload can run in it"
            message = message if meant else f"{message}: a missing limit is 0"
            severity = Severity.WARNING if meant else None
            yield Finding(place, message, Remedy("write limits; -1 for no limit", edits), severity=severity)
            continue
        unusable = [resource for resource in closed if not _is_intended(queues, queue, resource)]
        if unusable:
            yield _closed(queues, queue, unusable)


def _is_given(queues: Queues, queue: Queue, resource: str) -> bool:
    """Whether a queue has a quota or a share of a resource, so that a limit of 0 contradicts it."""
    entry = queues.resources(queue, resource)
    return of(queue.quota, resource) != 0 or ("limit" not in entry and of(queue.weight, resource) > 0)


def _is_intended(queues: Queues, queue: Queue, resource: str) -> bool:
    """Whether a limit of 0 is probably intended: for GPUs without a quota."""
    return resource == "gpu" and not _is_given(queues, queue, resource)


def _closed(queues: Queues, queue: Queue, closed: list[str]) -> Finding:
    """The limits of 0 of some resources, at the first."""
    first = closed[0]
    written = "limit" in queues.resources(queue, first)
    limits = f"limit of {first}" if len(closed) == 1 else f"limits of {' and '.join(closed)}"
    verb = "is" if len(closed) == 1 else "are"
    state = f"{verb} 0" if written else f"{verb} missing, which means 0"
    requests = " or ".join(closed)
    evidence = (
        row
        for r in closed
        for row in ((f"limit of {r}", amount(r, 0)), (f"quota of {r}", amount(r, of(queue.quota, r))))
    )
    return Finding(
        amount_at(queue, first, "limit" if written else ""),
        f"the {limits} {state}: no workload that requests {requests} can run in queue `{queue.name}`",
        Remedy("write the limit; -1 for no limit", tuple(e for r in closed for e in _opened(queues, queue, r))),
        evidence=tuple(evidence) if len(closed) > 1 else tuple((name.split(" of ")[0], v) for name, v in evidence),
        severity=None if any(_is_given(queues, queue, r) for r in closed) else Severity.WARNING,
    )


def _opened(queues: Queues, queue: Queue, resource: str) -> Iterator[Edit]:
    entry = queues.resources(queue, resource)
    if entry and "limit" not in entry:
        yield Insert(amount_at(queue, resource), "limit", -1)
    elif "limit" in entry:
        yield Replace(amount_at(queue, resource, "limit"), -1)


@warning_rule("A012")
def no_share(given: KaiGiven) -> Iterator[Finding]:
    """One finding for each queue, with all resources in which its fair share is 0."""
    queues = given.queues
    for queue in queues:
        without = [r for r in RESOURCES if _has_no_share(queue, r)]
        if without:
            first = without[0]
            edits = (
                Insert(amount_at(queue, r), _WEIGHT, 1) for r in without if _WEIGHT not in queues.resources(queue, r)
            )
            yield Finding(
                amount_at(queue, first),
                f"queue `{queue.name}` has no quota and no weight for {', '.join(without)}: its fair share is 0",
                Remedy("write an overQuotaWeight or a quota", tuple(edits)),
                evidence=tuple((f"limit of {r}", amount(r, of(queue.limit, r))) for r in without),
            )


def _has_no_share(queue: Queue, resource: str) -> bool:
    return of(queue.quota, resource) == 0 and of(queue.weight, resource) == 0 and of(queue.limit, resource) != 0


@warning_rule("A013")
def no_weight_in_priority(given: KaiGiven) -> Iterator[Finding]:
    """One finding for each priority and resource; information if no lower priority has weights either."""
    for siblings in given.queues.children.values():
        by_priority: dict[int, list[Queue]] = {}
        for queue in siblings:
            by_priority.setdefault(queue.priority, []).append(queue)
        for resource in RESOURCES:
            for priority, queues in sorted(by_priority.items()):
                wanting = [queue for queue in queues if _could_use_more(queue, resource)]
                if not wanting or any(of(queue.weight, resource) != 0 for queue in queues):
                    continue
                gaining = [q for p, below in by_priority.items() if p < priority for q in below]
                gaining = [queue for queue in gaining if of(queue.weight, resource) > 0]
                after = (
                    f"goes to {few([q.name for q in gaining])} of lower priority" if gaining else "stays unallocated"
                )
                yield Finding(
                    amount_at(wanting[0], resource, _WEIGHT),
                    f"no queue of priority {priority} here has a weight for {resource}: what quotas do not use {after}",
                    Remedy("write an overQuotaWeight above 0"),
                    evidence=(("queues", ", ".join(queue.name for queue in queues[:5])), ("priority", str(priority))),
                    severity=None if gaining else Severity.INFO,
                )


def _could_use_more(queue: Queue, resource: str) -> bool:
    """Whether a queue has a quota of a resource, and a limit above it."""
    quota, limit = of(queue.quota, resource), of(queue.limit, resource)
    return quota > 0 and (is_unlimited(limit) or limit > quota)


@error_rule("A014")
def negative_amount_of_queue(given: KaiGiven) -> Iterator[Finding]:
    """One finding for each such amount; a warning for memory."""
    queues = given.queues
    for queue in queues:
        for resource in RESOURCES:
            entry = queues.resources(queue, resource)
            for field in _BOUNDS:
                value = entry.get(field)
                if value is not None and _is_negative(value) and not is_unlimited(value):
                    memory = resource == "memory"
                    after = _after(field, resource)
                    yield Finding(
                        amount_at(queue, resource, field),
                        f"{field} of {resource} is `{value}`: {after}",
                        Remedy("write -1 for unlimited, or 0 or more", _as_unlimited(queue, resource, field)),
                        evidence=((field, f"{value}"),),
                        severity=Severity.WARNING if memory else None,
                    )


def _is_negative(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and not is_finite(value)


def _after(field: str, resource: str) -> str:
    if resource == "memory":
        return "it counts as unlimited"
    return "no workload that requests it can run" if field == "limit" else "the fair share falls below 0"


def _as_unlimited(queue: Queue, resource: str, field: str) -> tuple[Edit, ...]:
    return (Replace(amount_at(queue, resource, field), -1),)


@error_rule("A015")
def negative_weight(given: KaiGiven) -> Iterator[Finding]:
    """One finding for each such weight."""
    queues = given.queues
    for queue in queues:
        for resource in RESOURCES:
            value = queues.resources(queue, resource).get(_WEIGHT)
            if _is_negative(value):
                yield Finding(
                    amount_at(queue, resource, _WEIGHT),
                    f"overQuotaWeight of {resource} is `{value}`: the shares of all its siblings are meaningless",
                    Remedy("write 0 or more"),
                    evidence=((_WEIGHT, f"{value}"),),
                )


@error_rule("A019")
def undecodable_min_runtime(given: KaiGiven) -> Iterator[Finding]:
    """One finding for each duration."""
    for examined, cause in given.causes("L19"):
        spec = examined.manifest.data["spec"]
        field = str(cause.path[-1])
        text = str(spec[field])
        days = text.removesuffix("d")
        hours = f"{int(days) * 24}h" if days != text and days.isascii() and days.isdecimal() and len(days) < 6 else ""
        place = examined.at(*cause.path)
        edits: tuple[Edit, ...] = (Replace(place, hours),) if hours else ()
        yield Finding(
            place,
            f"{quote(text)} is not a duration that a Queue takes: KAI's webhook rejects the queue",
            Remedy(
                f"write `{hours}`" if hours else "write hours, minutes and seconds: `24h`, `1h30m`", edits, bool(edits)
            ),
        )


@info_rule("A040")
def less_than_one_gpu(given: KaiGiven) -> Iterator[Finding]:
    """One finding for each queue: at its limit, a warning, otherwise at its quota."""
    for queue in given.queues:
        quota, limit = of(queue.quota, "gpu"), of(queue.limit, "gpu")
        if 0 < limit < 1:
            yield _part_of_gpu(queue, "limit", limit, "workload", Severity.WARNING)
        elif 0 < quota < 1:
            yield _part_of_gpu(queue, "quota", quota, "non-preemptible workload", None)


def _part_of_gpu(queue: Queue, field: str, value: float, workload: str, severity: Severity | None) -> Finding:
    """The finding for a quota or limit that one GPU exceeds, and the workloads that it keeps out."""
    return Finding(
        amount_at(queue, "gpu", field),
        f"the {field} of gpu is {value:.12g} GPU: no {workload} that requests a whole GPU can run in "
        f"queue `{queue.name}`",
        Remedy("write the number of GPUs, unless all its workloads share GPUs"),
        evidence=((field, amount("gpu", value)),),
        severity=severity,
    )
