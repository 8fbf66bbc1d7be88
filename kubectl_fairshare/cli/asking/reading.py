"""From input options to manifests, before any scheduler is involved.

Tested in ``tests/unit/cli/asking/test_load.py``.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from kubectl_fairshare.cli.options.cluster_options import asks_cluster
from kubectl_fairshare.cli.options.shared import Inputs, ScreenOptions
from kubectl_fairshare.cli.streams import Streams, error_view
from kubectl_fairshare.input.files.files import ReadOnce, read_what_can_be
from kubectl_fairshare.input.files.paths import STDIN
from kubectl_fairshare.input.overlay import overlay
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.input.text.texts import Texts
from kubectl_fairshare.model.errors import FairshareError, Problem, UsageError
from kubectl_fairshare.model.phrases import quoted
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers import known_schedulers

if TYPE_CHECKING:
    from kubectl_fairshare.input.units.unit_readings import UnitReading


def check_inputs(inputs: Inputs, others: Collection[str] = ()) -> None:
    """Raises ``UsageError`` if options name both files and a cluster, or standard input twice.

    ``others`` are further files that options name.
    """
    if not inputs.live and asks_cluster(inputs.access):
        remedy = "remove `-f` and `-k`, or remove the cluster options"
        raise UsageError(Problem("cannot read files and a cluster in one call", help=remedy))
    if [*inputs.filename, *inputs.overlay, *others].count(STDIN) > 1:
        raise UsageError(Problem("standard input can be read only once", help="pass one of the two as a file"))


def read_whole(
    inputs: Inputs, streams: Streams, spared_kinds: Collection[str], once: ReadOnce | None = None
) -> Reading:
    """The manifests of the input, without kinds that options give in another way; ``once`` as in ``read_inputs``.

    Raises ``FairshareError`` with everything that cannot be read.
    """
    reading, problems = read_inputs(inputs, streams, once=once)
    if problems:
        raise FairshareError(*problems)
    return without_kinds(reading, spared_kinds)


def read_one(inputs: Inputs, streams: Streams, spared_kinds: Collection[str] = ()) -> Reading:
    """The same of input that is one unit, or of the unit that ``--each`` picks.

    Raises ``FairshareError`` with everything that cannot be read, ``UsageError`` where there are several units.
    """
    reading = read_divided(inputs, streams)
    picked = units_picked(reading, inputs)
    if len(picked) > 1:
        names = quoted(each.unit.name for each, *_ in picked)
        raise UsageError(Problem("this command answers about one unit", "--each", f"name one of {names}"))
    return without_kinds(reading_of_unit(reading, picked[0][0]) if picked else reading, spared_kinds)


def read_divided(inputs: Inputs, streams: Streams) -> Reading:
    """What is read, as one unit where it is one. Raises ``FairshareError`` with everything that cannot be read."""
    with ReadOnce() as once:
        reading, problems = read_inputs(inputs, streams, divided=bool(inputs.each), once=once)
        if problems and not (inputs.each or inputs.overlay or inputs.overlay_delete):
            divided, others = read_inputs(inputs, streams, divided=True, once=once)
            if not divided.in_general(others) and len(divided.units) > 1:
                reading, problems = divided, ()
        if problems := reading.in_general(problems) if reading.units else problems:
            raise FairshareError(*problems)
        return reading


def without_kinds(reading: Reading, spared_kinds: Collection[str]) -> Reading:
    """What was read, as if there were no objects of these kinds."""
    for kind in sorted(spared_kinds):
        reading = reading.without(kind)
    return reading


def units_picked(reading: Reading, inputs: Inputs) -> "list[list[UnitReading]]":
    """The units that ``--each`` picks, those that agree together; empty where the input is one.

    Raises ``FairshareError`` for those of them that are not built.
    """
    from kubectl_fairshare.input.units.unit_readings import agreeing, picked_units

    if not reading.units:
        if inputs.each:
            raise UsageError(Problem("the input is one unit", "--each", "leave it out"))
        return []
    picked, unread = picked_units(reading, inputs.each)
    if unread:
        raise FairshareError(*unread)
    return agreeing([each for each in picked if not each.beside] or picked)


def reading_of_unit(reading: Reading, unit: "UnitReading") -> Reading:
    """What was read, as if the unit were all of it."""
    own = unit.reading
    unfilled = reading.unfilled | own.unfilled
    return replace(
        reading, manifests=own.manifests, texts=own.texts, versions=own.versions, unfilled=unfilled, units=()
    )


def read_inputs(
    inputs: Inputs,
    streams: Streams,
    *,
    divided: bool = False,
    lone: bool = False,
    known: Mapping[str, bytes] | None = None,
    builds: bool = True,
    once: ReadOnce | None = None,
) -> tuple[Reading, tuple[Problem, ...]]:
    """The manifests of the input with overlays applied, and the problems of what could not be read.

    Files of other programs are skipped. Sources whose bytes are ``known``, by name, are not read again. ``divided``: an
    object may occur in several units, unless an overlay changes it. ``lone`` and ``builds`` as in ``read_what_can_be``.
    ``once`` keeps what was read but for overlays, to ask for the same input whole and divided.
    """
    if inputs.each and (not divided or inputs.overlay or inputs.overlay_delete):
        raise UsageError(Problem("picks units where nothing is overlaid", "--each", "pass the folder of the unit"))
    parted = divided and not (inputs.overlay or inputs.overlay_delete)
    base, problems = _read_base(inputs, streams, known, once, divided=parted, lone=lone, builds=builds)
    changes = Reading((), Texts())
    if inputs.overlay:
        left = max(inputs.max_input - sum(text.size for text in base.texts.values()), 0)
        changes, more = read_what_can_be(
            inputs.overlay,
            known_schedulers(),
            stdin=streams.bytes_in,
            max_input=left,
            namespace=inputs.namespace,
            known=known,
            helm=inputs.helm,
        )
        problems = (*problems, *more)
    if problems or not (inputs.overlay or inputs.overlay_delete):
        return base, problems
    return overlay(base, changes, inputs.overlay_delete, known_schedulers()), ()


def _read_base(
    inputs: Inputs,
    streams: Streams,
    known: Mapping[str, bytes] | None,
    once: ReadOnce | None,
    *,
    divided: bool,
    lone: bool,
    builds: bool,
) -> tuple[Reading, tuple[Problem, ...]]:
    """The manifests of files, or of a cluster, before overlays."""
    if inputs.live:
        from kubectl_fairshare.input.cluster.read import Query, read_cluster
        from kubectl_fairshare.input.names import names_of
        from kubectl_fairshare.input.remembered import remember

        found = read_cluster(inputs.access, Query(inputs.command, inputs.max_input), known_schedulers())
        remember(inputs.access, inputs.command, names_of(found.manifests))
        return found, ()
    return read_what_can_be(
        inputs.filename,
        known_schedulers(),
        kustomizations=inputs.kustomize,
        stdin=streams.bytes_in,
        max_input=inputs.max_input,
        namespace=inputs.namespace,
        allow_generate_name=True,
        among_others=True,
        known=known,
        divided=divided,
        lone=lone,
        root=inputs.root,
        helm=inputs.helm,
        builds=builds,
        once=once,
    )


def print_notes(notes: Sequence[Problem], streams: Streams, screen: ScreenOptions, label: str = "note") -> None:
    """Prints notes on standard error, or problems under another ``label``."""
    from kubectl_fairshare.report.text.problems import problem_lines

    streams.stderr.write(problem_lines(notes, error_view(streams.stderr, screen.color), label))
