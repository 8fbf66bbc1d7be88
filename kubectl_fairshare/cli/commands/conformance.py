"""``conformance``: replays recorded decisions of a real scheduler and compares."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import orjson

from kubectl_fairshare.cli.options.house import SectionedCommand
from kubectl_fairshare.cli.options.shared import ScreenOptions, screen_options
from kubectl_fairshare.cli.output import write_document
from kubectl_fairshare.cli.progress import progress
from kubectl_fairshare.cli.streams import Streams, colours
from kubectl_fairshare.conformance.replays import REPLAYS, recording_named
from kubectl_fairshare.conformance.run import Agreement, cases, run
from kubectl_fairshare.editing.replacing import replacing
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.report.documents.conformance import DifferencePart

_SHOWN = 10


@click.command(cls=SectionedCommand, short_help="compare our answers with recorded decisions")
@click.option("--engine", required=True, metavar="NAME", help=f"What was recorded: {', '.join(REPLAYS)}.")
@click.argument("file", type=click.Path(readable=False, path_type=Path))
@click.option(
    "--emit", metavar="OUT", type=click.Path(path_type=Path), help="Write our answers to this file as JSON Lines."
)
@click.option("--by-tag", is_flag=True, help="Show the agreement by the tags of cases, too: features and actions.")
@screen_options("text", "json", "yaml")
@click.pass_obj
def command(
    streams: Streams, /, engine: str, file: Path, emit: Path | None, by_tag: bool, screen: ScreenOptions
) -> int:
    """Replays recorded decisions of a real scheduler and compares each field with ours.

    FILE has one JSON case per line and may be gzipped. Exit code 0: all answers agree, 1: some differ.

    \b
    kubectl fairshare conformance --engine NAME cases.jsonl.gz
    kubectl fairshare conformance --engine NAME cases.jsonl --emit answers.jsonl
    """  # noqa: D301 -- click wants the character
    known = recording_named(engine)
    with progress(streams.stderr, "replaying", quiet=screen.quiet) as done, _emitting(emit) as write:
        agreement = run(known, cases(file, done), _SHOWN, write)
    _show(streams, screen, engine, known.fields, agreement, by_tag=by_tag)
    for features, count in sorted(agreement.unknown.items()) if not screen.quiet else ():
        streams.stderr.write(f"note: not compared, because we do not decide this ({features}): {count}\n")
    if agreement.by_chance and not screen.quiet:
        streams.stderr.write(f"note: agree by another answer that ties allow: {agreement.by_chance}\n")
    return 1 if agreement.differences else 0


@contextmanager
def _emitting(path: Path | None) -> Iterator[Callable[[bytes], object] | None]:
    """Collects lines for the file at ``path``, which changes only when they are complete; None without a path.

    Raises ``FairshareError`` where it cannot be written.
    """
    if path is None:
        yield None
        return
    with replacing(str(path)) as stream:
        yield stream.write


def _show(
    streams: Streams, screen: ScreenOptions, engine: str, fields: tuple[str, ...], agreement: Agreement, *, by_tag: bool
) -> None:
    tags = dict(sorted(agreement.tags.items()))
    counted = sorted(agreement.fields, key=lambda name: (*fields, name).index(name))
    table = {name: agreement.fields[name] for name in counted}
    first = [
        DifferencePart(found.case, found.difference.path, _json(found.difference.wanted), _json(found.difference.got))
        for found in agreement.first
    ]
    if screen.is_text:
        from kubectl_fairshare.report.text.conformance import conformance_screen
        from kubectl_fairshare.report.text.view import View

        view = View(streams.width, colours(streams.stdout, screen.color))
        agreed = (agreement.agree, agreement.cases)
        shown = tags if by_tag else {}
        streams.stdout.write(conformance_screen(engine, agreed, table, (agreement.differences, first), view, shown))
        return
    from kubectl_fairshare.report.documents.conformance import conformance_document

    write_document(streams, screen, conformance_document(engine, agreement.cases, agreement.agree, table, first, tags))


def _json(value: Json) -> str:
    return orjson.dumps(value).decode()
