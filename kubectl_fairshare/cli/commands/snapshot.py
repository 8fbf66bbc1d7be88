"""``snapshot``: save everything that an answer needs in one file."""

import click

from kubectl_fairshare.cli.asking.reading import check_inputs, print_notes, read_one
from kubectl_fairshare.cli.collector import without_collector
from kubectl_fairshare.cli.options.house import SectionedCommand
from kubectl_fairshare.cli.options.label_selector import refuse
from kubectl_fairshare.cli.options.shared import Inputs, ScreenOptions, copied_options
from kubectl_fairshare.cli.progress import progress
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.cli.writing import STDOUT, print_written, write_file
from kubectl_fairshare.input.snapshot.redaction import Redaction
from kubectl_fairshare.model.errors import Problem, UsageError

_PATH = click.Path(readable=False, dir_okay=False)


@click.command(cls=SectionedCommand, short_help="save everything that an answer needs in one file")
@copied_options
@click.option("-o", "--output", type=_PATH, default=STDOUT, help="File to write; - is standard output. [-]")
@click.option(
    "--redact",
    type=click.Choice([each.value for each in Redaction]),
    default=Redaction.NAMES.value,
    help="What to hide besides secrets. names: replace names by pseudonyms; all: also label values. [names]",
)
@click.option("--key", type=_PATH, help="Write the real name of each pseudonym to this file. Keep it private.")
@click.option("-q", "--quiet", is_flag=True, help="Print no notes on standard error.")
@click.pass_obj
def command(streams: Streams, /, inputs: Inputs, output: str, redact: str, key: str | None, quiet: bool) -> int:
    """Saves the state of a cluster, or of files, in one file (gzipped JSON) that every command reads with -f.

    Answers from the file are the same as from the cluster. Environment variables, Secrets and the last applied
    configuration are never saved. Without --redact none, only fields that a scheduler reads are saved, and every
    text that is not an amount, a time or a word of the API becomes a pseudonym. Pseudonyms sort like the real
    names, so decisions that depend on the order of names do not change.

    \b
    kubectl fairshare snapshot -o cluster.json.gz --key names.json
    kubectl fairshare why -A -f cluster.json.gz
    kubectl fairshare snapshot --redact none -f org/ -o org.json.gz
    """  # noqa: D301 -- click wants the character
    if output == STDOUT and streams.stdout.isatty():
        raise UsageError(
            Problem("gzip cannot be printed on a terminal", "--output", "pass a file: `-o cluster.json.gz`")
        )
    refuse(inputs.selector, "a part of a snapshot")
    check_inputs(inputs)
    with progress(streams.stderr, "reading", quiet=quiet), without_collector():
        reading = read_one(inputs, streams)
        from kubectl_fairshare.input.snapshot.snapshot_file import snapshot
        from kubectl_fairshare.schedulers import known_schedulers

        data, names = snapshot(reading, Redaction(redact), known_schedulers())
    if not quiet and reading.extent is not None:
        print_notes(reading.extent.notes, streams, ScreenOptions())
    write_file(streams, output, data)
    print_written(streams, output, _contents(Redaction(redact), key), quiet=quiet)
    if key is not None:
        import orjson

        write_file(streams, key, orjson.dumps(names, option=orjson.OPT_INDENT_2) + b"\n")
    return 0


def _contents(redaction: Redaction, key: str | None) -> str:
    """What the file has, in words."""
    if redaction is Redaction.NONE:
        return "the objects with their real names, without secrets"
    return "pseudonyms instead of names" + ("" if key is None else f"; {key} has the real ones: keep it private")
