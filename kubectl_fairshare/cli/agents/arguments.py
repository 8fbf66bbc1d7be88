"""Texts of the program for an agent: it has arguments where a shell has options.

Tested in ``tests/unit/cli/agents/test_arguments.py``.
"""

import re
from collections.abc import Mapping
from typing import Final

import click

_OPTION: Final = re.compile(r"(?<![\w/-])--?[A-Za-z][A-Za-z-]*(?![\w-])")
_COMMAND: Final = re.compile(r"(`(?:kubectl|pip|python|git)\b[^`]*`)")
_SENTENCE: Final = re.compile(r"(?<=[.:])\s+(?=[A-Z`-])")


def argument_name(param: click.Parameter) -> str:
    """The name of a parameter for an agent: its long option with ``_``, or the word of its place."""
    if isinstance(param, click.Option):
        return max(param.opts, key=len).lstrip("-").replace("-", "_")
    return param.name or ""


def flags_of(taken: Mapping[str, click.Parameter]) -> dict[str, str]:
    """What to write for each option of these parameters."""
    options = {name: param for name, param in taken.items() if isinstance(param, click.Option)}
    found = {flag: name for name, param in options.items() for flag in param.opts}
    negated = {flag: f"{name}: false" for name, param in options.items() for flag in param.secondary_opts}
    return {**negated, **found}


def argument_text(text: str, flags: Mapping[str, str]) -> str:
    """A text with arguments in place of options, except in command lines of a shell."""
    parts = _COMMAND.split(text)
    return "".join(
        part if n % 2 else _OPTION.sub(lambda f: flags.get(f[0], f[0]), part) for n, part in enumerate(parts)
    )


def argument_help(text: str, flags: Mapping[str, str]) -> str:
    """A text of help without the sentences about exit codes, and about options that an agent does not have."""
    sentences = _SENTENCE.split(argument_text(text, flags))
    return " ".join(each for each in sentences if not _OPTION.search(each) and "xit code" not in each)
