"""From options to the state that questions are asked about."""

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final

from kubectl_fairshare.cli.options import Inputs, ScreenOptions
from kubectl_fairshare.cli.places import Places, field_path
from kubectl_fairshare.cli.progress import progress
from kubectl_fairshare.cli.streams import Streams, coloured
from kubectl_fairshare.jobs import Context
from kubectl_fairshare.model.errors import FairshareError, Problem, UsageError
from kubectl_fairshare.model.kueue import FINAL_SHARE, INITIAL_SHARE, Configuration
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.sources.agreement import disagreements
from kubectl_fairshare.sources.assemble import Assembled, assemble
from kubectl_fairshare.sources.files import by_place, read
from kubectl_fairshare.sources.overlay import overlay
from kubectl_fairshare.sources.paths import STDIN
from kubectl_fairshare.sources.reading import Reading
from kubectl_fairshare.sources.texts import Texts

_REMEDY: Final = "mend the field, then ask again"


@dataclass(frozen=True, slots=True)
class Loaded:
    """The state that was read, the surroundings in which jobs become workloads, and where everything stands.

    ``notes`` are worth telling and keep no answer from being given.
    """

    snapshot: Snapshot
    context: Context
    texts: Texts
    places: Places
    notes: tuple[Problem, ...] = ()


def load(inputs: Inputs, streams: Streams, screen: ScreenOptions) -> Loaded:
    """Reads everything, and tells notes on standard error unless it is to be quiet.

    Raises ``UsageError`` where nothing is named to be read or options contradict each other, and
    ``FairshareError`` with all that cannot be read, each problem at its line.
    """
    override = _override(inputs)
    if not inputs.filename and not inputs.kustomize:
        remedy = "name what to read: `-f FILE`, `-f DIRECTORY`, `-f -`, `-k DIRECTORY`; or try `kubectl fairshare demo`"
        raise UsageError(Problem("nothing to read", help=remedy))
    if STDIN in inputs.filename and STDIN in inputs.overlay:
        raise UsageError(Problem("standard input can be read once only", help="give one of the two as a file"))
    with progress(streams.stderr, "reading"), _no_collector():
        reading = read_inputs(inputs, streams)
        loaded = _assembled(reading, override)
    if not screen.quiet:
        tell(loaded.notes, streams, screen)
    return loaded


def read_inputs(inputs: Inputs, streams: Streams) -> Reading:
    """The manifests that the options name, with overlays laid over them."""
    base = read(
        inputs.filename,
        kustomizations=inputs.kustomize,
        stdin=streams.bytes_in,
        max_input=inputs.max_input,
        namespace=inputs.namespace,
    )
    changes = Reading((), Texts())
    if inputs.overlay:
        left = inputs.max_input - sum(len(text.data) for text in base.texts.values())
        changes = read(inputs.overlay, stdin=streams.bytes_in, max_input=max(left, 0), namespace=inputs.namespace)
    if not inputs.overlay and not inputs.overlay_delete:
        return base
    return overlay(base, changes, inputs.overlay_delete)


def tell(notes: Sequence[Problem], streams: Streams, screen: ScreenOptions) -> None:
    """Writes notes to standard error."""
    from kubectl_fairshare.render.text.problems import problem_lines
    from kubectl_fairshare.render.text.view import View

    streams.stderr.write(problem_lines(notes, View(colour=coloured(streams.stderr, screen.color)), "note"))


def _assembled(reading: Reading, override: Callable[[Configuration], Configuration]) -> Loaded:
    places = Places({m.key: m for m in reading.manifests}, reading.texts)
    if problems := tuple(disagreements(reading)):
        raise FairshareError(*problems)
    with placed(places):
        assembled = assemble(reading.manifests, override)
    unknown = unknown_fields(assembled.unknown_fields, assembled.snapshot.manifests, reading.texts)
    notes = (*unknown, *_left_out(assembled, reading))
    return Loaded(assembled.snapshot, assembled.context, reading.texts, places, notes)


@contextmanager
def placed(places: Places) -> Iterator[None]:
    """Gives the problems of a ``FairshareError`` raised inside lines and remedies, and puts them in order."""
    try:
        yield
    except FairshareError as error:
        problems = (places.problem(p if p.help else replace(p, help=_REMEDY)) for p in error.problems)
        raise type(error)(*sorted(problems, key=by_place)) from None


@contextmanager
def _no_collector() -> Iterator[None]:
    """Loading makes no garbage, and what is loaded stays to the end: the collector need not look at it."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.freeze()
            gc.enable()


def _override(inputs: Inputs) -> Callable[[Configuration], Configuration]:
    """The configuration as the options want it. Raises ``UsageError`` where they contradict each other."""
    wished = tuple(dict.fromkeys(inputs.preemption_strategy))
    if wished and inputs.fair_sharing is False:
        raise UsageError(Problem("`--preemption-strategy` needs fair sharing", help="leave `--classical` out"))
    if wished == (INITIAL_SHARE, FINAL_SHARE):
        remedy = f"of both, Kueue takes `{FINAL_SHARE}` first; give them in that order"
        raise UsageError(Problem("Kueue does not take the strategies in this order", help=remedy))
    if wished:
        return lambda found: replace(found, strategies=wished)
    if inputs.fair_sharing is None:
        return lambda found: found
    if inputs.fair_sharing:
        return lambda found: replace(found, strategies=found.strategies or (FINAL_SHARE, INITIAL_SHARE))
    return lambda found: replace(found, strategies=None)


def unknown_fields(
    found: Mapping[ObjectKey, tuple[str, ...]], manifests: Mapping[ObjectKey, Manifest], texts: Texts
) -> Iterator[Problem]:
    """A note for each field that an API server would drop, at its line."""
    for key, unknown in sorted(found.items()):
        origin = manifests[key].origin
        for name in unknown:
            place = texts.locate(origin, field_path(name))
            yield Problem(f"{key} has no field `{name}`: an API server drops it, and so is done here", place)


def _left_out(assembled: Assembled, reading: Reading) -> Iterator[Problem]:
    """What was read and says nothing: other kinds, counted, and sources without any object."""
    skipped = assembled.snapshot.skipped
    if skipped:
        counts = ", ".join(f"{number} {kind}" for kind, number in skipped.items())
        yield Problem(f"no answer rests on these kinds, so they are skipped: {counts}")
    for name in reading.empty:
        yield Problem("holds no object", name)
