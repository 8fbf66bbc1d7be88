"""All questions about one state, and where two answers contradict each other."""

import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from tests.changes import plain
from tests.consistency.accepted import all_after, new_errors
from tests.consistency.asking import NOW, Program, Reply
from tests.consistency.changes import title
from tests.consistency.claims import (
    alone,
    backs_off,
    in_another_form,
    is_presumed,
    later,
    needs_no_other,
    of_itself,
    pending,
    sequences,
)
from tests.consistency.kueue_queues import queue_of, takes_work
from tests.consistency.lesser import lesser
from tests.consistency.preemptors import Preemptors
from tests.consistency.simulated import leaf_queues, longer, simulated
from tests.consistency.states import Manifest, State, is_grouped, is_ours, work_of

GETS_IN: Final = ("Admitted", "Preempts")
_NEXT: Final = ("PendingEvaluation", "NextCycle", "NextAttempt")
"""The reasons of ``why`` for work that the scheduler takes next."""
_UNQUEUED: Final = {
    "kueue": ("Evicted", "Deactivated", "NotReady"),
    "kai": ("Evict", "NoSchedulingShard"),
}
"""The reasons of ``why`` for work that waits outside of the queues, which ``shares`` does not count."""
_HEADLINE: Final = re.compile(r"[\d,]+ running, ([\d,]+) pending")
_TURNED: Final = 4
"""One of so many states is compared with itself decided again: of the same text, ``diff`` decides nothing."""
_FEWER: Final = re.compile(r"with \d+ of \d+ pods")
_KINDS: Final = {"kueue": "Workload", "kai": "PodGroup", "elasticquota": "Pod", "koordinator": "Pod"}


_ON_NODES: Final = ("Running", "Finished", "Unmanaged")
"""The verdicts of ``why`` for a pod of KAI on a node that has no PodGroup."""


class Contradiction(NamedTuple):
    """Two answers that cannot both be right: ``kind`` names the questions, ``text`` the answers."""

    kind: str
    text: str


class Waiting(NamedTuple):
    """Work that waits: its manifests, its entry in the list of ``why -A``, and its plan."""

    name: str
    manifests: list[Manifest]
    listed: dict[str, Any]
    plan: Reply


class Asked:
    """One state with the answers to the questions about it."""

    def __init__(self, state: State, folder: Path) -> None:
        self.state, self.program = state, Program(state.house, folder)
        self.file = self.program.file("state", state.objects)
        self.list = self.program.ask("why", "-A", "-f", self.file, "--now", NOW)
        self.listed = dict(_entries(self.list.document))
        self.waiting = [
            Waiting(name, manifests, self.listed[name], self.plan(state, manifests))
            for name, manifests in pending(state).items()
            if name in self.listed
        ]

    def plan(self, state: State, manifests: list[Manifest], now: str = NOW) -> Reply:
        """The plan of a workload on a state; KAI's at a moment."""
        file = self.file if state is self.state else self.program.file("other", state.objects)
        moment = ("--now", now) if state.house == "kai" else ()  # as ``why`` is asked; others decide for no moment
        return self.program.ask("plan", "-w", self.program.file("work", manifests), "-f", file, *moment)

    @cached_property
    def some_queues(self) -> list[str]:
        """The options that name two queues to ``capacity``, of which each figure takes KAI two dozen cycles; else none.

        No more figures are compared of a state; other states have other queues.
        """
        if self.state.house != "kai":
            return []
        leaves = leaf_queues(self.state)
        chosen = Random(f"{self.state.name}/queues").sample(leaves, min(2, len(leaves)))
        return [word for each in chosen for word in ("--queue", each["metadata"]["name"])]


def _entries(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for group in document.get("groups", ()):
        for each in group["workloads"]:
            yield each["subject"].split(" ", 1)[1], each | {"verdict": group["verdict"], "reason": group["reason"]}


def contradictions(state: State, folder: Path) -> Iterator[Contradiction]:
    """Every contradiction among the answers about one state; a state that is refused has none."""
    asked = Asked(state, folder)
    if asked.list.code == 3 or "the input has no quotas of" in asked.list.errors:
        return
    if asked.list.code not in (0, 5):
        yield Contradiction("refused", f"why -A: exit {asked.list.code}: {asked.list.errors}")
        return
    for check in (
        *(_of_list, _of_works, _of_limits, _of_running, _of_cycle, _of_counts, _of_report, _of_diff, _of_capacity),
        *(_of_never, _of_waits, _of_remedies, _of_forms),
    ):
        yield from check(asked)
    yield from (Contradiction("simulate-plan", text) for text in simulated(state, asked.program))
    yield from (Contradiction("simulate-longer", text) for text in longer(state, asked.program))
    preemptors = Preemptors(state)
    yield from (Contradiction("preemptor-not-named", text) for text in preemptors.unnamed(_victims(asked)))
    yield from (Contradiction("preemptor-in-vain", text) for text in preemptors.in_vain(asked.program, asked.file))
    for words, reply in asked.program.answers:
        yield from (Contradiction("of-itself", text) for text in of_itself(words, reply))


def _victims(asked: Asked) -> list[tuple[str, str]]:
    """Each victim of a plan with the queue for which it is evicted."""
    found = []
    for work in asked.waiting:
        route = work.plan.document.get("route", ())
        queue = next((each["name"] for each in route if each["kind"] == "ClusterQueue"), None)
        victims = [each["object"] for each in work.plan.document.get("victims", ())]
        found += [(str(queue), f"{victim['namespace']}/{victim['name']}") for victim in victims]
    return found


def _of_works(asked: Asked) -> Iterator[Contradiction]:
    """``why`` of one workload, ``why -A`` and ``plan`` agree."""
    for work in asked.waiting:
        namespace, name = work.name.split("/")
        kind = _KINDS[asked.state.house].lower()
        why = asked.program.ask("why", f"{kind}/{name}", "-n", namespace, "-f", asked.file, "--now", NOW)
        alone, listed, plan = why.document, work.listed, work.plan.document
        if not alone or not plan:
            yield Contradiction("refused", f"{work.name}: why {why.errors}, plan {work.plan.errors}")
            continue
        for part in ("verdict", "reason"):
            if alone[part] != listed[part]:
                yield Contradiction(f"why-list-{part}", f"{work.name}: why {alone[part]}, why -A {listed[part]}")
        if alone["fidelity"]["exact"] != listed["exact"]:
            yield Contradiction("why-list-exact", f"{work.name}: why {alone['fidelity']['exact']}")
        yield from _of_plan(work, alone)


def _of_plan(work: Waiting, why: dict[str, Any]) -> Iterator[Contradiction]:
    plan = work.plan.document
    turn = plan.get("inTurn") or {"outcome": plan["outcome"], "verdict": plan["verdict"], "doubts": ()}
    outcome, verdict, exact = turn["outcome"], why["verdict"], plan["fidelity"]["exact"] and not turn["doubts"]
    text = f"{work.name}: plan {outcome} ({turn['verdict']}), why {verdict} ({why['reason']}: {why['sentence']})"
    if "Unknown" in (outcome, verdict) or not exact:
        if why["fidelity"]["exact"] and outcome == "Unknown" and verdict in ("Never", "NotNow"):
            yield Contradiction("plan-why-exact", text)
        return
    if (outcome == "Never") != (verdict == "Never"):
        yield Contradiction("plan-why-never", text)
    elif (
        why["fidelity"]["exact"] and why["reason"] in _NEXT and outcome not in GETS_IN and not backs_off(work.manifests)
    ):
        yield Contradiction("plan-why-next", text)


def _of_limits(asked: Asked) -> Iterator[Contradiction]:
    """A limit is too small by something, and what waits is not kept out for ever by all of them."""
    for work in asked.waiting:
        plan = work.plan.document
        limits = plan.get("bindings", [])
        for each in limits:
            if each["short"]["value"] <= 0:
                yield Contradiction(
                    "limit-not-short", f"{work.name}: {each['clause']}: {each['short']['quantity']} too few"
                )
        if limits and plan["outcome"] == "Waits" and all(each.get("always") for each in limits):
            yield Contradiction(
                "limit-always", f"{work.name}: waits, and can never have what {limits[0]['clause']} lacks"
            )


def _of_cycle(asked: Asked) -> Iterator[Contradiction]:
    """The first that a cycle decides gets what its plan says; never is never in both; who is next is next."""
    cycle = asked.program.ask("cycle", "-f", asked.file).document
    plans = {work.name: work for work in asked.waiting}
    entries = cycle.get("entries") or cycle.get("jobs") or []
    yield from _of_doubted(entries, plans)
    if not cycle or not cycle["fidelity"]["exact"] or not cycle["fidelity"]["allOutcomes"]:
        return
    first: dict[str, Any] = next(iter(cycle.get("attempts") or entries), {})
    crash = "kueue-scheduler-crash" in {entry.get("law") for entry in entries}
    for entry in entries:
        subject = entry.get("workload") or entry["job"]
        place = 0 if subject == (first.get("workload") or first["job"]) else 1
        work = plans.get(f"{subject['namespace']}/{subject['name']}")
        if work is None or not work.plan.document or work.plan.document["outcome"] == "Unknown":
            continue
        outcome, planned = entry["outcome"], work.plan.document["outcome"]
        text = f"{work.name}: cycle {outcome}, plan {planned}, why -A {work.listed['verdict']} {work.listed['reason']}"
        if crash:
            if planned in GETS_IN or work.listed["reason"] in _NEXT:  # nothing is scheduled
                yield Contradiction("cycle-crash", text)
            continue
        if "Never" in (outcome, planned) and outcome != planned:
            yield Contradiction("cycle-plan-never", text)
        elif place == 0 and outcome != planned:
            yield Contradiction("cycle-plan-first", text)
        if place == 0 and outcome in GETS_IN and work.listed["verdict"] in ("Never", "NotNow"):
            yield Contradiction("cycle-why-first", text)


def _of_doubted(entries: list[dict[str, Any]], plans: dict[str, Waiting]) -> Iterator[Contradiction]:
    """A cycle is as sure as the plan that work can never get in, whatever else is not known of it."""
    for entry in entries:
        subject = entry.get("workload") or entry["job"]
        work = plans.get(f"{subject['namespace']}/{subject['name']}")
        planned = work.plan.document.get("outcome") if work is not None else None
        if entry["outcome"] == "Never" and planned == "Unknown":
            yield Contradiction("cycle-never-unknown", f"{subject['name']}: cycle Never, plan Unknown")


def _in_other_pools(objects: list[Manifest], shard: str) -> set[str]:
    """The PodGroups of KAI with another node pool than that of a shard."""
    shards = {each["metadata"]["name"]: each.get("spec") or {} for each in objects if each["kind"] == "SchedulingShard"}
    pool = shards.get(shard, {}).get("partitionLabelValue", "")
    groups = [each["metadata"] for each in objects if each["kind"] == "PodGroup"]
    elsewhere = [each for each in groups if (each.get("labels") or {}).get("kai.scheduler/node-pool", "") != pool]
    return {f"{each['namespace']}/{each['name']}" for each in elsewhere}


def _of_counts(asked: Asked) -> Iterator[Contradiction]:
    """``shares`` has the totals of ``why -A``; its queues have the work listed there but for what is not in them."""
    shares = asked.program.ask("shares", "-f", asked.file).document
    totals, listed = ({name: of.get(name) for name in ("running", "pending")} for of in (shares, asked.list.document))
    if shares and totals != listed:
        yield Contradiction("shares-totals", f"shares {totals}, why -A {listed}")
    held = {work_of(each) for each in asked.state.running} if asked.state.house == "kueue" else set()
    apart = _UNQUEUED.get(asked.state.house, ())
    lost = {each["queue"] for each in shares.get("misplaced", ()) if each["reason"] == "unknown"}
    counted = {name: each for name, each in asked.listed.items() if each.get("queue") not in lost}
    inside = [name for name, each in counted.items() if each["reason"] not in apart and name not in held]
    if asked.state.house == "kueue":
        waiting = shares.get("pending")
    elif "quotas" in shares:
        known = {quota["namespace"] for quota in shares["quotas"]}
        waiting = sum(quota["waiting"] for quota in shares["quotas"])
        inside = [name for name in inside if name.split("/")[0] in known]
    elif "queues" in shares:
        names = {queue["name"] for queue in shares["queues"]}  # one whose parent is missing is at the top
        if asked.state.house == "kai":  # not those of other shards, nor those that no shard sees in this queue
            other_pools = _in_other_pools(asked.state.objects, shares["shard"])
            inside = [name for name in inside if counted[name].get("queue") in names and name not in other_pools]
        waiting = sum(queue["pending"] for queue in shares["queues"] if queue["parent"] not in names)
    else:
        return
    if waiting not in (len(inside), None):
        yield Contradiction("shares-pending", f"shares {waiting}, why -A {len(inside)} of {len(asked.listed)}")


def _of_report(asked: Asked) -> Iterator[Contradiction]:
    """The page counts what waits, and is exact where the list is."""
    page = asked.program.ask("report", "-f", asked.file, as_json=False)
    found = _HEADLINE.search(page.text)
    if found is None:
        yield Contradiction("refused", f"report: exit {page.code} {page.errors}")
    elif int(found[1].replace(",", "")) != asked.list.document["pending"]:
        yield Contradiction("report-count", f"report {found[1]}, why -A {len(asked.listed)}")


def _of_diff(asked: Asked) -> Iterator[Contradiction]:
    """A state does not differ from itself, in whatever order its objects are written."""
    turned = not Random(f"{asked.state.name}/itself").randrange(_TURNED)
    after = asked.program.file("turned", asked.state.objects[::-1]) if turned else asked.file
    diff = asked.program.ask("diff", asked.file, after).document
    for part in ("changed", "rights", "running", "outcomes", "newFindings", "goneFindings"):
        if diff.get(part):
            yield Contradiction("diff-itself", f"{part}: {diff[part]}"[:300])


def _of_capacity(asked: Asked) -> Iterator[Contradiction]:
    """A workload of the size that a queue has room for now is admitted, and one of the largest size is not never."""
    words = ("capacity", "-f", asked.file, "--toleration", "none", "--no-copies", *asked.some_queues)
    capacity = asked.program.ask(*words).document
    if not capacity or not capacity["fidelity"]["exact"]:
        return
    dice = Random(asked.state.name)
    counts_one = len(capacity["unit"]) == 1 or asked.state.house != "kueue"
    rows = [row for row in capacity["queues"] if counts_one and takes_work(asked.state, row)]
    # a plan by options may choose a flavor, and asks for no topology
    if any("that flavor alone" in note or "that asks for one" in note for note in capacity["notes"]):
        rows = [row for row in rows if sum(row["queue"] == each["queue"] for each in capacity["queues"]) == 1]
    for row in dice.sample(rows, min(2, len(rows))):
        for moment in ("now", "preempting", "ever"):
            size = (row[moment] or {}).get("size") or {"value": 0}
            if size["value"] <= 0:
                continue
            plan = asked.program.ask(
                *("plan", *queue_of(asked.state, row["queue"]), "-f", asked.file),
                *("--request", f"{row['resource']}={size['quantity']}"),
            ).document
            wanted = {"now": ("Admitted",), "preempting": GETS_IN, "ever": (*GETS_IN, "Waits")}[moment]
            if not plan:
                yield Contradiction("refused", f"plan of capacity's size for {row['queue']}")
            elif plan["outcome"] not in (*wanted, "Unknown"):
                text = f"{row['queue']} {moment} {size['quantity']} {row['resource']}: plan {plan['outcome']}"
                yield Contradiction(f"capacity-{moment}", f"{text} ({plan['verdict']})")


def _of_never(asked: Asked) -> Iterator[Contradiction]:
    """What can never run does not run either when running work ends and other work leaves, some of it or all."""
    for work in asked.waiting:
        if work.plan.document.get("outcome") != "Never" or not work.plan.document["fidelity"]["exact"]:
            continue
        for state, what in sequences(asked.state, Random(f"{asked.state.name}/{work.name}")):
            later = asked.plan(state, work.manifests).document
            # Where others have left, its objects can be several pieces of work.
            found = later.get("items", [later] if later else [])
            runs = next((each for each in found if each["outcome"] not in ("Never", "Unknown")), None)
            if runs is not None:
                yield Contradiction(
                    "never-refuted", f"{work.name}: {work.plan.document['verdict']}; {what}: {runs['outcome']}"
                )
                break


def _of_waits(asked: Asked) -> Iterator[Contradiction]:
    """What waits can run: it does once all nodes are in service and others are gone, all of them or some."""
    for work in asked.waiting:
        if work.plan.document.get("outcome") != "Waits" or not work.plan.document["fidelity"]["exact"]:
            continue
        if not needs_no_other(work.manifests):
            continue
        waits = backs_off(work.manifests) or work.listed["verdict"] == "Waiting"  # by gates, or until a moment
        held = ("Waits",) if waits else ()
        ends = (asked.plan(then, work.manifests).document.get("outcome") for then in later(asked.state, work.name))
        if not any(end in (*GETS_IN, *held, "Unknown", None) for end in ends):
            yield Contradiction("waits-forever", f"{work.name}: {work.plan.document['verdict']}")


def _of_list(asked: Asked) -> Iterator[Contradiction]:
    """What waits is listed, and what is listed is there."""
    there = {work_of(each) for each in asked.state.objects if each["kind"] in ("Workload", "PodGroup", "Pod")}
    running = {work_of(each) for each in asked.state.running}
    for name in sorted(asked.listed.keys() - there):
        yield Contradiction("list-unknown", name)
    for name, manifests in sorted(pending(asked.state).items()):
        if name in asked.listed or name in running or asked.list.document["omitted"]:
            continue
        if is_ours(asked.state, manifests) and is_grouped(asked.state, manifests, asked.list.document):
            yield Contradiction("not-listed", f"{name}: {[each['kind'] for each in manifests]}")


def _of_running(asked: Asked) -> Iterator[Contradiction]:
    """``why`` answers for running work; a pod that a plan evicts names the one for which it is evicted."""
    others = ("Pod",) if asked.state.house == "kueue" else ()
    works = {work_of(each): each for each in asked.state.running[::-1] if each["kind"] not in others}
    for name in Random(f"{asked.state.name}/running").sample(sorted(works), min(2, len(works))):
        kind, called, space = works[name]["kind"], works[name]["metadata"]["name"], name.split("/")[0]
        why = asked.program.ask("why", f"{kind.lower()}/{called}", "-n", space, "-f", asked.file, "--now", NOW)
        if not why.document:
            yield Contradiction("refused", f"{name}: why {why.errors}")
        elif asked.state.house == "kai" and kind == "Pod" and why.document["verdict"] not in _ON_NODES:
            yield Contradiction("running-waits", f"{name} is on a node: why {why.document['verdict']}")


def _of_forms(asked: Asked) -> Iterator[Contradiction]:
    """An answer can be written in each form."""
    commands = [
        ("why", "-A", "-f", asked.file, "--now", NOW),
        ("shares", "-f", asked.file),
        ("cycle", "-f", asked.file),
    ]
    commands += [
        ("capacity", "-f", asked.file, *asked.some_queues),
        ("diff", asked.file, asked.program.file("alone", alone(asked.state).objects)),
    ]
    for work in asked.waiting[:1]:
        file = asked.program.file("work", work.manifests)
        commands += [("plan", "-w", file, "-f", asked.file)] * 3
    yield from (Contradiction("forms", text) for text in in_another_form(asked.program, asked.state, commands))


def _of_remedies(asked: Asked) -> Iterator[Contradiction]:
    """A remedy carried out is stored and gives the outcome that it promises; ``diff`` sees that, and no less does."""
    for work in asked.waiting:
        for remedy in map(plain, work.plan.document.get("remedies", ())):
            said = f"{work.name}: {remedy['text']}"
            if remedy.get("kind") == "minRuntime":
                (later,) = remedy["changes"]
                yield from _of_promise(said, remedy, asked.plan(asked.state, work.manifests, later["to"]))
                continue
            after = all_after(asked.state.objects, work.manifests, remedy)
            if after is None:
                yield Contradiction("remedy-not-carried-out", said)
                continue
            for error in new_errors(asked.program, asked.state.objects, after):
                yield Contradiction("remedy-rejected", f"{said}: {error}")
            state, manifests = asked.state.having(after), _of_work(after, work)
            then = asked.plan(state, manifests)
            if then.code == 3:
                yield Contradiction("remedy-refused", f"{said}: {then.errors}")
                continue
            broken = list(_of_promise(said, remedy, then))
            yield from broken
            if broken or then.document["outcome"] == "Unknown":
                continue
            yield from _of_lesser(asked, work, remedy, after)
            if manifests == work.manifests:
                yield from _of_remedy_diff(asked, work, state, said, then.document["outcome"])


def _of_promise(said: str, remedy: dict[str, Any], then: Reply) -> Iterator[Contradiction]:
    """A plan with the remedy has the outcome and as many victims as it promises."""
    outcome, victims = then.document.get("outcome"), len(then.document.get("victims", ()))
    if outcome == "Unknown":  # the victims of an answer that is not exact are no promise
        if remedy["outcome"] != "Unknown" and not is_presumed(then.document):
            yield Contradiction("remedy-unknown", f"{said}: promised {remedy['outcome']}, found Unknown")
    elif outcome != remedy["outcome"] or victims != remedy["victims"]:
        promised = f"promised {remedy['outcome']} with {remedy['victims']} victims, found {outcome} {victims}"
        yield Contradiction("remedy-fails", f"{said}: {promised}")


def _of_work(objects: list[Manifest], work: Waiting) -> list[Manifest]:
    titles = {title(each) for each in work.manifests}
    return [each for each in objects if title(each) in titles]


def _of_lesser(asked: Asked, work: Waiting, remedy: dict[str, Any], stored: list[Manifest]) -> Iterator[Contradiction]:
    """No smaller change that would be ``stored`` as well does the same, with as few victims."""
    if remedy["outcome"] not in GETS_IN:
        return
    for less in lesser(remedy):
        after = all_after(asked.state.objects, work.manifests, less)
        if after is None:
            yield Contradiction("remedy-not-carried-out", f"{work.name}: {less}")
            continue
        then = asked.plan(asked.state.having(after), _of_work(after, work)).document
        as_good = GETS_IN if remedy["outcome"] != "Admitted" else ("Admitted",)  # at once, not after evictions
        if not then or then["outcome"] not in as_good or len(then["victims"]) > remedy["victims"]:
            continue
        if _FEWER.search(then["verdict"]) and not _FEWER.search(remedy["result"]):  # not the same way
            continue
        if new_errors(asked.program, stored, after, anywhere=True):
            continue
        found = [(change.get("resource"), change["after"]) for change in less["changes"]]
        yield Contradiction("remedy-too-large", f"{work.name}: {remedy['text']}: {found} does, too ({then['verdict']})")


def _of_remedy_diff(asked: Asked, work: Waiting, state: State, said: str, outcome: str) -> Iterator[Contradiction]:
    after = asked.program.file("other", state.objects)
    diff = asked.program.ask("diff", asked.file, after).document
    for each in diff.get("outcomes", ()):
        if f"{each['object']['namespace']}/{each['object']['name']}" != work.name or each["after"] is None:
            continue
        for moment, known in (("before", work.plan.document["outcome"]), ("after", outcome)):
            if each[moment] is None or (asked.state.house == "kai" and each[moment]["outcome"] == "Unknown"):
                continue  # ``diff`` is asked for no moment
            if each[moment]["outcome"] != known:
                yield Contradiction("remedy-diff", f"{said}: diff {moment} {each[moment]['outcome']}, plan {known}")
