"""A question about the input, answered once or, with ``--watch``, repeatedly.

Tested in ``tests/unit/cli/asking/test_showing.py``.
"""

from collections.abc import Callable

from kubectl_fairshare.cli.asking.load import Loaded, load, loaded_from
from kubectl_fairshare.cli.asking.reading import check_inputs
from kubectl_fairshare.cli.options.house import HouseOptions, also_read
from kubectl_fairshare.cli.options.shared import Inputs, ScreenOptions
from kubectl_fairshare.cli.options.watch_options import check_watched
from kubectl_fairshare.cli.output import in_pager
from kubectl_fairshare.cli.progress import progress
from kubectl_fairshare.cli.streams import Sheet, Streams
from kubectl_fairshare.input.files.files import ReadOnce
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.model.errors import FairshareError, Problem, UsageError
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.scheduler import Sources

Answer = Callable[[Loaded, Streams], int]
"""Writes the answer to the streams that it is given, and returns the exit code."""


def give_answer(  # noqa: PLR0913 -- what is asked, and how
    answer: Answer,
    inputs: Inputs,
    house: HouseOptions,
    streams: Streams,
    screen: ScreenOptions,
    *,
    also_read_for: str = "",
    doing: str = "deciding",
    keeps: bool = False,
) -> int:
    """Reads, answers, prints the answer, and returns the exit code; ``doing`` is the progress message.

    ``keeps`` as in ``loaded_from``. Raises what ``load`` and ``answer`` raise.
    """
    kinds = also_read(also_read_for)
    sources = Sources(streams.bytes_in, inputs.max_input)

    def loaded_of(reading: Reading) -> Loaded:
        return loaded_from(reading, inputs, house, sources, kinds, keeps=keeps)

    if inputs.each:
        from kubectl_fairshare.cli.asking.by_unit import give_answer_by_unit

        if screen.interval is not None:
            raise UsageError(Problem("cannot be used with `--watch`", "--each", "remove one of the two"))
        check_inputs(inputs, house.files)
        return give_answer_by_unit(answer, inputs, loaded_of, streams, screen)
    if screen.interval is None:
        with ReadOnce() as once:
            try:
                loaded = load(inputs, house, streams, screen, also_read=kinds, once=once, keeps=keeps)
            except FairshareError as error:
                from kubectl_fairshare.cli.asking.by_unit import answered_among

                if isinstance(error, UsageError):
                    raise
                return answered_among(answer, error, inputs, loaded_of, streams, screen, once)
        return answer_once(answer, loaded, streams, screen, doing)
    check_watched(screen.interval, *inputs.filename, *inputs.overlay)
    from kubectl_fairshare.cli.watching.watching import watched

    return watched(lambda on: load(inputs, house, on, screen, also_read=kinds, keeps=keeps), answer, streams, screen)


def answer_once(answer: Answer, loaded: Loaded, streams: Streams, screen: ScreenOptions, doing: str) -> int:
    """Answers about a state; the exit code. The answer is written after the message of progress is cleared."""
    out, err = Sheet(streams.stdout), Sheet(streams.stderr)
    try:
        with progress(streams.stderr, doing, quiet=screen.quiet) as done:
            code = answer(loaded, replace(streams, stdout=out, stderr=err, report_done=done))
    finally:
        err.pour(streams.stderr)
    if not (out.long and out.is_one and in_pager(out.long, streams, screen)):
        out.pour(streams.stdout)
    return code
