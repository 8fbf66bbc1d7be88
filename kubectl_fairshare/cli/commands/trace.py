"""``trace``: what became of every job, one line each, from a cluster, a dump or another program's log."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

import click

from kubectl_fairshare.cli.asking.load import loaded_from, placing_problems
from kubectl_fairshare.cli.asking.reading import check_inputs, print_notes, read_one
from kubectl_fairshare.cli.collector import without_collector
from kubectl_fairshare.cli.options.cluster_options import asks_cluster
from kubectl_fairshare.cli.options.house import HouseOptions, SectionedCommand, also_read, house_options
from kubectl_fairshare.cli.options.label_selector import refuse
from kubectl_fairshare.cli.options.shared import Inputs, ScreenOptions, copied_options
from kubectl_fairshare.cli.progress import progress
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.cli.writing import STDOUT, write_file
from kubectl_fairshare.input.snapshot.redaction import Redaction
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.moments import moment_text
from kubectl_fairshare.schedulers.scheduler import Sources

if TYPE_CHECKING:
    from kubectl_fairshare.jobs.history import PastWork

_PATH: Final = click.Path(readable=False, dir_okay=False)
_PLAIN: Final = (".jsonl", ".json")
_LEVEL: Final = 6
Hide = Callable[[str], str]


@click.command("trace", cls=SectionedCommand, short_help="save what became of every job, to replay it")
@click.option("-o", "--output", type=_PATH, default=STDOUT, help="File to write; FILE.jsonl is not compressed. [-]")
@click.option("--swf", type=_PATH, metavar="FILE", help="Read a log in the Standard Workload Format instead.")
@click.option("--csv", "table", type=_PATH, metavar="FILE", help="Read a table with a line for each job instead.")
@click.option(
    "--column",
    multiple=True,
    metavar="FIELD=COLUMN",
    help="Column of --csv for a field: created=submit_time, queue=team, request.nvidia.com/gpu=gpus; =:TEXT is a "
    "constant. Repeatable.",
)
@click.option(
    "--processor",
    multiple=True,
    metavar="RESOURCE=AMOUNT",
    help="Requests of a pod for each processor in the --swf file. Repeatable. [cpu=1]",
)
@click.option(
    "--queue",
    metavar="TEMPLATE",
    help="NAMESPACE/QUEUE of a job of --swf, with {queue}, {partition}, {user}, {group}, {executable}. [{queue}]",
)
@click.option(
    "--redact",
    type=click.Choice([each.value for each in Redaction]),
    help="What to hide. names: replace names by pseudonyms; all: also label values. [names; none for --swf and --csv]",
)
@click.option("--key", type=_PATH, help="Write the real name of each pseudonym to this file. Keep it private.")
@click.option("-q", "--quiet", is_flag=True, help="Print no notes on standard error.")
@house_options("trace")
@copied_options
@click.pass_obj
def command(  # noqa: PLR0913, PLR0917 -- one for each option
    streams: Streams,
    /,
    inputs: Inputs,
    house: HouseOptions,
    output: str,
    swf: str | None,
    table: str | None,
    column: tuple[str, ...],
    processor: tuple[str, ...],
    queue: str | None,
    redact: str | None,
    key: str | None,
    quiet: bool,
) -> int:
    """Saves what became of every job, one line of JSON each, to replay it with `simulate --trace`.

    A line has the queue, the requests, the moments of creation, quota reservation, admission, evictions and end. What
    the source does not hold, such as deleted work, is counted against the events that are left. Pseudonyms are those
    of `snapshot` of the same files: for a cluster, save a snapshot first and trace that.

    \b
    kubectl fairshare trace -o week.jsonl.gz
    kubectl fairshare trace -f cluster.json.gz -o week.jsonl.gz
    kubectl fairshare trace --swf log.swf.gz --queue 'hpc/{queue}' -o l.jsonl.gz
    kubectl fairshare trace --csv jobs.csv -o jobs.jsonl.gz \\
        --column created=submit,duration=run,queue=team,request.cpu=cpus
    """  # noqa: D301 -- click wants the character
    if output == STDOUT and streams.stdout.isatty():
        remedy = "pass a file: `-o week.jsonl.gz`"
        raise UsageError(Problem("gzip cannot be printed on a terminal", "--output", remedy))
    _check(inputs, swf, table, column, (*processor, *([queue] if queue else [])))
    with progress(streams.stderr, "reading", quiet=quiet), without_collector():
        if swf is not None or table is not None:
            work = _logged(inputs, streams, swf, table, column, processor, queue)
            aliases, redaction, hide = _alone(work, Redaction(redact or Redaction.NONE.value))
            notes: tuple[Problem, ...] = ()
        else:
            redaction = Redaction(redact or Redaction.NAMES.value)
            work, aliases, redaction, hide, notes = _recorded(inputs, house, streams, redaction)
        from kubectl_fairshare.input.traces.writing import trace_text

        data = trace_text(work, aliases, redaction.value, hide)
    if not quiet:
        print_notes((*notes, *_summary(work)), streams, ScreenOptions())
    write_file(streams, output, data if output.endswith(_PLAIN) else _compressed(data))
    if key is not None:
        import orjson

        names = {alias: name for name, alias in aliases.items()}
        write_file(streams, key, orjson.dumps(names, option=orjson.OPT_INDENT_2) + b"\n")
    return 0


def _compressed(data: bytes) -> bytes:
    import gzip

    return gzip.compress(data, _LEVEL, mtime=0)


def _check(
    inputs: Inputs, swf: str | None, table: str | None, column: tuple[str, ...], of_swf: tuple[str, ...]
) -> None:
    """Raises ``UsageError`` for options that contradict each other."""
    refuse(inputs.selector, "a part of a trace")
    logs = [path for path in (swf, table) if path is not None]
    if len(logs) > 1 or (logs and (not inputs.live or asks_cluster(inputs.access))):
        message = "a trace has one source: a cluster, files with `-f`, `--swf` or `--csv`"
        raise UsageError(Problem(message, help="name one of them"))
    if column and table is None:
        raise UsageError(Problem("`--column` is an option for `--csv`", help="add `--csv FILE`"))
    if of_swf and swf is None:
        remedy = "add `--swf FILE`; for `--csv` write `--column queue=COLUMN`"
        raise UsageError(Problem("`--queue` and `--processor` are options for `--swf`", help=remedy))


def _logged(
    inputs: Inputs,
    streams: Streams,
    swf: str | None,
    table: str | None,
    column: tuple[str, ...],
    processor: tuple[str, ...],
    queue: str | None,
) -> "PastWork":
    """The jobs of another program's log."""
    from kubectl_fairshare.input.traces.reading import log_bytes

    namespace = inputs.access.namespace or "default"
    if swf is None:
        from kubectl_fairshare.input.traces.columns import ColumnMapping, read_table

        columns = ColumnMapping(column)
        assert table is not None
        return read_table(*log_bytes(table, stdin=streams.bytes_in, max_input=inputs.max_input), columns, namespace)
    from kubectl_fairshare.input.traces.queue_names import QueueNames
    from kubectl_fairshare.input.traces.workload_format import QUEUE_FIELDS, read_log

    names = QueueNames(queue or "{queue}", QUEUE_FIELDS, namespace)
    requests = _requests(processor or ("cpu=1",))
    return read_log(*log_bytes(swf, stdin=streams.bytes_in, max_input=inputs.max_input), requests, names)


def _requests(texts: tuple[str, ...]) -> dict[str, int]:
    from kubectl_fairshare.input.traces.reading import resource_amount

    found: dict[str, int] = {}
    for entry in (each.strip() for text in texts for each in text.split(",")):
        resource, _, text = entry.partition("=")
        try:
            found[resource] = resource_amount(resource, text)
        except ValueError:
            remedy = "write `--processor cpu=1` or `--processor nvidia.com/gpu=1`"
            raise UsageError(Problem(f"`{entry}` is not RESOURCE=AMOUNT", "--processor", remedy)) from None
    return found


def _recorded(
    inputs: Inputs, house: HouseOptions, streams: Streams, redaction: Redaction
) -> "tuple[PastWork, Mapping[str, str], Redaction, Hide, tuple[Problem, ...]]":
    """The jobs of a cluster or of files, the pseudonyms of names, and notes on what could not be read.

    A redacted snapshot has pseudonyms already, which stay as they are.
    """
    from kubectl_fairshare.input.snapshot.snapshot_file import pseudonyms_of
    from kubectl_fairshare.schedulers import known_schedulers

    check_inputs(inputs, house.files)
    reading = read_one(inputs, streams)
    sources = Sources(streams.bytes_in, inputs.max_input)
    loaded = loaded_from(reading, inputs, house, sources, also_read("trace"))
    with placing_problems(loaded.places):
        work = loaded.scheduler.history(loaded.snapshot)
    if reading.redacted:  # pseudonyms of pseudonyms would fit no snapshot
        return work, {}, Redaction(reading.redacted), str, loaded.notes
    if redaction is Redaction.NONE:
        return work, {}, redaction, str, loaded.notes
    pseudonyms = pseudonyms_of(reading, redaction, known_schedulers())
    return work, pseudonyms.of, redaction, pseudonyms.hide_in, loaded.notes


def _alone(work: "PastWork", redaction: Redaction) -> tuple[Mapping[str, str], Redaction, Hide]:
    """The pseudonyms of the names of a log; none unless they are asked for."""
    if redaction is Redaction.NONE:
        return {}, redaction, str
    from kubectl_fairshare.input.snapshot.kept import read_words
    from kubectl_fairshare.input.snapshot.redaction import Pseudonyms
    from kubectl_fairshare.schedulers import known_schedulers

    known = known_schedulers()
    objects = (
        {"metadata": {"name": job.name, "namespace": job.namespace}, "spec": {"queueName": job.queue}}
        for job in work.jobs
    )
    read = read_words(known.read_words, known.spared)
    pseudonyms = Pseudonyms(objects, known.spared, read, labels=False)
    return pseudonyms.of, redaction, pseudonyms.hide_in


def _summary(work: "PastWork") -> tuple[Problem, ...]:
    """What the trace holds and what it does not, in sentences."""
    finished = sum(job.finished is not None for job in work.jobs)
    evictions = sum(len(job.evictions) for job in work.jobs)
    counts = f"{len(work.jobs):,}, of which {finished:,} have finished; recorded evictions: {evictions:,}"
    found = [Problem(f"jobs: {counts}")]
    if work.lost.since is not None:
        found.append(Problem(_lost(work)))
    return (*found, *map(Problem, work.notes))


def _lost(work: "PastWork") -> str:
    """How many jobs are missing, measured against the events that are there."""
    since = work.lost.since
    assert since is not None
    moment = moment_text(since)
    seen = sum(max(job.created, job.admitted or 0, job.finished or 0) >= since for job in work.jobs)
    if not work.lost.jobs:
        return f"every job that has an event since {moment} is in the trace; older deleted jobs leave nothing behind"
    part = work.lost.jobs / max(work.lost.jobs + seen, 1)
    return (
        f"deleted jobs with events since {moment}: {work.lost.jobs:,}, so {part:.1%} of the jobs since then are "
        "missing; older deleted jobs leave nothing behind"
    )
