"""Answers onto standard output, in the form that was asked for."""

from kubectl_fairshare.cli.asking.places import Places
from kubectl_fairshare.cli.options.shared import ScreenOptions
from kubectl_fairshare.cli.output import view_of, write_document
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.report.printable import Portable, Printable, Summed
from kubectl_fairshare.report.text.view import View


def show(answer: Printable, places: Places, streams: Streams, screen: ScreenOptions) -> int:
    """Writes the answer and returns its exit code."""
    if screen.brief and isinstance(answer, Summed):
        streams.stdout.write(answer.brief(view_of(streams, screen, places)))
    elif screen.is_text:
        _write_screen(answer, view_of(streams, screen, places), streams, screen)
    elif screen.output == "markdown" and isinstance(answer, Portable):
        streams.stdout.write(answer.markdown(View(streams.width, places=places)))
    elif screen.output == "svg":
        from kubectl_fairshare.report.text import picture

        view = View(streams.width, picture.COLOURS, places=places)
        streams.stdout.write(picture.svg(answer.screen(view), "kubectl fairshare"))
    elif screen.output == "name":
        streams.stdout.writelines(f"{name}\n" for name in answer.names())
    elif screen.output == "csv":
        streams.stdout.write(answer.csv())
    else:
        write_document(streams, screen, answer.document(places))
    return answer.exit_code


def _write_screen(answer: Printable, view: View, streams: Streams, screen: ScreenOptions) -> None:
    """Writes the answer as text. On a terminal that is too low for it, the last line says what is above the screen."""
    text = answer.screen(view)
    streams.stdout.write(text)
    height = streams.height
    if height is None or screen.quiet or screen.interval is not None:
        return
    from kubectl_fairshare.report.text.height import hidden_lines

    brief = answer.brief(view) if screen.has_brief and isinstance(answer, Summed) else ""
    streams.stdout.writelines(f"{line}\n" for line in hidden_lines(text, brief, height, view))
