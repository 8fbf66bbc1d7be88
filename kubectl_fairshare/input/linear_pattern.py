r"""Regular expressions as Go's, matched in linear time: those of strangers, who may write one that never ends.

Python's own matcher goes back and forth: it needs a thousand years for `(a*)*b`. Here all ways are followed at once
(Thompson 1968), so the time is at most the length of the text times that of the expression, and both are bounded.
Go has neither back references nor looking around, so nothing is missing. Source: Go's ``regexp/syntax``, RE2.
Tested in ``tests/hostile/test_linear_pattern.py``.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final, NoReturn, TypeAlias

Test: TypeAlias = Callable[[str], bool]
"""Whether a character belongs to a class."""
_LONGEST: Final = 1_000
"""The most characters of an expression, and the most repetitions that one asks for, as in Go."""
_LARGEST: Final = 4_000
"""The most steps of an expression with its repetitions written out."""
_MOST_WORK: Final = 2_000_000
"""The most steps of one search: the length of a text times that of an expression."""
_PLAIN: Final = re.compile(r"[A-Za-z0-9_/-]*")
_CLASSES: Final = {"d": r"[0-9]", "s": r"[\t\n\f\r ]", "w": r"[0-9A-Za-z_]"}
_ESCAPES: Final = {"a": "\a", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_POSIX: Final = {
    "alnum": "[0-9A-Za-z]",
    "alpha": "[A-Za-z]",
    "ascii": "[\x00-\x7f]",
    "blank": "[\t ]",
    "cntrl": "[\x00-\x1f\x7f]",
    "digit": "[0-9]",
    "graph": "[!-~]",
    "lower": "[a-z]",
    "print": "[ -~]",
    "punct": r"[!-/:-@\[-`{-~]",
    "space": r"[\t\n\v\f\r ]",
    "upper": "[A-Z]",
    "word": "[0-9A-Za-z_]",
    "xdigit": "[0-9A-Fa-f]",
}
_FLAGS: Final = "imsU"


class PatternError(ValueError):
    """Raised for an expression that Go does not take, or that is too large."""


class _Step:
    """A step: ``test`` takes a character, ``holds`` asks about the two next to the place; otherwise it leads on."""

    def __init__(self, test: Test | None = None, holds: Callable[[str, str], bool] | None = None) -> None:
        self.test = test
        self.holds = holds
        self.next: list[_Step] = []


_Part: TypeAlias = tuple[_Step, _Step]
"""The first and the last step of a part."""


class _Parser:
    """Reads an expression; each part that is repeated is read again for each repetition."""

    def __init__(self, text: str) -> None:
        if len(text) > _LARGEST:
            self._refuse("it is too long")
        self._text = text
        self._at = 0
        self.size = 0
        self._depth = 0
        self._flags = ""

    def whole(self) -> _Part:
        part = self._choice()
        if self._at < len(self._text):
            self._refuse("`)` without `(`")
        return part

    def _refuse(self, why: str) -> NoReturn:
        raise PatternError(why)

    def _step(self, test: Test | None = None, holds: Callable[[str, str], bool] | None = None) -> _Step:
        self.size += 1
        if self.size > _LARGEST:
            self._refuse("its repetitions are too many")
        return _Step(test, holds)

    def _sees(self, text: str) -> bool:
        return self._text.startswith(text, self._at)

    def _takes(self, text: str) -> bool:
        found = self._sees(text)
        self._at += len(text) if found else 0
        return found

    def _char(self) -> str:
        if self._at >= len(self._text):
            self._refuse("it ends too early")
        self._at += 1
        return self._text[self._at - 1]

    def _choice(self) -> _Part:
        self._depth += 1
        if self._depth > _LONGEST // 10:
            self._refuse("it is nested too deeply")
        first, last = self._step(), self._step()
        while True:
            start, end = self._sequence()
            first.next.append(start)
            end.next.append(last)
            if not self._takes("|"):
                self._depth -= 1
                return first, last

    def _sequence(self) -> _Part:
        first = last = self._step()
        while self._at < len(self._text) and not self._sees("|") and not self._sees(")"):
            start, end = self._repeated()
            last.next.append(start)
            last = end
        return first, last

    def _repeated(self) -> _Part:
        begin, flags = self._at, self._flags
        part = self._atom()
        end, after = self._at, self._flags
        bounds = self._bounds()
        if bounds is None:
            return part
        if self._bounds() is not None:
            self._refuse("a repetition of a repetition")
        then = self._at

        def again() -> _Part:
            self._at, self._flags = begin, flags
            return self._atom()

        found = self._times(part, again, *bounds)
        self._at, self._flags = max(then, end), after
        return found

    def _bounds(self) -> tuple[int, int | None] | None:
        """How often the part may occur; None if the text goes on with no repetition."""
        found: tuple[int, int | None] | None = None
        if self._takes("*"):
            found = 0, None
        elif self._takes("+"):
            found = 1, None
        elif self._takes("?"):
            found = 0, 1
        elif counted := re.compile(r"\{([0-9]{1,5})(,([0-9]{0,5}))?\}").match(self._text, self._at):
            self._at = counted.end()
            least = int(counted[1])
            most = least if counted[2] is None else int(counted[3]) if counted[3] else None
            if max(least, most or 0) > _LONGEST or (most is not None and most < least):
                self._refuse("a number of repetitions that is not possible")
            found = least, most
        if found is not None:
            self._takes("?")
        return found

    def _times(self, part: _Part, again: Callable[[], _Part], least: int, most: int | None) -> _Part:
        first = last = self._step()
        out = self._step()
        if most == 0:
            return first, first
        for number in range(max(least, most or 1)):
            start, end = again() if number else part
            last.next += [start] if number < least else [start, out]
            last = end
        last.next += [out] if most is not None else [start, out]
        return first, out

    def _atom(self) -> _Part:
        if self._takes("("):
            return self._group()
        step = self._single()
        return step, step

    def _group(self) -> _Part:
        flags = self._flags
        if self._takes("?"):
            if name := re.compile(r"P?<[A-Za-z0-9_]+>").match(self._text, self._at):
                self._at = name.end()
            elif set_to := re.compile(rf"([{_FLAGS}]*)(?:-([{_FLAGS}]+))?([:)])").match(self._text, self._at):
                self._at = set_to.end()
                self._flags = "".join(f for f in _FLAGS if f in flags + set_to[1] and f not in (set_to[2] or ""))
                if set_to[3] == ")":
                    step = self._step()
                    return step, step
            else:
                self._refuse("a group that Go does not have")
        part = self._choice()
        if not self._takes(")"):
            self._refuse("`(` without `)`")
        self._flags = flags
        return part

    def _single(self) -> _Step:
        char = self._char()
        if char in "*+?":
            self._refuse(f"`{char}` repeats nothing")
        if char == ".":
            anything = "s" in self._flags
            return self._step(lambda c: anything or c != "\n")
        if char == "^":
            return self._begins() if "m" in self._flags else self._step(holds=lambda before, _: not before)
        if char == "$":
            return self._ends() if "m" in self._flags else self._step(holds=lambda _, after: not after)
        if char == "[":
            return self._step(self._class())
        return self._escaped() if char == "\\" else self._step(self._of(re.escape(char)))

    def _begins(self) -> _Step:
        return self._step(holds=lambda before, _: before in ("", "\n"))

    def _ends(self) -> _Step:
        return self._step(holds=lambda _, after: after in ("", "\n"))

    def _escaped(self) -> _Step:
        char = self._char()
        if char in "Az":
            return self._step(holds=lambda before, after: not (before if char == "A" else after))
        if char in "bB":
            return self._step(holds=lambda before, after: (_is_word(before) != _is_word(after)) == (char == "b"))
        self._at -= 1
        return self._step(self._of(self._escape()))

    def _escape(self) -> str:
        """What a backslash begins, as Python's class of characters has it, without brackets around one character."""
        char = self._char()
        if char.lower() in _CLASSES:
            inner = _CLASSES[char.lower()][1:-1]
            return inner if char.islower() else f"[^{inner}]"
        if char == "x":
            return self._hexadecimal()
        if char not in _ESCAPES and char.isalnum():
            self._refuse(f"an escape `\\{char}` that is not supported")
        return re.escape(_ESCAPES.get(char, char))

    def _hexadecimal(self) -> str:
        found = re.compile(r"([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]{1,6})\}").match(self._text, self._at)
        if found is None or (number := int(found[1] or found[2], 16)) > 0x10FFFF:
            self._refuse("a number of a character that does not exist")
        self._at = found.end()
        return re.escape(chr(number))

    def _of(self, inner: str) -> Test:
        """A test for the inside of a class of characters, which Python's matcher decides for one character."""
        form = inner if inner.startswith("[^") else f"[{inner}]"
        return self._test(form)

    def _test(self, form: str) -> Test:
        return _test_of(form, "i" in self._flags)

    def _class(self) -> Test:
        negated = self._takes("^")
        tests: list[Test] = []
        while not tests or not self._sees("]"):
            tests.append(self._member())
        self._takes("]")
        return lambda c: any(test(c) for test in tests) != negated

    def _member(self) -> Test:
        if name := re.compile(r"\[:(\^?)([a-z]+):\]").match(self._text, self._at):
            if name[2] not in _POSIX:
                self._refuse("a class that does not exist")
            self._at = name.end()
            inside, turned = self._test(_POSIX[name[2]]), bool(name[1])
            return lambda c: inside(c) != turned
        is_class = re.compile(r"\\[dDsSwW]").match(self._text, self._at) is not None  # no range begins with one
        low = self._bound()
        ranged = self._sees("-") and not self._text.startswith("-]", self._at)
        if is_class or not ranged:
            return self._of(low)
        self._takes("-")
        high = self._bound()
        form = f"[{low}-{high}]"
        try:
            re.compile(form)
        except re.error:
            self._refuse("a range that is not possible")
        return self._test(form)

    def _bound(self) -> str:
        char = self._char()
        return self._escape() if char == "\\" else re.escape(char)


@lru_cache(1024)
def _test_of(form: str, any_case: bool) -> Test:
    compiled = re.compile(form, (re.IGNORECASE if any_case else 0) | re.DOTALL)
    return lambda c: compiled.fullmatch(c) is not None


def _is_word(char: str) -> bool:
    return char == "_" or (char.isascii() and char.isalnum())


@lru_cache(1024)
def _parsed(pattern: str) -> tuple[_Step, _Step, int]:
    parser = _Parser(pattern)
    first, last = parser.whole()
    return first, last, parser.size


@lru_cache(1 << 16)
def is_whole(pattern: str, text: str) -> bool:
    """Whether an expression matches all of a text. Raises ``PatternError`` for one that Go does not take."""
    if len(pattern) <= _LONGEST and _PLAIN.fullmatch(pattern):
        return pattern == text
    return _matches(pattern, text, whole=True)


def is_within(pattern: str, text: str) -> bool:
    """Whether an expression matches a part of a text. Raises ``PatternError`` for one that Go does not take."""
    if len(pattern) <= _LONGEST and _PLAIN.fullmatch(pattern):
        return pattern in text
    return _matches(pattern, text, whole=False)


def _matches(pattern: str, text: str, *, whole: bool) -> bool:
    first, last, size = _parsed(pattern)
    if size * (len(text) + 1) > _MOST_WORK:
        raise PatternError("it is too large for this text")
    active: list[_Step] = []
    for at in range(len(text) + 1):
        before, after = text[at - 1 : at] if at else "", text[at : at + 1]
        starts = [*active, first] if at == 0 or not whole else active
        reached = list(_reached(starts, before, after))
        if last in reached and (not whole or not after):
            return True
        active = [
            then for step in reached if step.test is not None and after and step.test(after) for then in step.next
        ]
        if not active and whole:
            return False
    return False


def _reached(starts: list[_Step], before: str, after: str) -> Iterator[_Step]:
    """The steps that are reached without a character, each once."""
    seen: set[int] = set()
    left = list(starts)
    while left:
        step = left.pop()
        if id(step) in seen or (step.holds is not None and not step.holds(before, after)):
            continue
        seen.add(id(step))
        yield step
        if step.test is None:
            left += step.next
