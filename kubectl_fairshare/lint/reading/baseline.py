"""Findings that were known at some time, in a file: they are not told again."""

import os
from typing import Any, Final

from kubectl_fairshare.input.files.paths import shown
from kubectl_fairshare.input.files.raw_bytes import Budget, of_file
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.values import dataclass

API_VERSION: Final = "fairshare.dev/v1alpha1"
KIND: Final = "LintBaseline"
_MOST: Final = 256 << 20
_REMEDY: Final = "write it anew with `--write-baseline`"


@dataclass(frozen=True, slots=True)
class Entry:
    """A known finding; everything but the fingerprint and the rule's id is for the reader of the file."""

    fingerprint: str
    rule: str
    object: str
    field: str


def read_baseline(path: str) -> tuple[Entry, ...]:
    """The entries of a baseline. Raises ``FairshareError`` where the file can't be read or is none."""
    from kubectl_fairshare.input.text.decoding import decode

    name = shown(path)
    if not os.path.lexists(path):
        raise FairshareError(Problem("there is no such baseline", name, "write it with `--write-baseline`"))
    documents = decode(name, of_file(path, Budget(_MOST)))[1]
    data = documents[0] if len(documents) == 1 else None
    if not isinstance(data, dict) or data.get("kind") != KIND:
        raise _refused(name, "this is no baseline")
    if data.get("apiVersion") != API_VERSION:
        raise _refused(name, f"this baseline is of another version than `{API_VERSION}`")
    findings = data.get("findings")
    if not isinstance(findings, list):
        raise _refused(name, "this baseline has no list of findings")
    return tuple(_entry(name, each) for each in findings)


def _entry(name: str, data: Json) -> Entry:
    values: list[Any] = [data.get(field) for field in Entry.__slots__] if isinstance(data, dict) else [None]
    if not all(isinstance(value, str) for value in values):
        raise _refused(name, "an entry of this baseline is incomplete")
    return Entry(*values)


def _refused(name: str, message: str) -> FairshareError:
    return FairshareError(Problem(message, name, _REMEDY))
