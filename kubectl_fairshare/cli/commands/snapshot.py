"""``snapshot``: one file of all that an answer needs."""

import click

from kubectl_fairshare.cli.asking.reading import check_inputs, read_inputs, tell
from kubectl_fairshare.cli.collector import without_collector
from kubectl_fairshare.cli.options.label_selector import refuse
from kubectl_fairshare.cli.options.shared import Inputs, ScreenOptions, input_options
from kubectl_fairshare.cli.progress import progress
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.input.snapshot.redaction import Redaction
from kubectl_fairshare.model.errors import FairshareError, Problem, UsageError

_STDOUT = "-"
_PATH = click.Path(readable=False, dir_okay=False)


@click.command(short_help="one file of all that an answer needs")
@input_options
@click.option("-o", "--output", type=_PATH, default=_STDOUT, help="File to write; - is standard output. [-]")
@click.option(
    "--redact",
    type=click.Choice([each.value for each in Redaction]),
    default=Redaction.NAMES.value,
    help="What is taken out beside secrets: names become pseudonyms; all: values of labels, too. [names]",
)
@click.option("--key", type=_PATH, help="Write what each pseudonym stands for to this file, which you keep.")
@click.option("-q", "--quiet", is_flag=True, help="No notes on standard error.")
@click.pass_obj
def command(streams: Streams, /, inputs: Inputs, output: str, redact: str, key: str | None, quiet: bool) -> int:
    """Stores the state of a cluster, or of files, as one file (gzipped JSON) that every command takes with -f.

    Answers from it are those of the state it was taken of. Environment variables, Secrets and the last applied
    configuration are never stored; commands and images only with --redact none. Pseudonyms are in the order of the
    names, so decisions that hang on the order of names stay what they are.

    \b
    kubectl fairshare snapshot -o cluster.json.gz --key names.json
    kubectl fairshare why -A -f cluster.json.gz
    kubectl fairshare snapshot --redact none -f org/ -o org.json.gz
    """  # noqa: D301 -- click wants the character
    if output == _STDOUT and streams.stdout.isatty():
        raise UsageError(Problem("a terminal can't show gzip", "--output", "name a file: `-o cluster.json.gz`"))
    refuse(inputs.selector, "a snapshot, which is one whole")
    check_inputs(inputs)
    with progress(streams.stderr, "reading", quiet=quiet), without_collector():
        reading, problems = read_inputs(inputs, streams)
        if problems:
            raise FairshareError(*problems)
        from kubectl_fairshare.input.snapshot.snapshot_file import snapshot
        from kubectl_fairshare.schedulers import known_schedulers

        data, names = snapshot(reading, Redaction(redact), known_schedulers())
    if not quiet and reading.extent is not None:
        tell(reading.extent.notes, streams, ScreenOptions())
    _write(streams, output, data)
    if key is not None:
        import orjson

        _write(streams, key, orjson.dumps(names, option=orjson.OPT_INDENT_2) + b"\n")
    return 0


def _write(streams: Streams, path: str, data: bytes) -> None:
    if path == _STDOUT:
        streams.stdout.flush()
        streams.stdout.buffer.write(data)
        streams.stdout.buffer.flush()
        return
    from kubectl_fairshare.editing.replacing import replace_files

    replace_files({path: data})
