"""The answer to ``plan`` as a document, whatever the scheduler."""

from collections.abc import Iterable
from typing import Final

from kubectl_fairshare.answers.answer import (
    Amount,
    Answer,
    BindingLimit,
    InTurn,
    Need,
    PossibleOutcome,
    Spared,
    Subject,
    TriedChange,
    Unasked,
    Victim,
)
from kubectl_fairshare.answers.details import Document, Places, PlanDetail
from kubectl_fairshare.answers.holds import Hold
from kubectl_fairshare.model.location import ObjectKey, key_texts
from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.report.documents.proof import proof
from kubectl_fairshare.report.need_parts import part_document

_LISTS: Final = ("victims", "notAsked", "bindings", "remedies")


def plan_document(answer: Answer[PlanDetail], places: Places) -> Document:
    """One answer with its proof, and the scheduler's own fields next to those that all share.

    Where both describe the same victims, queues, limits or remedies, an entry has the fields of both.
    """
    shared = _shared(answer, places)
    own = answer.detail.document(places)
    return {**shared, **own, **{name: joined_entries(shared[name], own[name]) for name in _LISTS if name in own}}


def joined_entries(shared: object, own: object) -> list[Document]:
    """Entries about the same things: those of the first list, which get the fields of the second.

    Raises ``ValueError`` where their numbers differ.
    """
    assert isinstance(shared, list)
    assert isinstance(own, list)
    for ours, theirs in zip(shared, own, strict=True):
        ours.update(theirs)
    return shared


def _shared(answer: Answer[PlanDetail], places: Places) -> Document:
    needs = [_need(need, places) for need in answer.needs]
    return {
        "apiVersion": parts.API_VERSION,
        "kind": "Plan",
        "scheduler": answer.scheduler,
        "outcome": answer.outcome.value,
        "byWhatIsModelled": answer.computed.value,
        "verdict": answer.verdict,
        "exitCode": answer.exit_code,
        "subject": _subject(answer.subject),
        "route": [{"kind": s.kind, "name": s.name, "place": parts.maybe_place(s.place, places)} for s in answer.route],
        "needs": needs,
        "victims": [{**_candidate(victim), "frees": _all_held(victim.frees)} for victim in answer.victims],
        "spared": [
            {**_candidate(each), "holds": _all_held(each.holds), "putBack": each.put_back} for each in answer.spared
        ],
        "notAsked": [_unasked(each) for each in answer.unasked],
        "bindings": [binding_part(limit, places) for limit in answer.binding],
        "remedies": [_remedy(remedy, places) for remedy in answer.remedies],
        "checks": [{"kind": check.kind, "name": check.name} for check in answer.checks],
        "holds": [hold_document(hold, places) for hold in answer.holds],
        "next": list(answer.next),
        "ties": [list(tie.between) for tie in answer.ties],
        "possible": [possible_document(each) for each in answer.possible],
        "inTurn": None if answer.in_turn is None else _turn(answer.in_turn),
        "proof": proof(answer.proof, places, answer.detail.sentence),
        "restsOn": key_texts(answer.rests_on),
        "fidelity": parts.fidelity(answer.fidelity, places),
    }


def _need(of: Need, places: Places) -> Document:
    free = None if of.free is None else _held(of.free)
    return {"asked": _held(of.asked), "free": free, "parts": [part_document(part, places) for part in of.parts]}


def hold_document(of: Hold, places: Places) -> Document:
    """What holds a workload besides quotas."""
    return {"kind": of.kind.value, "sentence": of.sentence, "place": parts.place(of.place, places)}


def possible_document(of: PossibleOutcome) -> Document:
    """One of the outcomes that ties, or moments, allow."""
    victims = [object_part(key) for key in of.victims]
    return {"outcome": of.outcome.value, "verdict": of.verdict, "victims": victims, "where": of.where}


def _turn(of: InTurn) -> Document:
    return {"first": of.first, "outcome": of.outcome.value, "verdict": of.verdict, "doubts": list(of.doubts)}


def _subject(of: Subject) -> Document:
    source = None if of.source is None else str(of.source)
    return {**object_part(of.key), "priority": of.priority, "source": source}


def object_part(key: ObjectKey) -> dict[str, object]:
    """An object by its names."""
    return {"group": key.group, "kind": key.kind, "namespace": key.namespace, "name": key.name}


def _candidate(of: Victim | Spared) -> dict[str, object]:
    return {
        "object": object_part(of.key),
        "queue": of.queue,
        "priority": of.priority,
        "law": of.law,
        "rule": of.rule,
        "because": of.because,
    }


def _amount(of: Amount) -> Document:
    return parts.stated_amount(of.text, of.value)


def _held(of: Amount) -> Document:
    return {"resource": of.resource, "flavor": of.pool, "amount": _amount(of)}


def _all_held(amounts: Iterable[Amount]) -> list[Document]:
    return [_held(amount) for amount in amounts]


def _unasked(of: Unasked) -> Document:
    return {
        "queue": of.queue,
        "law": of.law,
        "because": of.because,
        "workloads": of.workloads,
        "holds": _all_held(of.holds),
    }


def binding_part(of: BindingLimit, places: Places) -> Document:
    """A limit that binds."""
    return {
        "clause": of.clause,
        "resource": of.needed.resource,
        "flavor": of.needed.pool,
        "needed": _amount(of.needed),
        "reachable": _amount(of.reachable),
        "short": _amount(of.short),
        "always": of.ever,
        "place": parts.maybe_place(of.place, places),
    }


def _remedy(of: TriedChange, places: Places) -> Document:
    return {
        "text": of.change,
        "result": of.result,
        "maker": of.maker.value,
        "outcome": of.outcome.value,
        "victims": of.victims,
        "place": parts.maybe_place(of.place, places),
    }
