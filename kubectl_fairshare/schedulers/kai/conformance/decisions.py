"""Replays recorded KAI cases: the engine's answers in the form of the recordings."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.known import KnownSchedulers
from kubectl_fairshare.model.json import Json, JsonObject
from kubectl_fairshare.model.moments import nanoseconds
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.division.fair_share import Claimant, Undefined, fair_shares
from kubectl_fairshare.schedulers.kai.division.time_aware import Formula
from kubectl_fairshare.schedulers.kai.map_orders import OverMapOrders
from kubectl_fairshare.schedulers.kai.model.amounts import minus
from kubectl_fairshare.schedulers.kai.model.objects import RESOURCES, Charge, KaiState, Resources
from kubectl_fairshare.schedulers.kai.reads import READS
from kubectl_fairshare.schedulers.kai.reclaim.min_runtime import keeps_minimum
from kubectl_fairshare.schedulers.kai.reclaim.reclaim import (
    Losses,
    asker_of,
    can_reclaim,
    candidates,
    fair_over_map_orders,
    queue_passes,
)
from kubectl_fairshare.schedulers.kai.reclaim.validator import Asker, judge
from kubectl_fairshare.schedulers.kai.session.gangs import GangPod
from kubectl_fairshare.schedulers.kai.session.gates import gate, over_quota
from kubectl_fairshare.schedulers.kai.session.job_order import taken_up, victims_in_order
from kubectl_fairshare.schedulers.kai.session.jobs import Job
from kubectl_fairshare.schedulers.kai.session.queue_order import Contender, ranked
from kubectl_fairshare.schedulers.kai.session.session import QueueAttributes, Session, open_session
from kubectl_fairshare.schedulers.recording import NONDETERMINISTIC, accepted_form, manifests_of

_KNOWN = KnownSchedulers((READS,))

Document = dict[str, Any]
Chance = dict[str, list[Any]]
"""Paths of an answer that depend on map order in KAI itself, with the values found."""
_PREFIXES = 8
_PAIRS = 40
_LEAVES = 100


def replay(case: JsonObject) -> Document:
    """The engine's answer to a case, in the form of its ``expected``, and the paths that vary between runs of KAI."""
    queries, chance = case["queries"], Chance()
    divisions = [_division(query, f"division/{i}", chance) for i, query in enumerate(queries.get("division") or ())]
    if not case["objects"]:
        return {"division": divisions, NONDETERMINISTIC: chance}
    session = open_session(state_of(case))
    chance |= _undefined("fairShare", session.undefined)
    return {
        "total": _amounts(session.totals.total),
        "queues": {name: _queue(standing) for name, standing in session.standings.items()},
        "fairShare": {name: _amounts(standing.fair_share) for name, standing in session.standings.items()},
        "jobs": {job.name: _job(session, job) for job in session.jobs.values()},
        "gates": {job.name: _gate(session, job) for job in session.jobs.values() if job.known and job.pending},
        "reclaim": _reclaim(session, queries, chance),
        "order": {
            "pop": _names(taken_up(session, session.shard.depths.get("allocate")), "order/pop", chance),
            "pairs": _pairs(session),
        },
        "division": divisions,
        NONDETERMINISTIC: chance,
    }


def state_of(case: JsonObject) -> KaiState:
    """The state that a case describes."""
    state = assemble(manifests_of(map(accepted_form, case["objects"]), case["name"]), _KNOWN).snapshot.part(KaiState)
    usage = {name: _resources(given) for name, given in sorted((case.get("usage") or {}).items())}
    return replace(state, usage=usage, now=nanoseconds(case["now"]))


def _amounts(amounts: Resources) -> Document:
    return amounts._asdict()


def _resources(given: JsonObject) -> Resources:
    return Resources(*(float(given.get(name) or 0) for name in RESOURCES))


def _undefined(path: str, found: Undefined) -> Chance:
    """The shares that depend on map order, by path."""
    return {f"{path}/{q}/{r}": list(values) for q, by_resource in found.items() for r, values in by_resource.items()}


def _names(found: OverMapOrders[tuple[Job, ...]], path: str, chance: Chance) -> list[str]:
    """The names of jobs in order; other possible orders are recorded."""
    orders = [[job.name for job in jobs] for jobs in (found.value, *found.others)]
    if not found.defined:
        chance[path] = orders
    return orders[0]


def _verdict(found: OverMapOrders[bool], path: str, chance: Chance) -> bool:
    """The result of most walks; other results are recorded."""
    if not found.defined:
        chance[path] = [found.value, *found.others]
    return found.value


def _division(query: JsonObject, path: str, chance: Chance) -> Document:
    """Fair shares of queues with the figures of the case."""
    claimants = [_claimant(queue) for queue in query["queues"]]
    shares, undefined = fair_shares(_resources(query["total"]), Formula(float(query["k"])), claimants)
    chance |= _undefined(path, undefined)
    return {name: _amounts(share) for name, share in shares.items()}


def _claimant(queue: JsonObject) -> Claimant:
    def figures(field: str) -> Resources:
        return Resources(*(float((queue.get(resource) or {}).get(field) or 0) for resource in RESOURCES))

    return Claimant(
        queue["name"],
        queue["parent"],
        queue["priority"],
        nanoseconds(queue["creationTimestamp"]),
        *(figures(field) for field in ("quota", "limit", "weight", "request", "usage")),
    )


def _queue(standing: QueueAttributes) -> Document:
    queue = standing.queue
    figures = {
        "quota": queue.quota,
        "limit": queue.limit,
        "weight": queue.weight,
        "request": standing.request,
        "allocated": standing.allocated,
        "allocatedNonPreemptible": standing.non_preemptible,
        "usage": standing.usage,
        "allocatable": standing.allocatable,
    }
    by_resource = {resource: {name: f[r] for name, f in figures.items()} for r, resource in enumerate(RESOURCES)}
    return {"parent": queue.parent, "priority": queue.priority, **by_resource}


def _job(session: Session, job: Job) -> Document:
    found: Document = {
        "queue": job.queue,
        "priority": job.priority,
        "preemptible": job.preemptible,
        "ready": job.ready,
        "elastic": job.elastic,
        "queueKnown": job.known,
    }
    if job.pending:
        found |= {
            "leaf": job.known and session.is_leaf(job.queue),
            "withinPreemptionDelay": job.delayed(session.now),
            "tasks": [task.name for task in job.next],
            "request": _amounts(job.request.total),
        }
    return found


def _gate(session: Session, job: Job) -> Document:
    chain = session.chain(job.queue)
    exceeded = gate(chain, job.asked, preemptible=job.preemptible)
    fixed = None if job.preemptible else over_quota(chain, job.asked)
    found: Document = {"ok": exceeded is None, "nonPreemptibleOverQuota": fixed.queue if fixed else ""}
    if exceeded is not None:
        found |= {"reason": str(exceeded.reason), "queue": exceeded.queue, "resource": exceeded.resource}
    return found


def _reclaim(session: Session, queries: JsonObject, chance: Chance) -> Document:
    asking = [j for j in session.jobs.values() if j.pending and j.ready and j.known and session.is_leaf(j.queue)]
    scenarios = enumerate(queries.get("scenarios") or ())
    return {
        "jobs": {job.name: _reclaimer(session, job, chance) for job in asking},
        "scenarios": [_scenario(session, query, f"reclaim/scenarios/{i}", chance) for i, query in scenarios],
        "direct": [_direct(session, query) for query in queries.get("direct") or ()],
    }


def _reclaimer(session: Session, job: Job, chance: Chance) -> Document:
    asker, path = asker_of(job), f"reclaim/jobs/{job.name}"
    found = list(candidates(session, asker))
    order = victims_in_order(session, found)
    leaves = [name for name in session.standings if session.is_leaf(name) and name != job.queue]
    request = asker.request.total
    if len(leaves) > _LEAVES:  # not recorded
        leaves = []
    losses: dict[str, Sequence[GangPod]] = {}
    prefixes: list[bool | None] = []
    for i, victim in enumerate(order.value[:_PREFIXES]):
        losses = {**losses, victim.name: victim.active}
        prefixes.append(_valid(session, asker, losses, f"{path}/prefixValid/{i}", chance))
    return {
        "can": can_reclaim(session, asker),
        "candidates": [victim.name for victim in found],
        "filterQueue": {name: queue_passes(session, job.queue, request, name) for name in leaves},
        "victimOrder": _names(order, f"{path}/victimOrder", chance),
        "prefixValid": prefixes,
    }


def _valid(session: Session, asker: Asker, losses: Losses, path: str, chance: Chance) -> bool | None:
    """The verdict of all validators; None if a pod is on a node of another shard."""
    if not all(task.placed for tasks in losses.values() for task in tasks):
        return None
    if not keeps_minimum(session, asker.queue, losses):
        return False
    return _verdict(fair_over_map_orders(session, asker, losses), path, chance)


def _scenario(session: Session, query: JsonObject, path: str, chance: Chance) -> Document:
    losses: dict[str, Sequence[GangPod]] = {}
    for victim in query["victims"]:
        job = session.jobs[victim["podGroup"]]
        named = victim.get("pods")
        losses[job.name] = [t for t in job.tasks if t.name in named] if named else job.active
    asker = asker_of(session.jobs[query["reclaimer"]])
    valid = _valid(session, asker, losses, f"{path}/valid", chance)
    if valid is None:
        return {}
    return {"valid": valid, "fair": _verdict(fair_over_map_orders(session, asker, losses), f"{path}/fair", chance)}


def _direct(session: Session, query: JsonObject) -> Document:
    asker = Asker(query["queue"], Charge(*_resources(query["request"])), bool(query["preemptible"]))
    victims = {v["queue"]: [Charge(*_resources(item)) for item in v["items"]] for v in query["victims"]}
    request = asker.request.total
    return {
        "can": can_reclaim(session, asker),
        "filter": [queue_passes(session, asker.queue, request, v["queue"]) for v in query["victims"]],
        "reclaimable": judge(session, asker, victims).allowed,
    }


def _pairs(session: Session) -> list[Document]:
    """Comparisons of sibling queues: with the first waiting job below each, and with two victims."""
    waiting, victims = _below(session)
    found: list[Document] = []
    for _, names in sorted(session.children.items()):
        for pair in combinations(names, 2):
            if len(found) >= _PAIRS:
                return found
            if all(name in waiting for name in pair):
                found.append(_asking(session, pair, waiting))
            if all(name in victims for name in pair):
                found.append(_giving(session, pair, victims))
    return found


def _asking(session: Session, pair: tuple[str, str], waiting: Mapping[str, Sequence[Job]]) -> Document:
    left, right = (min(waiting[name], key=lambda job: job.order) for name in pair)
    sides = (Contender(session.standings[n], j.request.total) for n, j in zip(pair, (left, right), strict=True))
    return _pair(session, pair, {"lJob": left.name, "rJob": right.name}, *sides)


def _giving(session: Session, pair: tuple[str, str], victims: Mapping[str, Sequence[Job]]) -> Document:
    left, right = (sorted(victims[name], key=lambda job: job.name)[:2] for name in pair)
    named = {"lVictims": [job.name for job in left], "rVictims": [job.name for job in right]}
    standings = [session.standings[name] for name in pair]
    sides = (Contender(s, left=_without(s, jobs)) for s, jobs in zip(standings, (left, right), strict=True))
    return _pair(session, pair, named, *sides)


def _pair(
    session: Session, names: tuple[str, str], named: Mapping[str, Json], left: Contender, right: Contender
) -> Document:
    total = session.totals.total
    first = {"lFirst": ranked(total, left, right).first, "rFirst": ranked(total, right, left).first}
    return {"l": names[0], "r": names[1], **named, **first}


def _without(standing: QueueAttributes, victims: Sequence[Job]) -> Resources:
    held = standing.allocated
    for job in victims:
        held = minus(held, job.holds)
    return held


def _below(session: Session) -> tuple[dict[str, list[Job]], dict[str, list[Job]]]:
    """The waiting jobs, and the possible victims, in each queue and its descendants."""
    waiting: dict[str, list[Job]] = {}
    victims: dict[str, list[Job]] = {}
    for job in session.jobs.values():
        if not (job.known and session.is_leaf(job.queue)):
            continue
        for standing in session.chain(job.queue):
            if job.ready and job.pending:
                waiting.setdefault(standing.queue.name, []).append(job)
            if job.preemptible and job.active:
                victims.setdefault(standing.queue.name, []).append(job)
    return waiting, victims
