"""Replays a file of recorded cases, and counts how far the answers agree."""

import gzip
import os
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator
from io import BufferedReader
from pathlib import Path
from typing import IO, Final

import orjson

from kubectl_fairshare.conformance.compare import AnswerComparison, AnswerDifference
from kubectl_fairshare.input.files.opening import opened
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import Json, JsonObject
from kubectl_fairshare.model.location import Location
from kubectl_fairshare.model.values import Value, field
from kubectl_fairshare.schedulers.recording import NONDETERMINISTIC, POSSIBLE, VARIES, Recording

_GZIP: Final = b"\x1f\x8b"
_DAMAGED: Final = (EOFError, gzip.BadGzipFile, zlib.error)
ERROR: Final = "error"
UNKNOWN: Final = "unknown"
# What a replay may raise: unreadable input, and the errors that a case of another form causes.
_FAILURES: Final = (
    FairshareError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RecursionError,
    RuntimeError,
    TypeError,
    ValueError,
)


class Found(Value, frozen=True):
    """One difference, and its case."""

    case: str
    difference: AnswerDifference


class Agreement(Value):
    """How far our answers agree with a recording.

    ``fields`` maps a field to two counts: the cases in which it agrees, and the cases that record it or differ in it.
    ``first`` are the first differences, ``differences`` is their number. ``unknown`` counts the entries that we leave
    open, by feature; they are not compared. ``tags`` counts like ``fields``, by the tags that cases have.
    ``by_chance`` counts the cases in which not our answer is recorded, but another one that ties allow.
    """

    most: int
    cases: int = 0
    agree: int = 0
    fields: dict[str, tuple[int, int]] = field(default_factory=dict)
    differences: int = 0
    first: list[Found] = field(default_factory=list)
    unknown: dict[str, int] = field(default_factory=dict)
    tags: dict[str, tuple[int, int]] = field(default_factory=dict)
    by_chance: int = 0

    def add(
        self, case: str, recorded: Iterable[str], differences: Iterable[AnswerDifference], tags: Iterable[str] = ()
    ) -> None:
        """Counts one case with all its differences."""
        found = list(differences)
        differing = {d.field for d in found}
        for name in dict.fromkeys((*recorded, *sorted(differing))):
            same, of = self.fields.get(name, (0, 0))
            self.fields[name] = (same + (name not in differing), of + 1)
        for tag in dict.fromkeys(tags):
            same, of = self.tags.get(tag, (0, 0))
            self.tags[tag] = (same + (not found), of + 1)
        self.cases += 1
        self.agree += not found
        self.differences += len(found)
        self.first += (Found(case, d) for d in found[: max(0, self.most - len(self.first))])


def cases(path: Path, report_done: Callable[[int, int], None] = lambda *_: None) -> Iterator[JsonObject]:
    """The cases of a file of JSON Lines, gzipped or not, one by one.

    ``report_done`` is called with how many bytes of the file have been read, of how many. Raises ``FairshareError`` for
    a file that cannot be read, and for the first line that is not a case.
    """
    for number, line in enumerate(_lines(path, report_done), 1):
        if line.strip():
            yield _case(path, number, line.rstrip())


def _lines(path: Path, report_done: Callable[[int, int], None]) -> Iterator[bytes]:
    try:
        with BufferedReader(opened(str(path))) as raw:
            packed, whole = raw.read(len(_GZIP)) == _GZIP, raw.seek(0, os.SEEK_END)
            raw.seek(0)
            stream: IO[bytes] = gzip.GzipFile(fileobj=raw) if packed else raw  # type: ignore[assignment]
            for line in stream:
                yield line
                report_done(raw.seek(0, os.SEEK_CUR), whole)
    except _DAMAGED:
        raise FairshareError(Problem("the gzip data are damaged", str(path), "fetch or compress it again")) from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise FairshareError(Problem(f"can't be read: {reason}", str(path), "name a file of recorded cases")) from None


def _case(path: Path, number: int, line: bytes) -> JsonObject:
    try:
        found: Json = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        place, text = Location(str(path), number, error.colno), error.msg.rstrip(".")
        raise FairshareError(Problem(f"this line is not JSON: {text}", place, "write one case per line")) from None
    if not isinstance(found, dict) or not isinstance(found.get("name"), str):
        raise FairshareError(Problem("a case must have a `name`", Location(str(path), number, 1), "record it again"))
    place = Location(str(path), number, 1)
    if not isinstance(found.get("expected", {}), dict):
        raise FairshareError(Problem("`expected` must be an object", place, "record it again"))
    return found


def run(
    engine: Recording, recorded: Iterable[JsonObject], most: int, emit: Callable[[bytes], object] | None = None
) -> Agreement:
    """Replays ``recorded`` in order; keeps the first ``most`` differences.

    ``emit`` gets our answer to each case as a line of JSON. A case without ``expected`` is answered but not compared. A
    replay that fails differs in its ``error``.
    """
    agreement = Agreement(most)
    replay = engine.replay
    for case in recorded:
        answer: JsonObject
        failure = ""
        try:
            answer = replay(case)
        except _FAILURES as error:
            answer, failure = {}, _error_text(error)
        if emit is not None:
            emit(_line(case, answer, failure))
        if failure:
            agreement.add(case["name"], (), [AnswerDifference(ERROR, None, failure)], tags_of(case))
        elif "expected" in case:
            _compare(engine, case, answer, agreement)
    return agreement


def tags_of(case: JsonObject) -> tuple[str, ...]:
    """The features that a case is recorded to have, and what the scheduler did in it: ``gang``, ``r:reclaim``."""
    tags: Json = case.get("tags")
    return tuple(map(str, tags)) if isinstance(tags, list) else ()


def unknown_entries(answer: JsonObject) -> dict[str, list[str]]:
    """The entries that an answer leaves open, ``{"unknown": [features]}``, by path: fields, or members of them."""
    entries = dict(answer)
    for name, value in answer.items():
        if isinstance(value, dict):
            entries |= {f"{name}/{member}": entry for member, entry in value.items()}
    return {
        path: entry[UNKNOWN] for path, entry in entries.items() if isinstance(entry, dict) and [*entry] == [UNKNOWN]
    }


def _compare(engine: Recording, case: JsonObject, answer: JsonObject, agreement: Agreement) -> None:
    unknown = unknown_entries(answer)
    for features in unknown.values():
        name = ", ".join(features)
        agreement.unknown[name] = agreement.unknown.get(name, 0) + 1
    comparison = AnswerComparison(engine.sets, frozenset((*_varying(case), *unknown)))
    expected = engine.compared(case["expected"])
    recorded = [name for name in engine.fields if name in case["expected"]]
    differences = list(comparison.differences(expected, engine.compared(answer), engine.fields))
    differing = _parts(differences, engine.apart)
    for other in answer.get(POSSIBLE) or () if differences else ():
        differing &= _parts(comparison.differences(expected, engine.compared(other), engine.fields), engine.apart)
    if differences and not differing:
        agreement.by_chance += 1
        differences = []
    agreement.add(case["name"], recorded, differences, tags_of(case))


def _parts(differences: Iterable[AnswerDifference], apart: Collection[str]) -> set[str]:
    """What differs: members of fields that are left to chance apart, ``plans/0``, and all else as one."""
    return {"/".join(d.path.split("/")[:2]) if d.field in apart else "" for d in differences}


def _varying(case: JsonObject) -> Iterator[str]:
    """The paths at which the scheduler itself varies: texts, or ``varies`` with each path as a list of its keys."""
    yield from case.get(NONDETERMINISTIC) or ()
    for each in case.get(VARIES) or ():
        yield "/".join(map(str, each["path"]))


def _error_text(error: BaseException) -> str:
    if isinstance(error, FairshareError):
        return "; ".join(p.message for p in error.problems)
    return f"the case could not be replayed ({type(error).__name__}: {error})"


def _line(case: JsonObject, answer: JsonObject, failure: str) -> bytes:
    beside = (NONDETERMINISTIC, POSSIBLE)
    expected = {name: value for name, value in answer.items() if name not in beside}
    document: dict[str, Json] = {"name": case["name"], "expected": expected}
    document.update((name, answer[name]) for name in beside if answer.get(name))
    if failure:
        document[ERROR] = failure
    return orjson.dumps(document) + b"\n"
