"""Answers as documents: structs whose fields are the document's; `report` writes JSON and schemas from them.

Tested in ``tests/unit/report/documents/test_structs.py``.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from kubectl_fairshare.model.values import Value
from kubectl_fairshare.trace import Step


class DocumentPart(Value, frozen=True, rename="camel"):
    """A part of a document: its schema has the name of its class.

    An object is written by its namespace and name, an ``Amount`` by its text and its value, a place by its lines.
    """


class ProofSteps(NamedTuple):
    """Steps with all that they rest on; ``sentence`` says what one means."""

    steps: tuple[Step, ...]
    sentence: Callable[[Step], str]


class DocumentKind(Value, frozen=True, eq=False):
    """A kind of documents, of one scheduler: its name, its struct, and the answer that all schedulers share, if any.

    ``hooks`` make parts of values of types that laws need in another way, given the resource that amounts are of.
    """

    name: str
    of: type[Value]
    shared: str = ""
    hooks: Mapping[Any, Callable[[Any], Any]] = MappingProxyType({})


class WrittenAnswer(NamedTuple):
    """An answer, and the kind of document that it is."""

    kind: DocumentKind
    of: Value
