"""One answer after another on standard output, each where it differs from the last; what went wrong next to it.

Tested in ``tests/unit/cli/watching/test_watching.py``.
"""

import time
from collections.abc import Sequence

from kubectl_fairshare.cli.options.shared import ScreenOptions
from kubectl_fairshare.cli.streams import Streams, colours, error_view
from kubectl_fairshare.cli.watching.picture import Picture
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.model.moments import moment_text
from kubectl_fairshare.report.text.problems import problem_lines
from kubectl_fairshare.report.text.view import View


class Log:
    """Answers, each text below its time and with what changed marked; documents as they are."""

    def __init__(self, streams: Streams, screen: ScreenOptions) -> None:
        self._streams, self._screen = streams, screen
        self._view = View(colour=colours(streams.stdout, screen.color))
        self._last: Picture | None = None
        self._excused: Sequence[Problem] = ()

    def show(self, picture: Picture, *, resized: bool = False) -> None:
        """Writes the answer if it differs from the last one, and the notes if they do."""
        del resized  # where lines have no end but their own, sizes do not matter
        last, self._last = self._last, picture
        if self._excused:
            self._excused = ()
            self._note(f"answered again at {moment_text(picture.moment)}")
        if last is None or last.notes != picture.notes:
            self._print(picture.notes)
        if last is not None and last.answer == picture.answer:
            return
        if self._screen.is_text:
            self._write(self._marked(picture, None if last is None else last.answer))
        else:
            self._write(picture.answer)

    def excuse(self, problems: Sequence[Problem], since: int, again: int) -> None:
        """Prints it once, until the reason changes or an answer arrives."""
        del again
        if self._excused == problems:
            return
        self._excused = problems
        self._print(problem_lines(problems, self._error_view()))
        self._note(f"the last answer is out of date since {moment_text(since)}; retrying")

    def rest(self, seconds: float) -> bool:
        """Waits; False, as nothing can disturb it."""
        time.sleep(max(seconds, 0.0))
        return False

    def _marked(self, picture: Picture, before: str | None) -> str:
        """An answer with its time; lines that differ from ``before`` are marked, none in the first answer."""
        from kubectl_fairshare.report.text.console import printed, texts
        from kubectl_fairshare.report.text.watching import changes, marked_lines

        lines = picture.answer.splitlines()
        differences = changes(lines, lines if before is None else before.splitlines())
        head = self._view.paint("dim", f"--- {moment_text(picture.moment)}")
        return printed([*texts([head]), *marked_lines(lines, differences, self._view)], self._view.colour)

    def _note(self, text: str) -> None:
        if not self._screen.quiet:
            self._print(problem_lines([Problem(text)], self._error_view(), "note"))

    def _error_view(self) -> View:
        return error_view(self._streams.stderr, self._screen.color)

    def _print(self, text: str) -> None:
        self._streams.stderr.write(text)
        self._streams.stderr.flush()

    def _write(self, text: str) -> None:
        self._streams.stdout.write(text)
        self._streams.stdout.flush()
