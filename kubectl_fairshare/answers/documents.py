"""Answers as documents: structs whose fields are the document's; `report` writes JSON and schemas from them.

Tested in ``tests/unit/report/documents/test_structs.py``.
"""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Final, Generic, NamedTuple, TypeVar

from kubectl_fairshare.model.values import Value
from kubectl_fairshare.trace import Operand, Step

Shared_co = TypeVar("Shared_co", covariant=True)
Own_co = TypeVar("Own_co", covariant=True)
MOMENT: Final = "nanoseconds since the epoch, which documents have as a text"
Moment = Annotated[int | None, MOMENT]
"""A moment; null where it is not known."""
TIME: Final = "a moment that is known, which documents have as a text"
Time = Annotated[int, TIME]
"""A moment that is known."""
SECONDS: Final = "a time in nanoseconds, which documents have in seconds"
Seconds = Annotated[int, SECONDS]
MeanSeconds = Annotated[float, SECONDS]
SPREAD_SECONDS: Final = "how times are spread, in nanoseconds, which documents have in seconds"
COUNTS: Final = "counts by a word, which documents have in their order"
OPERANDS: Final = "named values, which documents have as an object"
Operands = Annotated[tuple[tuple[str, Operand], ...], OPERANDS]
"""The operands of a step, in their order."""
STATED: Final = "an amount whose resource is another field: documents have its text and its number"
OBJECT_TEXTS: Final = "objects, which documents have as texts"
OBJECT_TEXT: Final = "an object, which documents have as a text"
IF_ANY: Final = "a list that documents have if it is not empty"
AMOUNT_TEXT: Final = "an amount, of which documents have the text"
YAML_TEXT: Final = "data that documents have as the text of a file"
OF_ONE_RESOURCE: Final = "parts of a request whose resource is that of what has them"


Hooks = Mapping[Any, Callable[[Any], Any]]
"""What makes parts of values of types that laws need in another way, by the type."""


class DocumentPart(Value, frozen=True, rename="camel"):
    """A part of a document: its schema has the name of its class.

    An object is written by its namespace and name, an ``Amount`` by its text and its value, a place by its lines.
    """


class AnswerPart(Value, frozen=True, rename="camel"):
    """A part of the answers that all schedulers share: documents have it in one form, whatever a house's hooks say.

    ``DOCUMENT`` are the attributes that documents have, in their order, where those are not all fields: properties
    count, too. An object has all its names there, an ``Amount`` its resource and what it is taken from.
    """

    DOCUMENT: ClassVar[tuple[str, ...]] = ()


class Extended(Value, Generic[Shared_co, Own_co], frozen=True):
    """An entry that all schedulers share, and what one scheduler adds: a document has the fields of both in one."""

    shared: Shared_co
    own: Own_co


def extended(shared: Iterable[Shared_co], own: Iterable[Own_co]) -> tuple[Extended[Shared_co, Own_co], ...]:
    """Entries about the same things, in the same order. Raises ``ValueError`` where their numbers differ."""
    return tuple(Extended(ours, theirs) for ours, theirs in zip(shared, own, strict=True))


class ProofSteps(NamedTuple):
    """Steps with all that they rest on; ``sentence`` says what one means."""

    steps: tuple[Step, ...]
    sentence: Callable[[Step], str]


class DocumentKind(Value, frozen=True, eq=False):
    """A kind of documents, of one scheduler: its name, its struct, and the answer that all schedulers share, if any.

    That is ``shares``, ``cycle``, ``plan``, ``why``, or ``waiting``, whose struct is an entry of the list. ``hooks``
    make parts of values that are written in another way.
    """

    name: str
    of: type[Value]
    shared: str = ""
    hooks: Hooks = MappingProxyType({})


class DocumentOf(Value, frozen=True):
    """Marks a field that is a whole document of a kind."""

    kind: str


class WrittenAnswer(NamedTuple):
    """An answer, and the kind of document that it is."""

    kind: DocumentKind
    of: Value
