"""The answer to ``plan`` as a document, whatever the scheduler."""

from collections.abc import Callable, Iterable
from typing import Any

from kubectl_fairshare.answers.answer import Answer, Need
from kubectl_fairshare.answers.details import Document, Places, PlanDetail
from kubectl_fairshare.model.location import key_texts
from kubectl_fairshare.report.documents import parts, plan
from kubectl_fairshare.report.documents.proof import proof
from kubectl_fairshare.report.documents.structs import written
from kubectl_fairshare.report.need_parts import part_document


def plan_document(answer: Answer[PlanDetail], places: Places) -> Document:
    """One answer with its proof, and the scheduler's own fields next to those that all share.

    Where a scheduler says more of the same victims, queues, limits or remedies, its list has the entries of all.
    """
    own = written(answer.detail.document(answer), places)

    def unless_own(name: str, values: Iterable[Any], write: Callable[[Any], object]) -> list[object]:
        return [] if name in own else [write(value) for value in values]

    shared = {
        "apiVersion": parts.API_VERSION,
        "kind": "Plan",
        "scheduler": answer.scheduler,
        "outcome": answer.outcome.value,
        "byWhatIsModelled": answer.computed.value,
        "verdict": answer.verdict,
        "exitCode": answer.exit_code,
        "subject": plan.subject_part(answer.subject),
        "route": [{"kind": s.kind, "name": s.name, "place": parts.maybe_place(s.place, places)} for s in answer.route],
        "needs": [_need(need, places) for need in answer.needs],
        "victims": unless_own("victims", answer.victims, plan.victim_part),
        "spared": [plan.spared_part(each) for each in answer.spared],
        "notAsked": unless_own("notAsked", answer.unasked, plan.unasked_part),
        "bindings": unless_own("bindings", answer.binding, lambda limit: plan.binding_part(limit, places)),
        "remedies": unless_own("remedies", answer.remedies, lambda remedy: plan.remedy_part(remedy, places)),
        "checks": [{"kind": check.kind, "name": check.name} for check in answer.checks],
        "holds": [plan.hold_part(hold, places) for hold in answer.holds],
        "next": list(answer.next),
        "ties": [list(tie.between) for tie in answer.ties],
        "possible": [plan.possible_part(each) for each in answer.possible],
        "inTurn": None if answer.in_turn is None else plan.turn_part(answer.in_turn),
        "proof": proof(answer.proof, places, answer.detail.sentence),
        "restsOn": key_texts(answer.rests_on),
        "fidelity": parts.fidelity(answer.fidelity, places),
    }
    return {**shared, **own}


def _need(of: Need, places: Places) -> Document:
    free = None if of.free is None else plan.held_part(of.free)
    terms = [part_document(part, places) for part in of.parts]
    return {"asked": plan.held_part(of.asked), "free": free, "parts": terms}
