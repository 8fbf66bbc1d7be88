"""A command line while the user types it: the words before the last one, and what the last one may be.

Tested in ``tests/unit/cli/commands/test_completion.py``.
"""

from kubectl_fairshare.cli.completing import grammar

TYPE_CHECKING = False  # typing's own costs more than all else here
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

NOTHING = "-"
"""The value of a flag, and the argument of a command without arguments."""


class Option:
    """An option of one command. ``value`` is what it takes, as the grammar says."""

    __slots__ = ("help", "names", "repeatable", "value")

    def __init__(self, names: str, value: str, about: str) -> None:
        self.names = names.split(",")
        self.repeatable = value.startswith("*")
        self.value = value.lstrip("*")
        self.help = about


class Line:
    """What was typed: ``command``, the values of its ``options`` by longest name, its ``arguments``.

    ``wanted`` is what the last word may be, as the grammar says: empty for a command, ``option``
    for an option. ``word`` is the part of the last word that is to be completed.
    """

    def __init__(self, words: "Sequence[str]") -> None:
        *before, self.word = words or [""]
        commands = [word for word in before if not word.startswith("-")][:1]
        self.command = commands[0] if commands else ""
        self.known = {name: option for option in options_of(self.command) for name in option.names}
        self.options: dict[str, list[str]] = {}
        self.arguments: list[str] = []
        rest = before[before.index(self.command) + 1 :] if self.command else []
        self.wanted = self._wanted(self._take(rest))

    def values(self, name: str) -> list[str]:
        """The values that an option was given, under its last name."""
        return self.options.get(name, [])

    def value(self, name: str) -> str | None:
        """The value that an option was given last."""
        return self.values(name)[-1] if self.values(name) else None

    def _take(self, words: "Sequence[str]") -> Option | None:
        """Takes words in; the option that still waits for its value, if there is one."""
        waiting: Option | None = None
        for number, word in enumerate(words):
            if waiting is not None:
                self._give(waiting, word)
                waiting = None
            elif word == "--":
                self.arguments += words[number + 1 :]
                self.known = {}
                break
            elif word.startswith("--"):
                name, equals, value = word.partition("=")
                waiting = self._open(name, value if equals else None)
            elif word.startswith("-") and len(word) > 1:
                waiting = self._short(word[1:])
            else:
                self.arguments.append(word)
        return waiting

    def _short(self, letters: str) -> Option | None:
        """Letters behind a single dash: flags, then perhaps one that takes the rest, or the next word, as its value."""
        for number, letter in enumerate(letters, 1):
            option = self.known.get(f"-{letter}")
            if option is not None and option.value != NOTHING:
                return self._open(f"-{letter}", letters[number:] or None)
            self._open(f"-{letter}", None)
        return None

    def _open(self, name: str, value: str | None) -> Option | None:
        option = self.known.get(name)
        if option is None:
            return None
        if option.value == NOTHING:
            self._give(option, "")
        elif value is None:
            return option
        else:
            self._give(option, value)
        return None

    def _give(self, option: Option, value: str) -> None:
        self.options.setdefault(option.names[-1], []).append(value)

    def _wanted(self, waiting: Option | None) -> str:
        if waiting is not None:
            return waiting.value
        name, equals, value = self.word.partition("=")
        if equals and name in self.known:
            self.word = value
            return self.known[name].value
        if not self.command:
            return "option" if self.word.startswith("-") else ""
        if self.word.startswith("-") and self.known:
            return "option"
        taken = argument_of(self.command)
        if taken.startswith("*") or (taken != NOTHING and not self.arguments):
            return taken.lstrip("*")
        return "option" if self.known and not self.word else NOTHING


def options_of(command: str) -> "Iterator[Option]":
    """The options of a command; those of the program for none."""
    if not command:
        yield Option("-h,--help", NOTHING, "show this help")
        yield Option("--version", NOTHING, "show the version")
    concerned = False
    for line in grammar.OPTIONS.splitlines():
        if line.startswith("["):
            concerned = command in line[1:-1].split()
        elif concerned:
            yield Option(*line.split(" ", 2))


def argument_of(command: str) -> str:
    """What a command takes besides options, a star before what may be repeated."""
    for line in grammar.COMMANDS.splitlines():
        name, taken, _ = line.split(" ", 2)
        if name == command:
            return taken
    return NOTHING
