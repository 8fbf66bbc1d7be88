"""What lint found, onto standard output in the format that was asked for.

Tested in ``tests/unit/cli/linting/test_fixing.py``.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from kubectl_fairshare.cli.linting.lint_run import LintRun
from kubectl_fairshare.cli.options.shared import ScreenOptions
from kubectl_fairshare.cli.output import write_document, write_screen
from kubectl_fairshare.cli.streams import Streams, colours
from kubectl_fairshare.finding import Severity
from kubectl_fairshare.schedulers import lint_houses

_Writer = Callable[[LintRun, Severity | None, Streams, ScreenOptions], None]


def write(run: LintRun, fails: Severity | None, streams: Streams, screen: ScreenOptions) -> None:
    """Writes the findings; those as bad as ``fails`` or worse make lint end with 1."""
    _WRITERS[screen.output](run, fails, streams, screen)


def _text(run: LintRun, _: Severity | None, streams: Streams, screen: ScreenOptions) -> None:
    from kubectl_fairshare.lint.formats.text import lint_screen
    from kubectl_fairshare.report.text.view import View

    view = View(streams.width, colours(streams.stdout, screen.color))
    text = lint_screen(run.placed, run.counts, run.unread, view, grouped=streams.stdout.isatty())
    write_screen(text, streams, screen, view)


def _concise(run: LintRun, _: Severity | None, streams: Streams, screen: ScreenOptions) -> None:
    from kubectl_fairshare.lint.formats.text import concise_lines
    from kubectl_fairshare.report.text.view import View

    view = View(streams.width, colours(streams.stdout, screen.color))
    write_screen(concise_lines(run.placed, run.counts, run.unread, view), streams, screen, view)


def _json(run: LintRun, _: Severity | None, streams: Streams, screen: ScreenOptions) -> None:
    from kubectl_fairshare.lint.documents.report import lint_document, with_versions

    document = lint_document(run.placed, run.counts, run.unread, run.complete, run.units)
    write_document(streams, screen, with_versions(document, run.versions))


def _sarif(run: LintRun, _: Severity | None, streams: Streams, screen: ScreenOptions) -> None:
    from kubectl_fairshare.lint.formats.sarif import MOST_RUNS

    units = tuple(run.units)
    (log,) = sarif_logs_of(run, () if len(units) > MOST_RUNS else units)
    write_document(streams, screen, log)


def sarif_logs_of(run: LintRun, units: tuple[str, ...] | None = None) -> list[dict[str, Any]]:
    """SARIF files, each with as many units as code scanning takes: all of them, unless some are named."""
    from kubectl_fairshare.lint.findings.replacements import replacements
    from kubectl_fairshare.lint.formats.sarif import sarif_logs

    fixes = replacements(run.placed, run.reading_of, run.reading.texts, lint_houses())
    units = tuple(run.units) if units is None else units
    return sarif_logs(run.placed, run.rules, run.unread, fixes, units)


def _junit(run: LintRun, fails: Severity | None, streams: Streams, _: ScreenOptions) -> None:
    from kubectl_fairshare.lint.formats.junit import junit_report

    streams.stdout.write(junit_report(run.placed, sorted(run.reading.texts), run.unread, fails))


def _github(run: LintRun, _: Severity | None, streams: Streams, __: ScreenOptions) -> None:
    from kubectl_fairshare.lint.formats.github import github_commands

    streams.stdout.write(github_commands(run.placed, run.counts, run.unread))


def _gitlab(run: LintRun, _: Severity | None, streams: Streams, screen: ScreenOptions) -> None:
    from kubectl_fairshare.lint.formats.gitlab import gitlab_report

    write_document(streams, screen, gitlab_report(run.placed, run.unread))


def _markdown(run: LintRun, _: Severity | None, streams: Streams, __: ScreenOptions) -> None:
    from kubectl_fairshare.lint.formats.markdown import markdown_comment

    streams.stdout.write(markdown_comment(run.placed, run.counts, run.unread))


_WRITERS: Final[Mapping[str, _Writer]] = {
    "text": _text,
    "concise": _concise,
    "json": _json,
    "sarif": _sarif,
    "junit": _junit,
    "github": _github,
    "gitlab": _gitlab,
    "markdown": _markdown,
}
FORMATS: Final = tuple(_WRITERS)
