"""What one of lint's rules is about: ``help`` shows it, also under its older name ``rule``."""

from contextlib import chdir
from io import StringIO
from typing import Final

import click

from kubectl_fairshare.cli.linting.lint_run import LintOptions
from kubectl_fairshare.cli.linting.rule_choice import RuleWords, known_rules, unknown_rule
from kubectl_fairshare.cli.linting.run import find
from kubectl_fairshare.cli.options.house import SectionedCommand
from kubectl_fairshare.cli.options.shared import Inputs, ScreenOptions, screen_options
from kubectl_fairshare.cli.output import write_document, write_screen
from kubectl_fairshare.cli.streams import Streams, colours
from kubectl_fairshare.lint.formats.rule_page import Examples, rule_markdown, rule_screen
from kubectl_fairshare.lint.protocol import Rule
from kubectl_fairshare.lint.registry import rule_called
from kubectl_fairshare.model.errors import FairshareError, UsageError
from kubectl_fairshare.model.releases import Release
from kubectl_fairshare.schedulers import lint_houses
from kubectl_fairshare.shipped import examples

BAD: Final = "bad.yaml"
GOOD: Final = "good.yaml"


@click.command(cls=SectionedCommand, short_help="what one lint rule checks, with examples")
@click.argument("rule", type=RuleWords())
@screen_options("text", "json", "markdown")
@click.pass_obj
def command(streams: Streams, /, rule: str, screen: ScreenOptions) -> int:
    """Shows one lint rule: what it checks, why, what to write instead, and two examples.

    RULE is an id or a name; `kubectl fairshare lint --list-rules` lists them. No input is read.

    \b
    kubectl fairshare help K041
    kubectl fairshare help cohort-cycle -o markdown
    """  # noqa: D301 -- click wants the character
    known = rule_called(rule, lint_houses())
    if known is None:
        raise UsageError(unknown_rule(rule, None, known_rules()))
    show_rule(known, streams, screen)
    return 0


def show_rule(known: Rule, streams: Streams, screen: ScreenOptions) -> None:
    """Prints a rule with its examples, as text, JSON or Markdown."""
    shown = examples_of(known)
    if screen.output == "json":
        from kubectl_fairshare.lint.documents.rules import rule_document

        write_document(streams, screen, rule_document(known, shown))
    elif screen.output == "markdown":
        streams.stdout.write(rule_markdown(known, shown))
    else:
        from kubectl_fairshare.report.text.view import View

        view = View(streams.width, colours(streams.stdout, screen.color))
        write_screen(rule_screen(known, shown, view), streams, screen, view)


def examples_of(rule: Rule) -> Examples:
    """Both examples of a rule, and what lint finds in the bad one. Raises ``FairshareError`` where one lacks."""
    alone = (rule.id,) if rule.advice else ()  # among the others it finds the same, and M001 needs them
    options = LintOptions(select=alone, releases=newest_for(rule))
    with chdir(examples() / rule.id):  # so that places have short names
        run = find(Inputs(filename=(BAD,)), options, Streams(None, StringIO(), StringIO()))
        if run.unread:
            raise FairshareError(*run.unread)
        bad, good = (run.reading.texts[BAD].characters, _text(GOOD))
    return Examples(bad, run.placed, good)


def _text(name: str) -> str:
    with open(name, encoding="utf-8") as stream:
        return stream.read()


def newest_for(rule: Rule) -> dict[str, Release]:
    """The newest release that a rule holds for, by its scheduler; nothing where it holds for the newest of all."""
    if rule.until is None:
        return {}
    before = Release(rule.until.major, rule.until.minor - 1)
    return {house.name: before for house in lint_houses() if rule in house.rules}
