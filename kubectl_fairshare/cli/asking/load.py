"""From options to the state that questions are asked about."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from kubectl_fairshare.api.causes import dotted_path
from kubectl_fairshare.cli.asking.places import Places
from kubectl_fairshare.cli.asking.reading import check_inputs, print_notes, read_whole
from kubectl_fairshare.cli.collector import without_collector
from kubectl_fairshare.cli.options.house import HouseOptions
from kubectl_fairshare.cli.options.shared import Inputs, ScreenOptions
from kubectl_fairshare.cli.progress import progress
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.input.assemble import Assembled, assemble
from kubectl_fairshare.input.files.files import ReadOnce
from kubectl_fairshare.input.files.unreadable import by_place
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.input.text.texts import Texts
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import FieldPath
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.phrases import counted_kinds, some_of
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import Value, field, replace
from kubectl_fairshare.schedulers import chosen_scheduler, known_schedulers
from kubectl_fairshare.schedulers.scheduler import Scheduler, Sources

_SHOWN: Final = 3
_RENDERED: Final = "render them first: `helm template CHART | kubectl fairshare … -f -`"
_REMEDY: Final = "fix the field, then ask again"


class Loaded(Value, frozen=True):
    """The state that was read, with options applied; the scheduler that answers; and the place of every field.

    ``notes`` are printed; they prevent no answer. ``skipped`` counts the objects of kinds that one of them names.
    ``unit`` is the part of the input that this is, if it is divided, and ``of`` how many are answered. ``reading`` is
    what the state was made of, for questions that make it again; None unless it was asked for.
    """

    snapshot: Snapshot
    scheduler: Scheduler
    texts: Texts
    places: Places
    notes: tuple[Problem, ...] = ()
    skipped: Mapping[str, int] = field(default_factory=dict)
    unit: str = ""
    of: int = 1
    reading: Reading | None = None


def load(
    inputs: Inputs,
    house: HouseOptions,
    streams: Streams,
    screen: ScreenOptions,
    *,
    also_read: Collection[str] = (),
    once: ReadOnce | None = None,
    keeps: bool = False,
) -> Loaded:
    """Reads the input, and prints notes on standard error unless ``quiet`` is set.

    Kinds that are ``also_read`` are not noted as skipped. ``once`` as in ``read_inputs``, ``keeps`` in ``loaded_from``.
    Raises ``UsageError`` if there is no input or options contradict each other, and ``FairshareError`` with
    everything that cannot be read, each problem at its line.
    """
    check_inputs(inputs, house.files)
    with progress(streams.stderr, "reading", quiet=screen.quiet), without_collector():
        reading = read_whole(inputs, streams, house.spared_kinds, once)
        sources = Sources(streams.bytes_in, inputs.max_input)
        loaded = loaded_from(reading, inputs, house, sources, also_read, keeps=keeps)
    if not screen.quiet:
        print_notes(loaded.notes, streams, screen)
    return loaded


def loaded_from(
    reading: Reading,
    inputs: Inputs,
    house: HouseOptions,
    sources: Sources,
    also_read: Collection[str] = (),
    asked: Scheduler | None = None,
    *,
    keeps: bool = False,
) -> Loaded:
    """The state that was read, as the options want it; ``asked`` is the scheduler if it is known already.

    ``keeps`` what was given next to the state, without the nodes of an option.

    Raises ``FairshareError`` for objects that an API server would refuse, ``UsageError`` for options that contradict.
    """
    kept = reading if keeps else None
    if inputs.nodes:
        from kubectl_fairshare.input.hypothetical_nodes import with_nodes

        reading = with_nodes(reading, inputs.nodes, known_schedulers())
    places = Places(reading.manifests, reading.texts)
    if problems := [problem for reads in known_schedulers() for problem in reads.disagreements(reading)]:
        raise FairshareError(*problems)
    with placing_problems(places):
        complete = is_complete(reading, inputs)
        unread, deleted = reading.unread_kinds, reading.deleted
        releases = releases_of(reading, house)
        assembled = assemble(
            reading.manifests, known_schedulers(), unread, complete=complete, deleted=deleted, releases=releases
        )
        scheduler = asked or chosen_scheduler(assembled.snapshot, house.scheduler)
        adjusted = scheduler.adjusted(assembled.snapshot, house.of(scheduler), sources)
    for manifest, text in adjusted.read:
        places = places.under([manifest], Texts([text]))
    unknown = unknown_fields(assembled.unknown_fields, assembled.snapshot.manifests, reading.texts)
    unheld = reading.extent.notes if reading.extent is not None else ()
    skipped = _skipped(assembled, reading, also_read)
    notes = (*unheld, *unknown, *_left_out(reading, skipped), *map(places.problem, adjusted.notes))
    return Loaded(adjusted.snapshot, scheduler, reading.texts, places, notes, skipped, reading=kept)


def is_complete(reading: Reading, inputs: Inputs) -> bool:
    """Whether nothing lies outside of what was read: it is all of a cluster, or the call says so, and all was read."""
    return (bool(inputs.complete) or reading.is_whole) and not reading.unfilled


def releases_of(reading: Reading, house: HouseOptions) -> dict[str, str]:
    """The releases of schedulers: those that the cluster or a snapshot names, unless an option or the settings do."""
    runs = {} if reading.extent is None else {name: text for name, text in reading.extent.releases.items() if text}
    return {**reading.releases, **house.default_releases, **runs, **house.releases}


@contextmanager
def placing_problems(places: Places) -> Iterator[None]:
    """Adds lines and remedies to the problems of a ``FairshareError`` that is raised inside, and sorts them."""
    try:
        yield
    except FairshareError as error:
        problems = (places.problem(p if p.help else replace(p, help=_REMEDY)) for p in error.problems)
        raise type(error)(*sorted(problems, key=by_place)) from None


def unknown_fields(
    found: Mapping[ObjectKey, tuple[FieldPath, ...]], manifests: Mapping[ObjectKey, Manifest], texts: Texts
) -> Iterator[Problem]:
    """A note for each field that an API server would drop, at its line."""
    for key, unknown in sorted(found.items()):
        origin = manifests[key].origin
        for path in unknown:
            place = texts.named(texts.locate(origin, path), str(Place(key, path)))
            yield Problem(
                f"unknown field `{dotted_path(path)}` in {key}: ignored, as the API server would drop it", place
            )


def _skipped(assembled: Assembled, reading: Reading, also_read: Collection[str]) -> dict[str, int]:
    """The kinds without effect; none if a cluster was read, as a user does not choose the kinds in it."""
    skipped = assembled.snapshot.skipped.items() if reading.extent is None else ()
    return {kind: number for kind, number in skipped if kind.rpartition(" ")[2] not in also_read}


def skipped_note(skipped: Mapping[str, int]) -> Problem:
    """The note that counts the objects that an answer does not use."""
    return Problem(f"not used by this answer: {counted_kinds(dict(skipped))}")


def _left_out(reading: Reading, skipped: Mapping[str, int]) -> Iterator[Problem]:
    """Notes on input without effect: other kinds, counted, and sources without an object."""
    yield from unread_notes(reading)
    if skipped:
        yield skipped_note(skipped)
    for name in reading.empty:
        yield Problem("contains no object", name)


def unread_notes(reading: Reading) -> Iterator[Problem]:
    """Notes on what was not read and may hold objects: charts, files outside of the root, templates."""
    yield from reading.notes
    yield from reading.outside
    if reading.templates:
        yield Problem(f"templates are skipped: {some_of(list(map(str, reading.templates)), _SHOWN)}", help=_RENDERED)
