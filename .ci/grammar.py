#!/usr/bin/env python3
"""Writes ``kubectl_fairshare/cli/completing/grammar.py``: commands, options and rules as shells complete them.

The commands themselves take too long to import while somebody waits for a word. ``--check`` writes nothing and
fails when the file differs from what would be written.
"""

import sys
import textwrap
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Final

import click

ROOT = Path(__file__).resolve().parent.parent
GRAMMAR = ROOT / "kubectl_fairshare" / "cli" / "completing" / "grammar.py"
WIDTH = 118

NAMED: Final = {
    "as_user": "",
    "cluster": "cluster",
    "context": "context",
    "demand": "demand",
    "engine": "engine",
    "explain": "node",
    "filename": "file",
    "flavor": "flavor",
    "kueue_namespace": "namespace",
    "namespace": "namespace",
    "overlay_delete": "object",
    "priority_class": "priority",
    "queue": "queue",
    "request": "amounts",
    "resource": "resource",
    "scheduler_namespace": "namespace",
    "subject": "subject",
    "topic": "topic",
    "user": "user",
}
"""What a parameter of this name takes, where its type does not say it."""


def value_of(command: str, param: click.Parameter) -> str:
    """What a parameter takes: choices, or the name of what is to be offered; a dash for a flag, a dot for anything."""
    from kubectl_fairshare.cli.linting.rule_choice import RuleWords

    if isinstance(param, click.Option) and (param.is_flag or param.count):
        return "-"
    if isinstance(param.type, click.Choice):
        return "|".join(map(str, param.type.choices))
    if isinstance(param.type, click.Path):
        return "file" if param.type.file_okay else "folder"
    if isinstance(param.type, RuleWords):
        return "rules" if param.multiple else "rule"
    if command == "plan" and param.name == "queue":
        return "localqueue"
    return NAMED.get(param.name or "", "") or "."


def help_of(text: str, room: int) -> str:
    """The beginning of a help, cut where a sentence or a part of one ends, and at ``room`` characters."""
    first = text.partition(". ")[0].partition(" [")[0].rstrip(".")
    short = first.split("; may be repeated")[0]
    return short if len(short) <= room else textwrap.shorten(short, room, placeholder=" …")


def option_lines() -> Iterator[str]:
    """A heading for each set of commands, and below it the options that exactly these have."""
    commands: dict[str, list[str]] = {}
    for name, command in all_commands():
        for param in command.params:
            if isinstance(param, click.Option) and not param.hidden:
                commands.setdefault(option_line(name, param), []).append(name)
        commands.setdefault("-h,--help - show the help", []).append(name)
        if any(param.name == "help_all" for param in command.get_params(click.Context(command))):
            commands.setdefault("--help-all - show the help with shared options", []).append(name)
    by_set = sorted(commands, key=lambda line: commands[line])
    for names, lines in groupby(by_set, key=lambda line: commands[line]):
        yield f"[{' '.join(names)}]"
        yield from sorted(lines, key=lambda line: line.split()[0].split(",")[-1])


def option_line(command: str, option: click.Option) -> str:
    """Names, a star if it may be repeated, what it takes, and what it is for."""
    names = ",".join([*option.opts, *option.secondary_opts])
    start = f"{names} {'*' if option.multiple else ''}{value_of(command, option)} "
    return start + help_of(option.help or "", min(60, WIDTH - len(start)))


def all_commands() -> Iterator[tuple[str, click.Command]]:
    """Every command, by name."""
    from kubectl_fairshare.cli.program import COMMANDS, program

    for name in COMMANDS:
        command = program.get_command(click.Context(program), name)
        if command is None:
            raise LookupError(name)
        yield name, command


def command_lines() -> Iterator[str]:
    """Every command, a star if its argument may be repeated, what that is, and what the command is for."""
    from kubectl_fairshare.cli.program import COMMANDS

    for name, command in all_commands():
        taken = [p for p in command.params if isinstance(p, click.Argument)]
        value = ("*" if taken[0].nargs < 0 else "") + value_of(name, taken[0]) if taken else "-"
        yield f"{name} {value} {COMMANDS[name]}"


def words(found: Iterator[str]) -> str:
    """Words as a block of text."""
    return textwrap.fill(" ".join(found), WIDTH, break_long_words=False, break_on_hyphens=False)


def written() -> str:
    """The module."""
    from kubectl_fairshare.cli.linting.rule_choice import known_rules
    from kubectl_fairshare.conformance.replays import REPLAYS
    from kubectl_fairshare.schedulers.kueue.why.subjects import ASKABLE

    blocks = {
        "COMMANDS": "\n".join(command_lines()),
        "OPTIONS": "\n".join(option_lines()),
        "RULES": words(f"{rule.id}={rule.name}" for rule in known_rules()),
        "SUBJECTS": words(iter(sorted({kind for _, kind in ASKABLE}))),
        "ENGINES": words(iter(sorted(REPLAYS))),
    }
    head = '"""Commands, options, rules and kinds of jobs as shells complete them; `.ci/grammar.py` writes this."""\n'
    return head + "".join(f'\n{name} = """\\\n{text}\n"""\n' for name, text in blocks.items())


def main(arguments: list[str]) -> int:
    """Writes, or with ``--check`` compares; 1 when the file differs."""
    sys.path.insert(0, str(ROOT))
    text = written()
    if GRAMMAR.exists() and GRAMMAR.read_text("utf-8") == text:
        return 0
    check = "--check" in arguments
    sys.stdout.write(f"{'differs, run .ci/grammar.py' if check else 'written'}: {GRAMMAR.relative_to(ROOT)}\n")
    if not check:
        GRAMMAR.write_text(text, "utf-8")
    return int(check)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
