"""One cycle of KAI as a screen: the attempts by action, then what KAI says of the jobs that still wait."""

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from typing import Final

from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.report.printable import Block
from kubectl_fairshare.report.text.blocks import blocks_text
from kubectl_fairshare.report.text.colour import Tone
from kubectl_fairshare.report.text.heading import gap_lines, release_lines
from kubectl_fairshare.report.text.listing import rest, shown_items
from kubectl_fairshare.report.text.paragraph import paragraph, unfolded
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers.kai.explain.cycle import KaiCycle
from kubectl_fairshare.schedulers.kai.solver.attempts import Tried
from kubectl_fairshare.schedulers.kai.solver.statuses import Status
from kubectl_fairshare.schedulers.kai.words.cycle_rows import RULES, moved_to, own_pods, pods_text, rule_of, runs_text
from kubectl_fairshare.schedulers.kai.words.evictions import eviction_text

_BUDGETS: Final = "Not modelled: the time budget of KAI's solver."
_WAITS: Final = "waits for room: "
_UNREADY: Final = {
    "noQueue": "its queue does not exist",
    "notLeaf": "its queue has child queues",
    "notReady": "it has fewer pods than it needs",
}


def cycle_screen(cycle: KaiCycle, view: View) -> str:
    """The attempts in KAI's order. KAI's messages are not folded."""
    parts = (f"shard {cycle.shard.name}", f"1 cycle, {count(len(cycle.jobs), 'job')} waiting")
    blocks: list[Block] = [[*release_lines(parts, cycle.fidelity, view), *gap_lines(cycle.fidelity, view)]]
    if not cycle.jobs:
        blocks.append([view.paint("dim", "no PodGroup in the input has pods that wait")])
    for action, attempts in groupby(cycle.tried, key=lambda one: one.action):
        blocks.append([view.paint("strong", str(action)), *_attempt_lines(list(attempts), cycle.never, view)])
    if cycle.stopped is not None:
        blocks.append(paragraph(f"{cycle.stopped} and what follows are not decided", view, "", "  ", "wait"))
    blocks.append(_waiting_lines(cycle, view))
    if any(one.runs for one in cycle.tried):
        blocks.append([view.paint("dim", _BUDGETS)])
    return blocks_text(blocks)


def _attempt_lines(attempts: Sequence[Tried], never: Collection[str], view: View) -> list[str]:
    lines = []
    for one in shown_items(attempts, view):
        lines += _lines(one, view, in_vain=one.job in never)
    return [*lines, *rest(attempts, view)]


def _lines(tried: Tried, view: View, *, in_vain: bool) -> list[str]:
    job = tried.ground.gangs[tried.job].job
    text, tone = _result(tried)
    if in_vain and tried.done:
        text, tone = f"can never get in, and KAI makes room for it: {text.removeprefix(_WAITS)}", "never"
    lines = paragraph(f"{job.name} of {job.queue}: {text}", view, "  ", "    ", tone)
    lines += _victim_lines(tried, view)
    simulated = runs_text(tried)
    return [*lines, *(paragraph(simulated, view, "    ", "    ", "dim") if simulated else ())]


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


def _victim_lines(tried: Tried, view: View) -> Iterator[str]:
    """The pods that are evicted, in order, with where they go and the rule; on a wide screen KAI's message to each."""
    for eviction in shown_items(tried.evictions, view):
        task = tried.ground.tasks[eviction.victim.pod]
        to = moved_to(tried, task.uid)
        fate = f"moves {eviction.before.node} → {to}" if to else f"leaves {eviction.before.node}"
        rule = rule_of(tried, task.job)
        yield from paragraph(f"{task.name} {fate}: {RULES[rule]} ({rule})", view, "    ", "      ")
        if view.wide:
            yield from (unfolded(line, "      ") for line in eviction_text(tried, task.uid).splitlines())
    yield from rest(tried.evictions, view)


def _waiting_lines(cycle: KaiCycle, view: View) -> list[str]:
    """The jobs that still wait, with what KAI writes of them."""
    waiting = cycle.waiting
    if not waiting:
        return []
    lines = [view.paint("strong", "still waiting")]
    for one in shown_items(waiting, view):
        pods = f"{one.job.name} of {one.job.queue}: {count(len(one.pods), 'pod')}"
        never = one.job.name in cycle.never
        why = f", not tried: {_UNREADY[one.unready]}" if one.unready else ""
        why += ", and can never get in" if never and one.unready else ", can never get in" if never else ""
        lines += paragraph(f"{pods}{why}", view, "  ", "    ", "never" if never else "wait")
        for line in one.condition.message.splitlines() if one.condition is not None else ():
            lines.append(view.paint("dim", unfolded(line, "    ")))
    return [*lines, *rest(waiting, view)]
