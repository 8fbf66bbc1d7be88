"""Answers onto standard output, in the form that was asked for."""

from typing import Final

from kubectl_fairshare.answers.outcome import EXIT_CODES, Outcome
from kubectl_fairshare.cli.asking.places import Places
from kubectl_fairshare.cli.options.origin import typed_command
from kubectl_fairshare.cli.options.shared import ScreenOptions
from kubectl_fairshare.cli.output import view_of, write_document, write_records, write_screen
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.report.documents.exactness import is_exact
from kubectl_fairshare.report.printable import Lined, Portable, Printable, Summed
from kubectl_fairshare.report.text.clean import printable
from kubectl_fairshare.report.text.view import View

_GOOD: Final = (EXIT_CODES[Outcome.ADMITTED], EXIT_CODES[Outcome.WAITS])
"""The codes of an answer to what was asked."""


def show(answer: Printable, places: Places, streams: Streams, screen: ScreenOptions) -> int:
    """Writes the answer, or keeps it for where several are written together, and returns its exit code."""
    if streams.collected is not None:
        streams.collected.append((answer, places))
    elif screen.brief and isinstance(answer, Summed):
        streams.stdout.write(answer.brief(view_of(streams, screen, places)))
    elif screen.is_text:
        view = view_of(streams, screen, places)
        brief = answer.brief(view) if screen.has_brief and streams.height and isinstance(answer, Summed) else ""
        write_screen(answer.screen(view), streams, screen, view, brief)
    elif screen.output == "markdown" and isinstance(answer, Portable):
        streams.stdout.write(answer.markdown(View(streams.width, places=places)))
    elif screen.output == "svg":
        from kubectl_fairshare.report.text import picture

        view = View(min(streams.width, picture.MOST), picture.COLOURS, places=places)
        streams.stdout.write(picture.svg(answer.screen(view), typed_command()))
    elif screen.output == "name":
        streams.stdout.writelines(f"{printable(name)}\n" for name in answer.names())
    elif screen.output == "jsonl" and isinstance(answer, Lined):
        write_records(streams, screen, answer.records())
    elif screen.output == "csv":
        streams.stdout.write(answer.csv())
    else:
        write_document(streams, screen, answer.document(places))
    return code_of(answer, screen, places)


def code_of(answer: Printable, screen: ScreenOptions, places: Places) -> int:
    """The answer's exit code; that of an unknown one where an exact answer is required and this is not exact."""
    code = answer.exit_code
    if screen.require is None or code not in _GOOD or is_exact(answer.document(places)):
        return code
    return EXIT_CODES[Outcome.UNKNOWN]
