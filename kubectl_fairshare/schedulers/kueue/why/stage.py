"""How far a workload with quota has come: it is being evicted, it runs, or its admission checks have not all passed.

Source: Kueue v0.19; "standing" in ``docs/laws.md``. Tested in ``tests/unit/cli/test_why_states.py``.
"""

from collections.abc import Iterator, Sequence

from kubectl_fairshare.answers.standing import Verdict
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.moments import moment_text
from kubectl_fairshare.schedulers.kueue.jobs.record import Record
from kubectl_fairshare.schedulers.kueue.laws import Law
from kubectl_fairshare.schedulers.kueue.model.workload import Holder
from kubectl_fairshare.schedulers.kueue.tree.state import State
from kubectl_fairshare.schedulers.kueue.why.verdict import Reason
from kubectl_fairshare.trace import Fact, Operand, Step


def stage(state: State, holder: Holder, record: Record) -> tuple[Verdict, Reason, Step, int | None]:
    """The state of a workload with quota: it is being evicted, it runs, or its checks have not all passed."""
    evicted, admitted = record.condition("Evicted"), record.condition("Admitted")
    queue: tuple[tuple[str, Operand], ...] = (("cluster queue", holder.cluster_queue),)
    if evicted is not None and evicted.holds:
        because = Step(Law.BEING_EVICTED, (*queue, ("reason", evicted.reason)), False, (evicted.message_fact,))
        return Verdict.WAITING, Reason.EVICTED, because, evicted.moment
    if admitted is not None and admitted.holds:
        because = Step(Law.ADMITTED, queue, True, (admitted.reason_fact,))
        return Verdict.RUNNING, Reason.ADMITTED, because, admitted.moment
    rejected = [c for c in record.checks if c.state == "Rejected"]
    open_checks = [c.name for c in record.checks if c.state != "Ready"] or _untold_checks(state, holder, record)
    if not open_checks and (admitted is None or admitted.reason != "PendingDelayedTopologyRequests"):
        reserved = record.condition("QuotaReserved")
        known = () if reserved is None else (reserved.reason_fact,)
        return Verdict.RUNNING, Reason.ADMITTED, Step(Law.ADMITTED, queue, True, known), holder.reserved
    law = Law.CHECK_REJECTED if rejected else Law.CHECKS_PENDING
    names = [c.name for c in rejected] or open_checks
    facts = tuple(_check_facts(state, holder, record, names))
    described = ", ".join(_described(state, record, name) for name in names)
    because = Step(law, (*queue, ("checks", ", ".join(names)), ("described", described)), False, facts)
    return Verdict.NEVER if rejected else Verdict.WAITING, Reason.CHECKS, because, holder.reserved


def _described(state: State, record: Record, name: str) -> str:
    """A check with its controller, and with its state and since when it has that, as far as is known."""
    known = state.kueue.checks.get(name)
    check = next((c for c in record.checks if c.name == name), None)
    controller = known.controller if known is not None else ""
    said = "" if check is None else check.state + (f" since {moment_text(check.moment)}" if check.moment else "")
    details = ", ".join(part for part in (controller, said) if part)
    return f"{name} ({details})" if details else name


def _untold_checks(state: State, holder: Holder, record: Record) -> list[str]:
    """The checks that apply to the assigned flavors, if the status does not list any yet."""
    queue = state.kueue.cluster_queues.get(holder.cluster_queue)
    if record.checks or queue is None:
        return []
    flavors = {pair.flavor for pair in holder.usage}
    return sorted(c.name for c in queue.checks if not c.on_flavors or flavors & {*c.on_flavors})


def _check_facts(state: State, holder: Holder, record: Record, names: Sequence[str]) -> Iterator[Fact]:
    """The states of the open checks, and the AdmissionChecks themselves."""
    for check in record.checks:
        if check.name in names:
            yield Fact(Place(check.place.object, (*check.place.path, "state")), check.state)
    for name in names:
        known = state.kueue.checks.get(name)
        if known is not None:
            yield Fact(Place(known.key, ("spec", "controllerName")), known.controller)
    queue = state.kueue.cluster_queues.get(holder.cluster_queue)
    if queue is not None:
        for i, use in enumerate(queue.checks):
            if use.name in names:
                path = ("spec", "admissionChecksStrategy", "admissionChecks", i, "name")
                yield Fact(Place(queue.key, path), use.name)
