"""One cycle of KAI as a screen: the attempts by action, then what KAI says of the jobs that still wait."""

from collections.abc import Collection, Iterator
from itertools import groupby
from typing import Final

from kubectl_fairshare.answers.blocks import Block, Entries, Group, Layout, Remark, Wide, unfolded
from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.answers.tables import Tone
from kubectl_fairshare.schedulers.kai.explain.cycle import KaiCycle, WaitingJob
from kubectl_fairshare.schedulers.kai.solver.attempts import Tried
from kubectl_fairshare.schedulers.kai.solver.statuses import Status
from kubectl_fairshare.schedulers.kai.solver.views import PodEviction
from kubectl_fairshare.schedulers.kai.words.cycle_rows import RULES, moved_to, own_pods, pods_text, rule_of, runs_text
from kubectl_fairshare.schedulers.kai.words.evictions import eviction_text

_BUDGETS: Final = "Not modelled: the time budget of KAI's solver."
_WAITS: Final = "waits for room: "
_UNREADY: Final = {
    "noQueue": "its queue does not exist",
    "notLeaf": "its queue has child queues",
    "notReady": "it has fewer pods than it needs",
}


def cycle_layout(cycle: KaiCycle) -> Layout:
    """The attempts in KAI's order. KAI's messages are not folded."""
    opening = (f"shard {cycle.shard.name}", f"1 cycle, {count(len(cycle.jobs), 'job')} waiting")
    groups: list[Group] = []
    if not cycle.jobs:
        of = "of this shard" if cycle.elsewhere else "in the input"
        groups.append([unfolded(f"no PodGroup {of} has pods that wait", "dim", "")])
    for action, attempts in groupby(cycle.tried, key=lambda one: one.action):
        said = Entries(list(attempts), lambda one: [*_attempt(one, cycle.never)])
        groups.append([unfolded(str(action), "strong", ""), said])
    if cycle.stopped is not None:
        text = f"{cycle.stopped} and what follows are not decided"
        groups.append([Remark(text, "wait", first="", more="  ")])
    if cycle.waiting:
        waiting = Entries(cycle.waiting, lambda one: [*_waiting(one, never=one.job.name in cycle.never)])
        groups.append([unfolded("still waiting", "strong", ""), waiting])
    if cycle.elsewhere:
        text = f"in other node pools: {cycle.elsewhere:,} waiting (choose with --shard)"
        groups.append([Remark(text, "dim", first="", more="  ")])
    if any(one.runs for one in cycle.tried):
        groups.append([unfolded(_BUDGETS, "dim", "")])
    return Layout(opening, groups)


def _attempt(tried: Tried, never: Collection[str]) -> Iterator[Block]:
    job = tried.ground.gangs[tried.job].job
    text, tone = _result(tried)
    if tried.job in never and tried.done:
        text, tone = f"can never get in, and KAI makes room for it: {text.removeprefix(_WAITS)}", "never"
    yield Remark(f"{job.name} of {job.queue}: {text}", tone)
    yield Entries(tried.evictions, lambda each: [*_victim(tried, each)])
    simulated = runs_text(tried)
    if simulated:
        yield Remark(simulated, "dim", first="    ")


def _result(tried: Tried) -> tuple[str, Tone]:
    """What an attempt did, in a few words, and their tone."""
    if tried.done:
        bound, waiting = own_pods(tried, Status.ALLOCATED), own_pods(tried, Status.PIPELINED)
        placed = [pods_text(bound)] if bound else []
        placed += [f"{_WAITS}{pods_text(waiting)}"] if waiting else []
        return "; ".join(placed) or "all its pods keep their places", "good"
    if tried.ghost:
        return "solved in part: KAI carries nothing out, and the rest of the cycle counts it", "wait"
    if tried.delayed:
        return "its preemptionDelay is not over", "wait"
    if tried.failure is not None and tried.failure.exceeded is not None:
        return f"over the bounds of {tried.failure.exceeded.queue} ({tried.failure.exceeded.resource})", "wait"
    return "no place", "wait"


def _victim(tried: Tried, eviction: PodEviction) -> Iterator[Block]:
    """A pod that is evicted, with where it goes and the rule; on a wide screen KAI's message to it."""
    task = tried.ground.tasks[eviction.victim.pod]
    to = moved_to(tried, task.uid)
    fate = f"moves {eviction.before.node} → {to}" if to else f"leaves {eviction.before.node}"
    rule = rule_of(tried, task.job)
    yield Remark(f"{task.name} {fate}: {RULES[rule]} ({rule})", first="    ", more="      ")
    yield Wide(lambda: [unfolded(line, indent="      ") for line in eviction_text(tried, task.uid).splitlines()])


def _waiting(one: WaitingJob, *, never: bool) -> Iterator[Block]:
    """A job that still waits, with what KAI writes of it."""
    why = f", not tried: {_UNREADY[one.unready]}" if one.unready else ""
    why += ", and can never get in" if never and one.unready else ", can never get in" if never else ""
    text = f"{one.job.name} of {one.job.queue}: {count(len(one.pods), 'pod')}{why}"
    yield Remark(text, "never" if never else "wait")
    for line in one.condition.message.splitlines() if one.condition is not None else ():
        yield unfolded(line, "dim", "    ")
