"""``help``: a command, a term, a law or a rule, explained in the terminal."""

import click

from kubectl_fairshare.cli.linting.rule_choice import known_rules
from kubectl_fairshare.cli.options.house import SectionedCommand
from kubectl_fairshare.cli.options.shared import ScreenOptions, screen_options
from kubectl_fairshare.cli.output import write_screen
from kubectl_fairshare.cli.streams import Streams, colours
from kubectl_fairshare.cli.topics import Topic, normal, shipped_topics
from kubectl_fairshare.lint.registry import rule_called
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.phrases import did_you_mean, likely
from kubectl_fairshare.report.text.paragraph import paragraph
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers import lint_houses


@click.command(cls=SectionedCommand, short_help="explain a command, a term, a law or a rule")
@click.argument("topic", nargs=-1)
@screen_options("text", "json", "markdown")
@click.pass_context
def command(ctx: click.Context, /, topic: tuple[str, ...], screen: ScreenOptions) -> int:
    """Explains a command, a word of the field, a law of a scheduler, or a lint rule. Reads no input.

    \b
    kubectl fairshare help plan
    kubectl fairshare help borrowing
    kubectl fairshare help s2-a
    kubectl fairshare help K041 -o markdown
    """  # noqa: D301 -- click wants the character
    streams = ctx.find_object(Streams)
    root = ctx.find_root()
    if streams is None:
        raise LookupError("streams")
    word = " ".join(topic)
    rule = rule_called(word, lint_houses()) if word else None
    if rule is not None:
        from kubectl_fairshare.cli.commands.rule import show_rule

        show_rule(rule, streams, screen)
        return 0
    if screen.output != "text":
        raise UsageError(Problem(f"`{screen.output}` is a form of lint rules", "-o", "name a rule: `help K041`"))
    if not word:
        write_screen(f"{root.get_help()}\n", streams, screen, _view(streams, screen))
        return 0
    group = root.command
    known = group.get_command(root, word) if isinstance(group, click.Group) else None
    if known is not None:
        with click.Context(known, root, word) as inner:
            write_screen(f"{known.get_help(inner)}\n", streams, screen, _view(streams, screen))
        return 0
    write_screen(_topic_screen(_topic(word), _view(streams, screen)), streams, screen, _view(streams, screen))
    return 0


def _view(streams: Streams, screen: ScreenOptions) -> View:
    return View(streams.width, colours(streams.stdout, screen.color))


def _topic(word: str) -> Topic:
    """The term or law. Raises ``UsageError`` with near names for an unknown one."""
    known = shipped_topics()
    found = known.get(normal(word))
    if found is None:
        rules = {normal(name): name for rule in known_rules() for name in (rule.id, rule.name)}
        names = {**{key: topic.name for key, topic in known.items()}, **rules}
        near = list(dict.fromkeys(names[key] for key in likely(normal(word), names)))
        remedy = did_you_mean(near) or "words are in docs/vocabulary.md; `lint --list-rules` lists the rules"
        raise UsageError(Problem(f"no help for `{word}`", help=remedy))
    return found


def _topic_screen(topic: Topic, view: View) -> str:
    first, *others = topic.paragraphs
    lines = [view.paint("strong", topic.name), *paragraph(first, view)]
    for text in others:
        lines += paragraph(text, view)
    return "".join(f"{line}\n" for line in lines)
