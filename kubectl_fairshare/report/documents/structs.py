"""Answers as documents: one reading of a struct's fields says what JSON they become, and what schema that has.

Tested in ``tests/unit/report/documents/test_structs.py``.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from functools import cache
from types import MappingProxyType, NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NamedTuple,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from msgspec.structs import fields

from kubectl_fairshare.answers.answer import Amount, Answer, Tie
from kubectl_fairshare.answers.counts import QueueCounts
from kubectl_fairshare.answers.cycle import CycleSummary
from kubectl_fairshare.answers.details import PlanDetail
from kubectl_fairshare.answers.dispersion import Dispersion
from kubectl_fairshare.answers.documents import (
    AMOUNT_TEXT,
    COUNTS,
    IF_ANY,
    MOMENT,
    OBJECT_TEXT,
    OBJECT_TEXTS,
    OF_ONE_RESOURCE,
    OPERANDS,
    SECONDS,
    SPREAD_SECONDS,
    STATED,
    TIME,
    YAML_TEXT,
    AnswerPart,
    DocumentKind,
    DocumentOf,
    Extended,
    ProofSteps,
    WrittenAnswer,
)
from kubectl_fairshare.answers.fidelity import Fidelity
from kubectl_fairshare.answers.figures import NULL_IF_INFINITE, OMITTED, QUANTITY
from kubectl_fairshare.answers.shares import QueueNode
from kubectl_fairshare.answers.standing import WhyAnswer
from kubectl_fairshare.model.location import Location, ObjectKey, Place, key_texts
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.report.documents.made_types import both_types, joined, part_name, typed
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


def _alternatives(of: Tie) -> tuple[str, ...]:
    return of.between


_SHARED: Final[Mapping[Any, Convert]] = {
    Operand: _operand,
    Fact: _fact,
    Place: _place,
    Fidelity: _fidelity,
    ObjectKey: _object,
    Amount: _amount,
    ProofSteps: _proof,
}


def _file_text(of: Mapping[str, object] | None, *_: object) -> str | None:
    from kubectl_fairshare.report.yaml_text import yaml_text

    return None if of is None else yaml_text(of)


def _in_seconds(of: Dispersion, *_: object) -> parts.DispersionPart:
    mean, median, p95, most = (each / 10**9 for each in of)
    return {"mean": mean, "median": median, "p95": p95, "most": most}


class _Written(NamedTuple):
    """What JSON a type becomes: what makes it, None if the value is JSON; and the type that its schema is made of.

    ``if_any``: documents leave it out where it is empty.
    """

    convert: Convert | None
    type: Callable[[], Any]
    if_any: bool = False


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

    def part(
        self, of: Value, places: Places, resource: str = "", known: Mapping[str, Any] = MappingProxyType({})
    ) -> dict[str, Any]:
        """A struct as a part of a document; amounts are of its resource, or of that of the struct that has it.

        Fields that are ``known`` are not made.
        """
        found = {}
        resource = getattr(of, "resource", resource)
        for name, attribute, (convert, _, if_any) in self._fields(type(of)):
            if name in known:
                found[name] = known[name]
                continue
            value = getattr(of, attribute)
            if value or not if_any:
                found[name] = value if convert is None else convert(value, resource, places)
        return found

    def document_type(self, kind: str, of: type, *shared: type) -> type:
        """The type of a kind's documents, with the fields of ``shared``; a list that both have joins its entries."""
        more = {name: each for base in shared for name, each in _shared_types(base).items()}
        head = {"apiVersion": parts.ApiVersion, "kind": Literal[kind]}
        own = self.types(of)
        joint = {name: joined(more[name], own[name]) for name in own.keys() & more.keys()}
        if "queues" in more:
            (queue,) = get_args(more["queues"])
            joint["queues"] = joined(more["queues"], joint.get("queues", list[queue]), self.types(QueueCounts))  # type: ignore[valid-type]  # made here
        if of.__name__.endswith("Document"):
            return typed(of.__name__, of, {**head, **more, **own} if Answer in shared else {**head, **own, **more})
        return typed(f"{kind}Document", of, {**head, **more, **own, **joint})

    def part_type(self, of: type) -> type:
        """The type of a struct's parts; a struct has one, as a schema names it once."""
        if of not in self._parts:
            self._parts[of] = typed(part_name(of), of, self.types(of))
        return self._parts[of]

    def _fields(self, of: type) -> tuple[tuple[str, str, _Written], ...]:
        """The fields of a struct: the name in JSON, the attribute, the form."""
        found = self._known.get(of)
        if found is None:
            found = tuple((name, attribute, self._form(each)) for name, attribute, each in _shown(of))
            self._known[of] = found
        return found

    def types(self, of: type) -> dict[str, Any]:
        """The types of a struct's fields, as documents have them."""
        return {name: form.type() for name, _, form in self._fields(of)}

    def _form(self, of: Any) -> _Written:
        if self is not ANSWERS and isinstance(of, type) and issubclass(of, AnswerPart):
            return ANSWERS.form(of)
        return self.form(of)

    def form(self, of: Any) -> _Written:
        """How a type is written."""
        if of in self._made:
            return self._made_form(self._made[of])
        if of in _SHARED:
            hook = _SHARED[of]
            return _Written(hook, lambda: get_type_hints(hook)["return"])
        return self._plain_form(of, get_origin(of), get_args(of))

    def _plain_form(self, of: Any, origin: Any, inner: tuple[Any, ...]) -> _Written:
        """That of a type without a hook."""
        if origin is Annotated:
            return self._marked(of.__metadata__[0], of.__origin__)
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

    def _marked(self, mark: Any, of: Any) -> _Written:
        """What an annotation says of how a value of a type is written."""
        if isinstance(mark, DocumentKind):
            return _Written(lambda value, _, places: plan_document(value, places), lambda: document_type(mark))
        if isinstance(mark, DocumentOf):
            return _Written(
                lambda value, _, places: self.document(mark.kind, value, places),
                lambda: self.document_type(mark.kind, of),
            )
        if callable(mark):
            return self._made_form(mark)
        if mark in _MARKED:
            return _MARKED[mark]
        inner = self._form(of)
        if mark == IF_ANY:
            return _Written(inner.convert, lambda: NotRequired[inner.type()], if_any=True)
        assert mark == OF_ONE_RESOURCE
        return _listed(self._without_resource(get_args(of)[0]))

    def _without_resource(self, of: type) -> _Written:
        """A part of what has its resource."""

        def convert(value: Value, _: str, places: Places) -> dict[str, Any]:
            return {name: each for name, each in self.part(value, places).items() if name != "resource"}

        def kept() -> type:
            types = {name: each for name, each in self.types(of).items() if name != "resource"}
            return typed(f"{of.__name__}OfResource", of, types)

        return _Written(convert, kept)

    def _made_form(self, make: Callable[[Any], Any]) -> _Written:
        """That of what a hook makes."""
        made = self._form(get_type_hints(make)["return"])
        write = made.convert
        if write is None:
            return _Written(lambda value, *_: make(value), made.type)
        return _Written(lambda value, resource, places: write(make(value), resource, places), made.type)

    def _nodes(self, own: type, record: type) -> _Written:
        """Trees of queues as a list, parents before their children; what is known of each resource is in each.

        Records that do not name their resource are more of the figures that all schedulers share.
        """
        name = "resources" if any(name == "resource" for name, *_ in _shown(record)) else "figures"

        def convert(trees: Any, _: str, places: Places) -> list[dict[str, Any]]:
            return [
                {**self.part(node.own, places), name: [self.part(each.own, places) for each in node.figures]}
                for tree in trees
                for node in tree
            ]

        def entry() -> Any:
            resources = {name: list[self.part_type(record)]}  # type: ignore[misc]  # made here
            return list[typed(part_name(own), own, {**self.types(own), **resources})]  # type: ignore[misc]

        return _Written(convert, entry)


def _shown(of: type) -> Iterator[tuple[str, str, Any]]:
    """What documents have of a struct: the name in JSON, the attribute, the type."""
    known = {each.name: each for each in fields(of)}
    for attribute in getattr(of, "DOCUMENT", ()) or known:
        if attribute in known:
            stated = known[attribute]
            if getattr(stated.type, "__metadata__", ()) != (OMITTED,):
                yield stated.encode_name, attribute, stated.type
        else:
            returned = get_type_hints(getattr(of, attribute).fget, include_extras=True)["return"]
            first, *more = attribute.split("_")
            yield first + "".join(map(str.capitalize, more)), attribute, returned


ANSWERS: Final = Forms(
    {ObjectKey: parts.object_part, Amount: parts.held_part, Location: parts.source_part, Tie: _alternatives}
)
"""How the parts of answers are written that all schedulers share."""


def shared_part(of: AnswerPart, places: Places) -> dict[str, Any]:
    """What all schedulers say of an answer, as a part of its document."""
    return ANSWERS.part(of, places)


def plan_document(answer: Answer[PlanDetail], places: Places) -> dict[str, Any]:
    """One answer with its proof, and the scheduler's own fields next to those that all share.

    Where a scheduler says more of the same victims, queues, limits or remedies, its list has the entries of all.
    """
    own = written(answer.detail.document(answer), places)
    shared = ANSWERS.part(answer, places, known=own)
    return {"apiVersion": parts.API_VERSION, "kind": "Plan", **shared, **own}


def _shared_types(of: type) -> dict[str, Any]:
    """The types of what all schedulers say, of a struct or of what only documents have."""
    return ANSWERS.types(of) if issubclass(of, AnswerPart) else get_type_hints(of, include_extras=True)


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
    alike: dict[str, tuple[type, ...]] = {
        "": (),
        "shares": (shared.SharedShares,),
        "cycle": (CycleSummary,),
        "plan": (Answer,),
        "why": (shared.Explained, WhyAnswer),
    }
    return forms.document_type(kind.name, kind.of, *alike[kind.shared])


def _waiting_type(entry: type) -> type:
    """The type of a list of what waits, with what one scheduler says of each workload."""
    from kubectl_fairshare.report.documents.shared import ListedWorkload, WaitingDocument, WaitingGroup

    listed = both_types(ListedWorkload, entry, ANSWERS.types(WhyAnswer))
    group = typed("WaitingGroup", WaitingGroup, {**get_type_hints(WaitingGroup), "workloads": list[listed]})  # type: ignore[valid-type]  # made here
    whole = {**get_type_hints(WaitingDocument, include_extras=True), "groups": list[group]}  # type: ignore[valid-type]  # made here
    return typed("WaitingDocument", WaitingDocument, whole)


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
        lambda: both_types(shared.type(), own.type()),
    )


_QUANTITY: Final = _Written(lambda value, resource, _: parts.amount(resource, value), lambda: parts.AmountPart)
_BOUNDLESS: Final = _Written(lambda value, *_: None if math.isinf(value) else value, lambda: float | None)
_MOMENT: Final = _Written(lambda value, *_: parts.moment(value), lambda: str | None)
_TIME: Final = _Written(lambda value, *_: parts.moment(value), lambda: str)
_SECONDS: Final = _Written(lambda value, *_: value / 10**9, lambda: float)
_SPREAD_SECONDS: Final = _Written(_in_seconds, lambda: get_type_hints(_in_seconds)["return"])
_COUNTS: Final = _Written(lambda value, *_: {str(word): each for word, each in value.items()}, lambda: dict[str, int])
_OPERANDS: Final = _Written(
    lambda value, *_: {name: parts.operand(each) for name, each in value}, lambda: dict[str, parts.OperandValue]
)
_STATED: Final = _Written(lambda value, *_: parts.figure(value.text, value.value), lambda: parts.FigurePart)
_OBJECT_TEXT: Final = _Written(lambda value, *_: None if value is None else str(value), lambda: str | None)
_OBJECT_TEXTS: Final = _Written(lambda value, *_: key_texts(value), lambda: list[str])
_AMOUNT_TEXT: Final = _Written(lambda value, *_: value.text, lambda: str)
_YAML_TEXT: Final = _Written(_file_text, lambda: str | None)
_MARKED: Final[Mapping[str, _Written]] = {
    STATED: _STATED,
    AMOUNT_TEXT: _AMOUNT_TEXT,
    YAML_TEXT: _YAML_TEXT,
    OBJECT_TEXT: _OBJECT_TEXT,
    OBJECT_TEXTS: _OBJECT_TEXTS,
    QUANTITY: _QUANTITY,
    NULL_IF_INFINITE: _BOUNDLESS,
    MOMENT: _MOMENT,
    TIME: _TIME,
    SECONDS: _SECONDS,
    SPREAD_SECONDS: _SPREAD_SECONDS,
    COUNTS: _COUNTS,
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
