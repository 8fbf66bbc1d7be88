"""From words that name two policies to what is compared: each read, over the work of the state.

Tested in ``tests/unit/policy/test_diff.py``.
"""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple

from kubectl_fairshare.cli.asking.by_unit import apart_notes, attached_notes, may_have_units
from kubectl_fairshare.cli.asking.pairing import NOTHING, PairedUnits, Side, paired_units, readings_of, refused_in
from kubectl_fairshare.cli.asking.reading import check_inputs, read_inputs
from kubectl_fairshare.cli.asking.two_versions import (
    Shared,
    TwoVersions,
    VersionWords,
    finished,
    named_inputs,
    read_files,
    two_versions,
)
from kubectl_fairshare.cli.collector import without_collector
from kubectl_fairshare.cli.options.house import HouseOptions
from kubectl_fairshare.cli.options.shared import Inputs
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.input.files.files import ReadOnce
from kubectl_fairshare.input.files.made_before import MadeBefore
from kubectl_fairshare.input.files.paths import STDIN
from kubectl_fairshare.input.overlay import overlay
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.input.text.texts import Texts
from kubectl_fairshare.input.units.unit import RepositoryUnit
from kubectl_fairshare.input.units.unit_readings import UnitReading, is_matched
from kubectl_fairshare.model.errors import FairshareError, Problem, UsageError
from kubectl_fairshare.model.json import is_same
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.phrases import quoted
from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers import known_schedulers

_OWN_NAME: Final = "fairshare"
"""What is in each comment and annotation that is for this program."""
_REVISION: Final = re.compile(r"git:[^:\s`]*:")


class ReadVersions(Value, frozen=True):
    """All that is compared: once, or for each unit of a repository; ``unread`` kept units from being compared.

    ``unbuilt``: why units have no answer in either version; the change leaves them as they are. ``unknown`` are
    notes on what was not read. ``one_state``: the work of all is that of one state.
    """

    pairs: tuple[TwoVersions, ...]
    unread: tuple[Problem, ...] = ()
    unbuilt: tuple[Problem, ...] = ()
    unknown: tuple[Problem, ...] = ()
    notes: tuple[Problem, ...] = ()
    one_state: bool = False


def version_words(
    words: Sequence[str], inputs: Inputs, overlay_before: Sequence[str] = (), *, releases: bool = False
) -> tuple[str | None, str | None]:
    """What the words of the call compare; ``releases``: one may be compared with itself under another release.

    Raises ``UsageError`` for too many, and where nothing is to be compared.
    """
    if inputs.kustomize and len(words) < 2:
        return (words[0] if words else None), os.curdir
    changed = releases or bool(overlay_before or inputs.overlay or inputs.overlay_delete)
    if len(words) > 2:
        raise UsageError(Problem("two policies are compared", help="name two: `kubectl fairshare diff git:main .`"))
    if len(words) == 2:
        return words[0], words[1]
    if changed:
        return (words[0], words[0]) if words else (None, None)
    if not words:
        remedy = "name them: `kubectl fairshare diff git:main .`, or apply a change to one: `--overlay`"
        raise UsageError(Problem("nothing to compare", help=remedy))
    return None, words[0]


@contextmanager
def opened(of: VersionWords, house: HouseOptions, streams: Streams) -> Iterator[Shared]:
    """What is read once for all comparisons of a call, which may be under several releases.

    Raises ``FairshareError`` with all that can't be read, ``UsageError`` for a wrong call.
    """
    _check(of, house)
    of = _with_paths(of)
    with without_collector():
        state = read_files(of.state, of.inputs, streams) if of.state else None
        history = read_files(of.history, of.inputs, streams, generated=True) if of.history else None
    made = MadeBefore()
    with ReadOnce(made) as first, ReadOnce(made) as second:
        once = first, first if of.before == of.after else second
        yield Shared(of, house, streams, state, None if history is None else finished(history), once)


def read_versions(shared: Shared) -> ReadVersions:
    """Reads and assembles both, each unit of a repository for itself.

    Raises ``FairshareError`` with all that can't be read, ``UsageError`` for a wrong call.
    """
    of = shared.of
    with without_collector():
        missing = tuple(_missing(word, other) for word, other in ((of.before, of.after), (of.after, of.before)))
        found = _divided(shared, missing) if of.inputs.each else _whole(shared, missing)
    if not any(map(_holds_quotas, found.pairs)):
        raise _nothing_to_compare(found.notes)
    return replace(found, notes=(*map(_told, filter(None, missing)), *found.notes))


def _whole(shared: Shared, missing: Sequence[str | None]) -> ReadVersions:
    """Both versions, each as one; by unit where one of them holds several."""
    of, streams = shared.of, shared.streams
    try:
        before = NOTHING if missing[0] else _reading(of.before, of, of.overlay_before, (), streams, shared.once[0])
        same = of.before == of.after and not (of.overlay_before or of.inputs.overlay or of.inputs.overlay_delete)
        after = before if same else NOTHING if missing[1] else _after(of, before, streams, shared.once[1])
    except UsageError:
        raise
    except FairshareError as error:
        if not any(map(may_have_units, (of.before, of.after))):
            raise
        return _divided(shared, missing, error)
    written = None if any(missing) else _written_otherwise(shared, (before, after), (before, after))
    pair = two_versions(shared, before, after, (not missing[0], not missing[1]), written=written)
    return ReadVersions((pair,), notes=(*_once((*before.notes, *after.notes)), *pair.notes))


def _divided(shared: Shared, missing: Sequence[str | None], error: FairshareError | None = None) -> ReadVersions:
    """The units of both, paired. Raises ``error``, which is why they are wanted, where there are none."""
    of = shared.of
    overlays = of.overlay_before or of.inputs.overlay or of.inputs.overlay_delete
    readings = [
        NOTHING if gone else _units(word, of, shared.streams, held)
        for word, gone, held in zip((of.before, of.after), missing, shared.once, strict=True)
    ]
    if not any(each.built for each in readings):
        if error is not None and not any(
            known_schedulers().is_judged(m.key.group) for r in readings for m in r.manifests
        ):
            raise _nothing_to_compare([note for each in readings for note in each.notes])
        raise error or UsageError(Problem("the input is one unit", "--each", "leave it out"))
    if error is not None and (overlays or not (all(each.units for each in readings) or _is_one_path(of, missing))):
        raise error
    one, other = (_side(word, each, of.inputs) for word, each in zip((of.before, of.after), readings, strict=True))
    _check_each(of.inputs.each, one, other)
    pairs: list[TwoVersions] = []
    of_pair: list[PairedUnits] = []
    left, refused = refused_in(one, other)
    unbuilt, unread = list(left), list(refused)
    for units in paired_units(one, other):
        found = _versions_of(shared, units, readings)
        try:
            pairs.append(_of_units(shared, units, found))
            of_pair.append(units)
        except UsageError:
            raise
        except FairshareError as failure:
            (unread if found.written is None or found.written else unbuilt).extend(failure.problems)
    held = tuple(each for each in pairs if _holds_quotas(each))
    if not held and (unread or unbuilt):
        raise FairshareError(*_once([*unread, *unbuilt]))
    compared = held or tuple(pairs[:1])
    unknown = [note for each in readings for note in (*each.notes, *each.outside)]
    notes = list(unknown)
    for each in readings:
        notes += attached_notes(each.units)
    named = {pair.units for pair in compared}
    notes += _apart_notes(readings, [units for units in of_pair if units.names in named])
    notes += (note for pair in held for note in pair.notes)
    notes += _shared_work(shared, compared)
    return ReadVersions(
        compared, _once(unread), _once(unbuilt), _once(unknown), _once(notes), one_state=shared.state is not None
    )


def _apart_notes(readings: Iterable[Reading], compared: Iterable[PairedUnits]) -> list[Problem]:
    """What is said of objects of no known cluster, once for both versions."""
    answered = [unit for pair in compared for unit in (pair.after, pair.before) if unit is not None]
    return apart_notes((unit for each in readings for unit in each.units), answered)


def _shared_work(shared: Shared, pairs: Sequence[TwoVersions]) -> Iterator[Problem]:
    """What is said of the state of one cluster that several are compared over."""
    if len(pairs) > 1 and shared.state is not None:
        message = f"the state is compared in each of {len(pairs)} answers, as it does not say whose it is"
        yield Problem(message, help="`--each GLOB` picks the unit of its cluster")


def _nothing_to_compare(notes: Iterable[Problem]) -> FairshareError:
    """What is raised for versions in which nothing is about the quotas of schedulers."""
    remedy = "name the files or the folder of the queues and quotas; ResourceQuotas alone are not compared"
    if any("Helm chart" in note.message and "not rendered" in note.message for note in notes):
        remedy = f"{remedy}. Charts are rendered with `--helm`"
    return FairshareError(Problem("neither version has a queue or a quota: there is nothing to compare", None, remedy))


def _once(notes: Iterable[Problem]) -> tuple[Problem, ...]:
    """Notes, or problems, without those that repeat for one version what the other one has."""
    return tuple({_REVISION.sub("", f"{note.place} {note.message}"): note for note in notes}.values())


def _is_one_path(of: VersionWords, missing: Sequence[str | None]) -> bool:
    """Whether both versions are of one path, so that a unit of one of them is new, or gone."""
    return any(missing) or (of.before is not None and of.after is not None and _have_one_path(of.before, of.after))


def _have_one_path(*words: str) -> bool:
    """Whether words name the same path, in revisions or in the work tree; `git:REV` is all of the folder."""
    from kubectl_fairshare.input.files.git import path_of

    return len({os.path.normpath(path_of(word) or os.curdir) for word in words}) == 1


def _holds_quotas(pair: TwoVersions) -> bool:
    return any(pair.scheduler.holds(each.snapshot) for each in (pair.before, pair.after))


def _units(word: str | None, of: VersionWords, streams: Streams, once: ReadOnce) -> Reading:
    """A version with its units."""
    inputs = replace(named_inputs(word, of.inputs), overlay=(), overlay_delete=(), each=())
    reading, problems = read_inputs(inputs, streams, divided=True, lone=True, once=once)
    if general := reading.in_general(problems):
        raise FairshareError(*general)
    return reading


def _side(word: str | None, reading: Reading, inputs: Inputs) -> Side:
    """The units of a version that are meant; a version without units is one, without a path."""
    from kubectl_fairshare.input.files.git import is_revision, path_of

    if not reading.units:
        if reading is NOTHING:
            return Side((), os.curdir)
        whole = RepositoryUnit("", "folder", tuple(reading.texts))
        keys = frozenset(manifest.key for manifest in reading.manifests)
        return Side((UnitReading(whole, reading, keys, agrees=True),), os.curdir)
    top = os.curdir if word is None else path_of(word) or os.curdir if is_revision(word) else word
    top = top if os.path.isdir(top) or word is None or is_revision(word) else os.path.dirname(top)
    picked = [each for each in reading.built if not inputs.each or is_matched(each.unit.name, inputs.each)]
    picked = [each for each in picked if not each.beside] or picked
    refused = {name: of for name, of in reading.refused.items() if not inputs.each or is_matched(name, inputs.each)}
    return Side(picked, top, refused)


def _check_each(patterns: Sequence[str], *sides: Side) -> None:
    """Raises ``UsageError`` for globs that match no unit of either version."""
    if patterns and not any(side.units or side.refused for side in sides):
        raise UsageError(Problem(f"{quoted(patterns)} matches no unit", "--each", "name the path of a unit, or `*`"))


class _UnitVersions(NamedTuple):
    """What is compared of a unit; ``written`` are the objects that are written otherwise, if nothing else differs."""

    before: Reading
    after: Reading
    written: frozenset[ObjectKey] | None


def _versions_of(shared: Shared, units: PairedUnits, readings: Sequence[Reading]) -> _UnitVersions:
    of = shared.of
    before, after = readings_of(units)
    if of.overlay_before:
        before = overlay(before, read_files(of.overlay_before, of.inputs, shared.streams), (), known_schedulers())
    if of.inputs.overlay or of.inputs.overlay_delete:
        changes = (
            read_files(of.inputs.overlay, of.inputs, shared.streams) if of.inputs.overlay else Reading((), Texts())
        )
        after = overlay(after, changes, of.inputs.overlay_delete, known_schedulers())
    there = units.before is not None and units.after is not None
    alike = there and _is_open_alike(units)
    return _UnitVersions(before, after, _written_otherwise(shared, (before, after), readings) if alike else None)


def _of_units(shared: Shared, units: PairedUnits, of: _UnitVersions) -> TwoVersions:
    attached = frozenset().union(*(each.attached for each in (units.before, units.after) if each is not None))
    there = units.before is not None, units.after is not None
    pair = two_versions(shared, of.before, of.after, there, attached, written=of.written)
    return replace(pair, units=units.names)


def _written_otherwise(
    shared: Shared, versions: tuple[Reading, Reading], whole: Sequence[Reading]
) -> frozenset[ObjectKey] | None:
    """The objects that differ as they are written; None where the change touches anything more that decides.

    That is which objects there are, what may hold more of them, and which findings are silenced.
    Whatever a chart or a remote base makes, it makes in both versions, so nothing is decided otherwise. What is out of
    the root is not known.
    """
    of, (one, other) = shared.of, versions
    if shared.house.sides() is not None or of.overlay_before or of.inputs.overlay or of.inputs.overlay_delete:
        return None
    if (one.extent, one.releases, one.unread_kinds) != (other.extent, other.releases, other.unread_kinds):
        return None
    if any(each.outside for each in (*versions, *whole)):  # links of a revision do not say what they lead to
        return None
    unread = [(each.unread, together.unread) for each, together in zip(versions, whole, strict=True)]
    keys = [[manifest.key for manifest in each.manifests] for each in versions]
    if unread[0] != unread[1] or keys[0] != keys[1] or _silencing(one) != _silencing(other):
        return None
    pairs = zip(one.manifests, other.manifests, strict=True)
    return frozenset(was.key for was, now in pairs if not is_same(was.data, now.data))


def _silencing(reading: Reading) -> set[bytes]:
    """The texts that may silence findings, in comments or annotations."""
    named = reading.mentions(_OWN_NAME)
    return {text.data for text in reading.texts.values() if _OWN_NAME.encode() in text.data} if named else set()


def _is_open_alike(units: PairedUnits) -> bool:
    """Whether objects that may be in the cluster of a unit are the same in both versions."""
    before, after = (() if each is None else each.open_forms for each in (units.before, units.after))
    return [m.key for m in before] == [m.key for m in after] and all(
        is_same(was.data, now.data) for was, now in zip(before, after, strict=True)
    )


def _with_paths(of: VersionWords) -> VersionWords:
    """The same; a revision without a path has that of the other version."""
    from kubectl_fairshare.input.files.git import with_path_of

    if of.inputs.kustomize or of.before is None or of.after is None or of.before == of.after:
        return of
    return replace(of, before=with_path_of(of.before, of.after), after=with_path_of(of.after, of.before))


def _missing(word: str | None, other: str | None) -> str | None:
    """The word if it is a revision without the path or manifests of the other version: its objects are new, or gone.

    Only where both words name the same path: any other one may be a slip.
    """
    from kubectl_fairshare.input.files.git import is_revision, lacks_manifests

    if word is None or other is None or not is_revision(word):
        return None
    if not _have_one_path(word, other):
        return None
    gone_too = lacks_manifests(other) if is_revision(other) else not os.path.exists(other)
    return word if not gone_too and lacks_manifests(word) else None


def _told(word: str) -> Problem:
    from kubectl_fairshare.input.files.git import is_missing

    what = "no such path" if is_missing(word) else "no manifests there"
    return Problem(f"the revision has {what}: it is compared as empty", word)


def _check(of: VersionWords, house: HouseOptions) -> None:
    named_files = [word for word in (of.before, of.after) if word is not None]
    inputs = replace(of.inputs, filename=() if None in (of.before, of.after) else tuple(named_files), kustomize=())
    check_inputs(inputs, house.files)
    words = [*dict.fromkeys(named_files), *of.overlay_before, *of.inputs.overlay, *of.state, *of.history, *house.files]
    if words.count(STDIN) > 1:
        raise UsageError(Problem("standard input can be read once only", help="give one of the two as a file"))


def _after(of: VersionWords, before: Reading, streams: Streams, once: ReadOnce) -> Reading:
    """The second policy; one that both are made of is read once."""
    if of.after != of.before or of.overlay_before:
        return _reading(of.after, of, of.inputs.overlay, of.inputs.overlay_delete, streams, once)
    changes = read_files(of.inputs.overlay, of.inputs, streams) if of.inputs.overlay else Reading((), Texts())
    return overlay(before, changes, of.inputs.overlay_delete, known_schedulers())


def _reading(
    word: str | None,
    of: VersionWords,
    laid_over: Sequence[str],
    deleted: Sequence[str],
    streams: Streams,
    once: ReadOnce,
) -> Reading:
    wanted = replace(named_inputs(word, of.inputs), overlay=tuple(laid_over), overlay_delete=tuple(deleted))
    reading, problems = read_inputs(wanted, streams, once=once)
    if problems:
        raise FairshareError(*problems)
    return reading
