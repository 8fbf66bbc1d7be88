"""Answers as documents: one reading of a struct's fields says what JSON they become, and what schema that has.

Tested in ``tests/unit/report/documents/test_structs.py``.
"""

import math
from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache
from types import MappingProxyType, NoneType, UnionType
from typing import Annotated, Any, Final, Literal, NamedTuple, TypedDict, Union, get_args, get_origin, get_type_hints

from msgspec.structs import fields

from kubectl_fairshare.answers.answer import Amount, BindingLimit, Spared, TriedChange, Unasked, Victim
from kubectl_fairshare.answers.counts import QueueCounts
from kubectl_fairshare.answers.documents import (
    MOMENT,
    OPERANDS,
    DocumentKind,
    DocumentPart,
    Extended,
    ProofSteps,
    WrittenAnswer,
)
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.figures import NULL_IF_INFINITE, OMITTED, QUANTITY
from kubectl_fairshare.answers.shares import QueueNode
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.report.documents import plan as plan_parts
from kubectl_fairshare.report.documents.proof import ProofPart, proof
from kubectl_fairshare.trace import Fact, Operand

Places = parts.Places
Convert = Callable[[Any, str, Places], Any]
"""What makes JSON of a value, given the resource that amounts are of and where the fields of objects are."""


def _place(at: Place, _: str, places: Places) -> parts.PlacePart:
    return parts.place(at, places)


def _fidelity(of: Fidelity, _: str, places: Places) -> parts.FidelityPart:
    return parts.fidelity(of, places)


def _object(of: ObjectKey, *_: object) -> parts.WorkloadName:
    return parts.workload_name(of)


def _amount(of: Amount, *_: object) -> parts.AmountPart:
    return parts.stated_amount(of.text, int(of.value))


def _proof(of: ProofSteps, _: str, places: Places) -> ProofPart:
    return proof(of.steps, places, of.sentence)


def _operand(of: Operand, *_: object) -> parts.OperandValue:
    return parts.operand(of)


def _fact(of: Fact, _: str, places: Places) -> parts.GroundPart:
    return parts.ground(of, places)


def _victim(of: Victim, *_: object) -> plan_parts.VictimEntry:
    return plan_parts.victim_part(of)


def _spared(of: Spared, *_: object) -> plan_parts.SparedPart:
    return plan_parts.spared_part(of)


def _unasked(of: Unasked, *_: object) -> plan_parts.UnaskedEntry:
    return plan_parts.unasked_part(of)


def _limit(of: BindingLimit, _: str, places: Places) -> plan_parts.BindingEntry:
    return plan_parts.binding_part(of, places)


def _remedy(of: TriedChange, _: str, places: Places) -> plan_parts.RemedyEntry:
    return plan_parts.remedy_part(of, places)


_SHARED: Final[Mapping[Any, Convert]] = {
    Operand: _operand,
    Victim: _victim,
    Spared: _spared,
    Unasked: _unasked,
    BindingLimit: _limit,
    TriedChange: _remedy,
    Fact: _fact,
    Place: _place,
    Fidelity: _fidelity,
    ObjectKey: _object,
    Amount: _amount,
    ProofSteps: _proof,
}


class _Written(NamedTuple):
    """What JSON a type becomes: what makes it, None if the value is JSON; and the type that its schema is made of."""

    convert: Convert | None
    type: Callable[[], Any]


class Forms:
    """How the structs of one house are written.

    ``hooks`` make parts of values of types that are no structs, or that JSON has in another way; the schema is made
    of the type that they return. The rest follows from the fields: an amount is its canonical text and the integer, a
    field without a name in JSON has that of its attribute.
    """

    def __init__(self, hooks: Mapping[Any, Callable[[Any], Any]] = MappingProxyType({})) -> None:
        self._made = hooks
        self._known: dict[type, tuple[tuple[str, str, _Written], ...]] = {}
        self._parts: dict[type, type] = {}

    def document(self, kind: str, of: Value, places: Places) -> dict[str, Any]:
        """An answer as a document of a kind."""
        return {"apiVersion": parts.API_VERSION, "kind": kind, **self.part(of, places)}

    def part(self, of: Value, places: Places, resource: str = "") -> dict[str, Any]:
        """A struct as a part of a document; amounts are of its resource, or of that of the struct that has it."""
        found = {}
        resource = getattr(of, "resource", resource)
        for name, attribute, (convert, _) in self._fields(type(of)):
            value = getattr(of, attribute)
            found[name] = value if convert is None else convert(value, resource, places)
        return found

    def document_type(self, kind: str, of: type, *shared: type) -> type:
        """The type of a kind's documents, with the fields of ``shared``; a list that both have joins its entries."""
        more = {name: each for base in shared for name, each in get_type_hints(base, include_extras=True).items()}
        head = {"apiVersion": parts.ApiVersion, "kind": Literal[kind]}
        own = self._types(of)
        joined = {name: _joined(more[name], own[name]) for name in own.keys() & more.keys()}
        if "queues" in more:
            (queue,) = get_args(more["queues"])
            joined["queues"] = _joined(more["queues"], joined.get("queues", list[queue]), self._types(QueueCounts))  # type: ignore[valid-type]  # made here
        if of.__name__.endswith("Document"):
            return _typed(of.__name__, of, {**head, **more, **own} if "route" in more else {**head, **own, **more})
        return _typed(f"{kind}Document", of, {**head, **more, **own, **joined})

    def part_type(self, of: type) -> type:
        """The type of a struct's parts; a struct has one, as a schema names it once."""
        if of not in self._parts:
            self._parts[of] = _typed(_part_name(of), of, self._types(of))
        return self._parts[of]

    def _types(self, of: type) -> dict[str, Any]:
        return {name: form.type() for name, _, form in self._fields(of)}

    def _fields(self, of: type) -> tuple[tuple[str, str, _Written], ...]:
        """The fields of a struct: the name in JSON, the attribute, the form."""
        found = self._known.get(of)
        if found is None:
            shown = (each for each in fields(of) if getattr(each.type, "__metadata__", ()) != (OMITTED,))
            found = tuple((each.encode_name, each.name, self._form(each.type)) for each in shown)
            self._known[of] = found
        return found

    def _form(self, of: Any) -> _Written:
        if of in self._made:
            return self._made_form(self._made[of])
        if of in _SHARED:
            hook = _SHARED[of]
            return _Written(hook, lambda: get_type_hints(hook)["return"])
        return self._plain_form(of, get_origin(of), get_args(of))

    def _plain_form(self, of: Any, origin: Any, inner: tuple[Any, ...]) -> _Written:
        """That of a type without a hook."""
        if origin is Annotated:
            return _marked(of.__metadata__[0])
        if origin in (Union, UnionType):
            return _optional(self._form(inner[0])) if inner[1:] == (NoneType,) else _Written(None, lambda: of)
        if origin is Extended:
            return _both(*map(self._form, inner))
        if origin is tuple and get_origin(inner[0]) is QueueNode:
            return self._nodes(*get_args(inner[0]))
        if origin is tuple:
            return _listed(self._form(inner[0]))
        if isinstance(of, type) and issubclass(of, Enum):
            values = tuple(each.value for each in of)
            return _Written(lambda value, *_: value.value, lambda: Literal[values] if values else str)
        if isinstance(of, type) and issubclass(of, Value):
            return _Written(
                lambda value, resource, places: self.part(value, places, resource), lambda: self.part_type(of)
            )
        return _Written(None, lambda: of)

    def _made_form(self, make: Callable[[Any], Any]) -> _Written:
        """That of what a hook makes."""
        made = self._form(get_type_hints(make)["return"])
        write = made.convert
        if write is None:
            return _Written(lambda value, *_: make(value), made.type)
        return _Written(lambda value, resource, places: write(make(value), resource, places), made.type)

    def _nodes(self, own: type, record: type) -> _Written:
        """Trees of queues as a list, parents before their children; what is known of each resource is in each."""

        def convert(trees: Any, _: str, places: Places) -> list[dict[str, Any]]:
            return [
                {**self.part(node.own, places), "resources": [self.part(each.own, places) for each in node.figures]}
                for tree in trees
                for node in tree
            ]

        def entry() -> Any:
            resources = {"resources": list[self.part_type(record)]}  # type: ignore[misc]  # made here
            return list[_typed(_part_name(own), own, {**self._types(own), **resources})]  # type: ignore[misc]

        return _Written(convert, entry)


@cache
def _forms(kind: DocumentKind) -> Forms:
    return Forms(kind.hooks)


def written(of: WrittenAnswer, places: Places) -> dict[str, Any]:
    """An answer as a document of its kind."""
    return _forms(of.kind).document(of.kind.name, of.of, places)


def written_entry(of: WrittenAnswer, places: Places) -> dict[str, Any]:
    """An answer as an entry of a list of that kind."""
    return _forms(of.kind).part(of.of, places)


def document_type(kind: DocumentKind) -> type:
    """The type of a kind's documents, for its schema."""
    from kubectl_fairshare.report.documents import shared  # only schemas need it

    forms = _forms(kind)
    if kind.shared == "waiting":
        return _waiting_type(forms.part_type(kind.of))
    alike = {"shares": shared.SharedShares, "cycle": shared.SharedCycle, "plan": plan_parts.SharedPlan}
    bases = {**alike, "why": shared.Explained}
    return forms.document_type(kind.name, kind.of, *((bases[kind.shared],) if kind.shared else ()))


def _waiting_type(entry: type) -> type:
    """The type of a list of what waits, with what one scheduler says of each workload."""
    from kubectl_fairshare.report.documents.shared import ListedWorkload, WaitingDocument, WaitingGroup

    listed = _both_types(ListedWorkload, entry)
    group = _typed("WaitingGroup", WaitingGroup, {**get_type_hints(WaitingGroup), "workloads": list[listed]})  # type: ignore[valid-type]  # made here
    whole = {**get_type_hints(WaitingDocument, include_extras=True), "groups": list[group]}  # type: ignore[valid-type]  # made here
    return _typed("WaitingDocument", WaitingDocument, whole)


def _marked(mark: Any) -> _Written:
    """What an annotation says of how a value is written."""
    return _plan_form(mark) if isinstance(mark, DocumentKind) else _MARKED[mark]


def _plan_form(kind: DocumentKind) -> _Written:
    """A plan within another answer."""
    from kubectl_fairshare.report.plan_document import plan_document

    return _Written(lambda value, _, places: plan_document(value, places), lambda: document_type(kind))


def _both(shared: _Written, own: _Written) -> _Written:
    """An entry that has the fields of two."""
    first, second = shared.convert, own.convert
    assert first is not None
    assert second is not None
    return _Written(
        lambda value, resource, places: {
            **first(value.shared, resource, places),
            **second(value.own, resource, places),
        },
        lambda: _both_types(shared.type(), own.type()),
    )


_QUANTITY: Final = _Written(lambda value, resource, _: parts.amount(resource, value), lambda: parts.AmountPart)
_BOUNDLESS: Final = _Written(lambda value, *_: None if math.isinf(value) else value, lambda: float | None)
_MOMENT: Final = _Written(lambda value, *_: parts.moment(value), lambda: str | None)
_OPERANDS: Final = _Written(
    lambda value, *_: {name: parts.operand(each) for name, each in value}, lambda: dict[str, parts.OperandValue]
)
_MARKED: Final[Mapping[str, _Written]] = {
    QUANTITY: _QUANTITY,
    NULL_IF_INFINITE: _BOUNDLESS,
    MOMENT: _MOMENT,
    OPERANDS: _OPERANDS,
}


def _optional(form: _Written) -> _Written:
    convert = form.convert
    if convert is None:
        return _Written(None, lambda: form.type() | None)
    return _Written(
        lambda value, resource, places: None if value is None else convert(value, resource, places),
        lambda: form.type() | None,
    )


def _listed(form: _Written) -> _Written:
    convert = form.convert
    if convert is None:
        return _Written(lambda value, *_: list(value), lambda: list[form.type()])  # type: ignore[misc]  # made here
    return _Written(
        lambda value, resource, places: [convert(each, resource, places) for each in value],
        lambda: list[form.type()],  # type: ignore[misc]  # made here
    )


def _joined(shared: Any, own: Any, more: Mapping[str, Any] = MappingProxyType({})) -> Any:
    """The type of a list whose entries have the fields of both, and more."""
    if shared is own:
        return own
    (theirs,), (ours,) = get_args(shared), get_args(own)
    return list[_both_types(theirs, ours, more)]  # type: ignore[misc]  # made here


def _both_types(shared: type, own: type, more: Mapping[str, Any] = MappingProxyType({})) -> type:
    """The type of an entry that has the fields of both, and more."""
    hints = (get_type_hints(each, include_extras=True) for each in (shared, own))
    return _typed(own.__name__, own, {name: each for fields_of in (*hints, more) for name, each in fields_of.items()})


def _typed(name: str, about: type, of: Mapping[str, Any]) -> type:
    return _made_type(name, about.__doc__, tuple(of.items()))


@cache
def _made_type(name: str, about: str | None, of: tuple[tuple[str, Any], ...]) -> type:
    """A type of mappings; the same for the same fields, as a schema names it once."""
    made: type = TypedDict(name, dict(of))  # type: ignore[misc]  # made here
    made.__doc__ = about
    return made


def _part_name(of: type) -> str:
    return (
        of.__name__
        if issubclass(of, DocumentPart)
        else f"{of.__name__.removesuffix('Report').removesuffix('Figures')}Part"
    )
