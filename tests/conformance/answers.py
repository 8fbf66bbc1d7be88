"""What the engine says to a scenario's question, as plain documents that ``then`` is compared with."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kubectl_fairshare.model.quantity import amount
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers.kueue.cycle.cycle import ProcessedHead
from kubectl_fairshare.schedulers.kueue.cycle.saturation import saturate
from kubectl_fairshare.schedulers.kueue.engine import KueueEngine
from kubectl_fairshare.schedulers.kueue.explain.decision import Binding, Plan, Remedy, SparedCandidate
from kubectl_fairshare.schedulers.kueue.explain.shares import KueueNode
from kubectl_fairshare.schedulers.kueue.laws import Share
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import FlavorResource, Pending
from kubectl_fairshare.schedulers.kueue.preemption.targets import Target
from kubectl_fairshare.schedulers.kueue.words import messages as kueue_messages
from kubectl_fairshare.schedulers.kueue.words.condition import condition
from kubectl_fairshare.trace import Fact, Operand, Step
from tests.conformance import elasticquota_answers, koordinator_answers
from tests.conformance.scenarios import ASKED, Document, Scenario, UnknownKeyError, known, snapshot

_FIGURES = ("nominal", "subtree", "local", "usage", "borrowed", "lent", "available", "potential")


def answer(scenario: Scenario) -> Document:
    """All that may stand in ``then``: the answer to the question, and the state that it was asked of."""
    others = {"elasticquota": elasticquota_answers.answer, "koordinator": koordinator_answers.answer}
    if scenario.engine in others:
        return others[scenario.engine](scenario)
    known("when", scenario.when, ("plan", "cycle", "explain", "saturated", "shares"))
    ((question, asked),) = scenario.when.items()
    state = snapshot(scenario.given, asked if question == "plan" else None)
    engine = KueueEngine()
    answered = _state(engine, state)
    if question == "plan":
        names = {node.id: node.name for node in engine.state(state).forest.nodes}
        answered |= _plan(engine.plan(state, _asked(state)), names)
    elif question == "cycle":
        answered |= _cycle(engine, state)
    elif question == "explain":
        answered |= {"steps": _steps(engine.explain(state, asked).steps)}
    elif question == "saturated":
        answered |= _saturated(engine, state, asked)
    return answered


def differences(expected: Any, found: Any, where: str = "then") -> Iterator[str]:
    """Where ``found`` is not as ``expected``: keys that are not expected may have any value, lists are whole.

    Raises ``UnknownKeyError`` for an expected key that is not among those found.
    """
    if isinstance(expected, dict) and isinstance(found, dict):
        known(where, expected, found)
        for key, value in expected.items():
            yield from differences(value, found[key], f"{where}.{key}")
    elif isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        for i, pair in enumerate(zip(expected, found, strict=True)):
            yield from differences(*pair, f"{where}[{i}]")
    elif expected != found or isinstance(expected, bool) is not isinstance(found, bool):
        yield f"{where}: expected {expected!r}, found {found!r}"


def _asked(state: Snapshot) -> Pending:
    return next(w for w in state.part(KueueState).pending if w.key.name == ASKED)


def _pair(pair: FlavorResource | None) -> str | None:
    return None if pair is None else f"{pair.resource} in {pair.flavor}"


def _one(figures: Mapping[str, Any]) -> Any:
    """The figures by name, or the figure itself where there is but one."""
    return next(iter(figures.values())) if len(figures) == 1 else dict(figures)


def _number(share: Share) -> float | str:
    """The share; an infinite one in the words of the scheduler's own records, as JSON has no number for it."""
    return "+Inf" if share.rank else share.value


def _state(engine: KueueEngine, state: Snapshot) -> Document:
    tree = engine.shares(state)
    loans = [
        {"borrower": o.borrower, "lender": o.lender, "cohort": o.cohort, "amount": o.amount, "of": _pair(o.pair)}
        for o in tree.loans
    ]
    return {"nodes": dict(_nodes(tree.trees)), "loans": loans, "cycles": list(tree.cycles)}


def _nodes(roots: Iterable[KueueNode]) -> Iterator[tuple[str, Document]]:
    for root in roots:
        for node in root:
            yield node.name, _node(node)


def _node(node: KueueNode) -> Document:
    report = node.own
    own = {
        "kind": report.kind,
        "declared": report.declared,
        "weight": report.weight,
        "share": _number(report.share),
        "roundedShare": report.share.rounded,
        "dominant": report.share.dominant,
        "borrowing": report.share.borrowing,
        "borrowPath": list(report.borrows_from),
        "inactive": [] if report.inactive is None else list(report.inactive.reasons),
        "running": report.running,
        "pending": report.pending,
        "children": [child.name for child in node.children],
    }
    return own | {name: _figure(node.pairs, name) for name in _FIGURES}


def _figure(pairs: Mapping[Any, Any], name: str) -> Any:
    return _one({str(_pair(FlavorResource(*pair))): getattr(figures, name) for pair, figures in pairs.items()})


def _plan(plan: Plan, names: Mapping[int, str]) -> Document:
    nomination, said = plan.nomination, condition(plan)
    assignment = nomination.assignment
    pod_sets = () if assignment is None else assignment.pod_sets
    return {
        "outcome": str(plan.outcome),
        "mode": str(nomination.mode),
        "clusterQueue": nomination.cluster_queue,
        "borrowing": 0 if assignment is None else assignment.borrowing,
        "flavors": {r: flavor for p in pod_sets for r, (flavor, _) in p.flavors.items()},
        "pods": sum(p.count for p in pod_sets if p.flavors),
        "tried": [
            {
                "flavor": a.flavor,
                "mode": a.grade.name.lower().replace("_", "-"),
                "level": a.level,
                "reasons": sorted(kueue_messages.reason(r) for r in a.reasons),
            }
            for p in pod_sets
            for a in p.attempts
        ],
        "victims": [_victim(t, names) for t in plan.targets],
        "putBack": [t.holder.key.name for t in plan.put_back],
        "refused": [_refused(r) for r in plan.refused],
        "notAsked": {n.queue: str(n.law) for n in plan.not_asked},
        "binds": [_binding(b) for b in plan.bindings],
        "remedies": [_remedy(r) for r in plan.remedies],
        "position": None if plan.standing is None else plan.standing.position,
        "ahead": [w.key.name for w in (plan.standing.ahead if plan.standing else ())],
        "blocker": plan.standing.blocker.key.name if plan.standing and plan.standing.blocker else None,
        "ties": [list(tie) for tie in plan.ties],
        "reason": said.token,
        "message": said.message,
    }


def _victim(target: Target, names: Mapping[int, str]) -> Document:
    trial = target.trial
    at = None if trial.at is None else [names[node] for node in trial.at]
    return {
        "workload": target.holder.key.name,
        "queue": target.holder.cluster_queue,
        "reason": str(target.reason),
        "law": str(trial.law),
        "between": at,
        **_compared(trial.mine, trial.theirs),
    }


def _compared(mine: Share | None, theirs: Share | None) -> Document:
    return {
        "newShare": None if mine is None else _number(mine),
        "theirShare": None if theirs is None else _number(theirs),
    }


def _refused(refused: SparedCandidate) -> Document:
    return {
        "workload": refused.holder.key.name,
        "queue": refused.queue,
        "law": str(refused.law),
        "between": None if refused.at is None else list(refused.at),
        **_compared(refused.mine, refused.theirs),
    }


def _binding(binding: Binding) -> Document:
    return {
        "of": _pair(binding.pair),
        "node": binding.node,
        "kind": binding.node_kind,
        "limit": str(binding.kind),
        "value": binding.value,
        "needed": binding.needed,
        "reachable": binding.reachable,
        "short": binding.short,
        "ever": binding.ever,
        "field": str(binding.place) if binding.place else None,
    }


def _remedy(remedy: Remedy) -> Document:
    return {
        "change": str(remedy.kind),
        "node": remedy.object.name if remedy.object else None,
        "from": remedy.before,
        "to": remedy.after,
        "outcome": str(remedy.outcome),
        "victims": remedy.victims,
        "class": remedy.named,
        "also": [
            {"node": each.object and each.object.name, "from": each.before, "to": each.after} for each in remedy.also
        ],
    }


def _cycle(engine: KueueEngine, state: Snapshot) -> Document:
    report = engine.cycle(state)
    return {
        "entries": [_entry(e) for e in report.round.entries],
        "waiting": dict(report.waiting),
        "ties": [list(tie) for tie in report.round.ties],
    }


def _entry(entry: ProcessedHead) -> Document:
    return {
        "workload": entry.nomination.workload.key.name,
        "clusterQueue": entry.nomination.cluster_queue,
        "status": str(entry.status) or "requeued",
        "mode": entry.mode,
        "reason": entry.reason,
        "message": kueue_messages.entry_message(entry),
        "victims": [{"workload": t.holder.key.name, "reason": str(t.reason)} for t in entry.targets],
    }


def _steps(steps: Iterable[Step | Fact]) -> Document:
    """All steps of a derivation by law and node, with those that they rest on."""
    found: Document = {}
    for step in steps:
        if isinstance(step, Step):
            key = f"{step.law} of {step.operand('node')}"
            operands: dict[str, Operand] = dict(step.operands)
            if found.setdefault(key, operands) != operands:
                raise UnknownKeyError(f"there is more than one {key}: explain a tree with one flavor and resource")
            found |= _steps(step.rests_on)
    return found


def _saturated(engine: KueueEngine, state: Snapshot, asked: Document) -> Document:
    known("saturated", asked, ("each", "queues"))
    shape = {resource: amount(resource, value) for resource, value in asked["each"].items()}
    queues = asked.get("queues")
    held = saturate(engine.state(state), shape, None if queues is None else dict.fromkeys(queues))
    swings = {queue: list(least_and_most) for queue, least_and_most in held.swings.items()}
    return {"usage": dict(held.usage), "rests": held.rests, "period": held.period, "swings": swings}
