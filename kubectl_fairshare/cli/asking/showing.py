"""Answers onto standard output, in the form that was asked for."""

from kubectl_fairshare.cli.asking.places import Places
from kubectl_fairshare.cli.options.shared import ScreenOptions
from kubectl_fairshare.cli.output import view_of, write_document, write_screen
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.report.printable import Portable, Printable, Summed
from kubectl_fairshare.report.text.clean import printable
from kubectl_fairshare.report.text.view import View


def show(answer: Printable, places: Places, streams: Streams, screen: ScreenOptions) -> int:
    """Writes the answer and returns its exit code."""
    if screen.brief and isinstance(answer, Summed):
        streams.stdout.write(answer.brief(view_of(streams, screen, places)))
    elif screen.is_text:
        view = view_of(streams, screen, places)
        brief = answer.brief(view) if screen.has_brief and streams.height and isinstance(answer, Summed) else ""
        write_screen(answer.screen(view), streams, screen, view, brief)
    elif screen.output == "markdown" and isinstance(answer, Portable):
        streams.stdout.write(answer.markdown(View(streams.width, places=places)))
    elif screen.output == "svg":
        from kubectl_fairshare.report.text import picture

        view = View(streams.width, picture.COLOURS, places=places)
        streams.stdout.write(picture.svg(answer.screen(view), "kubectl fairshare"))
    elif screen.output == "name":
        streams.stdout.writelines(f"{printable(name)}\n" for name in answer.names())
    elif screen.output == "csv":
        streams.stdout.write(answer.csv())
    else:
        write_document(streams, screen, answer.document(places))
    return answer.exit_code
