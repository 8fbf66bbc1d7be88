"""``test``: what authors of a policy expect of it, checked against what the scheduler decides.

Tested in ``tests/unit/policy/test_suite.py``.
"""

from collections.abc import Sequence

import click

from kubectl_fairshare.answers.number_text import count
from kubectl_fairshare.answers.suite import SuiteResult
from kubectl_fairshare.cli.asking.places import Places
from kubectl_fairshare.cli.asking.showing import code_of, show
from kubectl_fairshare.cli.options.shared import Inputs, ScreenOptions, screen_options
from kubectl_fairshare.cli.progress import progress
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.input.text.texts import Texts
from kubectl_fairshare.model.errors import FairshareError, Problem, UsageError


@click.command("test", short_help="check a policy against its tests")
@click.argument("paths", nargs=-1, type=click.Path(readable=False))
@click.option("--only", metavar="TEXT", default="", help="Run only tests whose name contains this.")
@click.option(
    "--update", is_flag=True, help="Write what came out in place of what was expected; review it with your diff."
)
@click.option(
    "--init", is_flag=True, help="Write a first file of tests for a state: PATHS are its manifests, or a snapshot."
)
@screen_options("text", "wide", "json", "yaml", "junit", "github", "name", "csv", graded=True, explains=False)
@click.pass_obj
def command(
    streams: Streams, /, paths: tuple[str, ...], only: str, update: bool, init: bool, screen: ScreenOptions
) -> int:
    """Runs the tests of policies: PATHS are files of tests, or directories with files called fairshare-test.yaml.

    A test says what is given, what happens, and what must follow: outcomes, victims, holdings, or an invariant over
    all loads. What is not decided exactly fails. docs/test.md has the form. Exit code 1: a test did not pass.

    \b
    kubectl fairshare test org/
    kubectl fairshare test org/fairshare-test.yaml --only reclaim -o junit
    kubectl fairshare test org/ --update && git diff
    kubectl fairshare test --init overlays/eu
    """  # noqa: D301 -- click wants the character
    from kubectl_fairshare.cli.policy.suite_file import SuiteFile, suite_files
    from kubectl_fairshare.report.suite.report import SuitesReport

    if init:
        paths = _written_first(streams, paths, given=bool(only or update), quiet=screen.quiet)
    problems: list[Problem] = []
    suites: list[SuiteResult] = []
    numbers: list[int] = []
    with progress(streams.stderr, "testing", quiet=screen.quiet):
        for path in suite_files(paths):
            try:
                file = SuiteFile(path, Inputs(filename=(path,)))
                found = file.run(only)
                suites += found
                numbers.append(len(found))
            except FairshareError as error:
                problems += error.problems
                kind = type(error)
        if problems:
            raise kind(*problems)
        if only and not any(suite.results for suite in suites):
            raise UsageError(Problem(f"no test has `{only}` in its name", "--only", "see the names: `-o name`"))
        if update:
            if max(numbers) > 1:
                remedy = "pick one with `given.each`, or change the values by hand"
                raise UsageError(Problem("a file that runs on several units has values of each", "--update", remedy))
            from kubectl_fairshare.cli.policy.updating import updated

            counts = [updated(path, suite) for path, suite in zip(suite_files(paths), suites, strict=True)]
            if not screen.quiet:
                changed, left = (sum(each) for each in zip(*counts, strict=True))
                stay = f"; {count(left, 'failed test')} must be changed by hand" if left else ""
                streams.stderr.write(f"note: {count(changed, 'expected value')} written{stay}\n")
    report = SuitesReport(tuple(suites))
    if screen.output in ("junit", "github"):
        streams.stdout.write(report.junit() if screen.output == "junit" else report.github())
        return code_of(report, screen, Places((), Texts()))
    return show(report, Places((), Texts()), streams, screen)


def _written_first(streams: Streams, paths: Sequence[str], *, given: bool, quiet: bool) -> tuple[str, ...]:
    """Writes a first file of tests for a state, or for each unit; returns the paths.

    ``given``: options that choose among tests are.
    """
    from kubectl_fairshare.cli.policy.first_suite import first_suites
    from kubectl_fairshare.cli.writing import write_file

    if given:
        raise UsageError(Problem("cannot be used with --only or --update", "--init", "leave them out"))
    with progress(streams.stderr, "writing", quiet=quiet):
        found = first_suites(paths)
    for first in found:
        write_file(streams, first.path, first.text.encode())
        if not quiet:
            streams.stderr.write(f"note: {first.path} has {count(first.tests, 'test')}\n")
    return tuple(first.path for first in found)
