"""``lint``: every mistake that the API server, the controllers or the arithmetic would punish later."""

from collections.abc import Mapping
from typing import Any

import click

from kubectl_fairshare.cli.asking.reading import print_notes
from kubectl_fairshare.cli.linting.baseline import write_baseline
from kubectl_fairshare.cli.linting.filters import filters
from kubectl_fairshare.cli.linting.lint_run import LintOptions, LintRun
from kubectl_fairshare.cli.linting.output import FORMATS, write
from kubectl_fairshare.cli.linting.rule_choice import ALL, RuleWords, each_rule, rules_to_run
from kubectl_fairshare.cli.linting.run import find, left_out, with_paths
from kubectl_fairshare.cli.linting.settings import NEVER, Asked, check, with_settings
from kubectl_fairshare.cli.options.house import SectionedCommand
from kubectl_fairshare.cli.options.lint_options import living_options, named_releases, release_options
from kubectl_fairshare.cli.options.shared import Inputs, ScreenOptions, examined_options, screen_options
from kubectl_fairshare.cli.output import write_document
from kubectl_fairshare.cli.streams import Streams, colours
from kubectl_fairshare.finding import Severity
from kubectl_fairshare.input.files.paths import STDIN
from kubectl_fairshare.model.errors import FairshareError, Problem, UsageError


@click.command(cls=SectionedCommand, short_help="find mistakes before the cluster does")
@click.argument("paths", nargs=-1, type=click.Path(readable=False))
@examined_options
@click.option(
    "--select",
    multiple=True,
    type=RuleWords(),
    metavar="RULES",
    help="Run only these rules; `advice` adds the advice rules.",
)
@click.option("--ignore", multiple=True, type=RuleWords(), metavar="RULES", help="Skip these rules.")
@click.option(
    "--fail-on",
    type=click.Choice([*(severity.value for severity in Severity), NEVER]),
    metavar="SEVERITY",
    help="Exit with 1 from this severity on: error, warning, info, never. [error]",
)
@release_options
@click.option("--list-rules", is_flag=True, help="List all rules, with advice, and exit.")
@living_options
@screen_options(*FORMATS)
@click.pass_obj
def command(streams: Streams, /, paths: tuple[str, ...], inputs: Inputs, screen: ScreenOptions, **chosen: Any) -> int:
    """Finds mistakes that the API server rejects, the controllers ignore, or the quotas do not allow.

    RULES are ids, prefixes of ids, or names, separated by commas: K027, K0, cohort-cycle. `advice` means the
    rules that are off by default, `all` means every rule. Only --fix changes files.

    \b
    kubectl fairshare lint org/
    kubectl fairshare lint org/ --select advice --fail-on warning
    kustomize build org/ | kubectl fairshare lint -
    helm template chart/ | kubectl fairshare lint - -o sarif
    """  # noqa: D301 -- click wants the character
    inputs = with_paths(inputs, paths)
    asked, settings = with_settings(Asked(releases=named_releases(chosen), complete=inputs.complete, **chosen))
    if inputs.live and (asked.fix or asked.diff) and not asked.list_rules:
        option = "--fix" if asked.fix else "--diff"
        raise UsageError(Problem("fixes files, not a cluster", option, "pass the files: `-f FILE`"))
    check(asked, is_text=screen.is_text, from_stdin=STDIN in (*inputs.filename, *inputs.overlay))
    if asked.output_dir is not None and (screen.output != "sarif" or asked.diff or asked.list_rules):
        raise UsageError(Problem("files are written in one format", "--output-dir", "add `-o sarif`"))
    if asked.list_rules:
        return _list(asked.options, streams, screen)
    wanted = tuple(filters(settings, None if asked.write_baseline else asked.baseline, inputs.selector))

    def found(known: Mapping[str, bytes] | None = None) -> LintRun:
        return find(inputs, asked.options, streams, wanted, known, quiet=screen.quiet)

    run = found()
    if not screen.quiet:
        print_notes(tuple(left_out(run.reading)), streams, screen)
    if asked.write_baseline is not None:
        return write_baseline(run, asked.write_baseline, streams)
    if asked.fix or asked.diff:
        from kubectl_fairshare.cli.linting.fixing import Fixing

        fixing = Fixing(inputs, found, asked.unsafe_fixes)
        run = fixing.write_diff(run, streams, screen) if asked.diff else fixing.write(run)
    if not screen.quiet:
        print_notes(run.notes, streams, screen)
    if asked.output_dir is not None:
        from kubectl_fairshare.cli.linting.sarif_files import write_sarif_files

        write_sarif_files(run, asked.output_dir, streams)
    elif not asked.diff:
        write(run, asked.fails, streams, screen)
    if run.unread:
        raise FairshareError(*run.unread)
    worst, fails = run.worst(), asked.fails
    return int(fails is not None and worst is not None and worst.rank <= fails.rank)


def _list(options: LintOptions, streams: Streams, screen: ScreenOptions) -> int:
    rules = each_rule(rules_to_run(options.select or (ALL,), options.ignore, each) for each in options.numbers)
    if screen.output == "json":
        from kubectl_fairshare.lint.documents.rules import rule_list_document

        write_document(streams, screen, rule_list_document(rules))
    elif screen.is_text:
        from kubectl_fairshare.lint.formats.rule_list import rule_list
        from kubectl_fairshare.report.text.view import View

        streams.stdout.write(rule_list(rules, View(streams.width, colours(streams.stdout, screen.color))))
    else:
        raise UsageError(
            Problem(f"`--list-rules` does not support `-o {screen.output}`", help="use `-o text` or `json`")
        )
    return 0
