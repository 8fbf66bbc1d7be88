"""Names that are nearly other names.

Words within two edits share a text that is left when at most two characters are deleted from each. An index
of those texts finds the neighbours of a name without comparing it with every other.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations
from typing import Final

_LONGEST: Final = 16
_SHORTEST: Final = 4
_MANY: Final = 6  # characters of which two may be wrong
_CROWD: Final = 16
_SEPARATORS: Final = str.maketrans("._", "--")
_DIGITS: Final = str.maketrans("123456789", "0" * 9)


class Names:
    """Names to be mistaken for."""

    def __init__(self, names: Iterable[str]) -> None:
        self._found: dict[str, list[str]] = {}
        self._alike: dict[str, str] = {}
        for name in sorted(set(names)):
            self._alike.setdefault(_shape(name), name)
        for shape in self._alike:
            for trace in _traces(shape):
                self._found.setdefault(trace, []).append(shape)

    def near(self, name: str) -> tuple[str, ...]:
        """The names that ``name`` may be a slip for, by name.

        Names that count on from one another are none, nor is one in a crowd of names that are all alike.
        """
        shape = _shape(name)
        shapes: set[str] = set()
        for trace in _traces(shape):
            shapes.update(self._found.get(trace, ()))
            if len(shapes) > _CROWD:
                return ()
        return tuple(sorted(self._alike[other] for other in shapes if slip(shape, other)))


def slip(a: str, b: str) -> bool:
    """Whether one name looks like the other mistyped, not like its neighbour in a row (``team-a``, ``north-2``).

    A slip changes one word of four letters or more, by one edit, by two in a word of six or more, or by two
    characters that change places; or it changes the separators alone.
    """
    a, b = _shape(a), _shape(b)
    words, others = a.split("-"), b.split("-")
    if a == b or len(words) != len(others):
        return a != b and "".join(words) == "".join(others)
    changed = [(x, y) for x, y in zip(words, others, strict=True) if x != y]
    return len(changed) == 1 and _mistyped(*changed[0])


def _mistyped(x: str, y: str) -> bool:
    shorter = min(len(x), len(y))
    if min(_letters(x), _letters(y)) < _SHORTEST:  # an abbreviation, or a model of hardware
        return False
    return distance(x, y) <= (1 if shorter < _MANY else 2) or _swapped(x, y)


def _letters(word: str) -> int:
    return len(word) - word.count("0")


def _swapped(x: str, y: str) -> bool:
    """Whether two neighbouring characters have changed places."""
    wrong = [i for i, (a, b) in enumerate(zip(x, y, strict=False)) if a != b]
    return len(x) == len(y) and len(wrong) == 2 and wrong[1] - wrong[0] == 1 and sorted(x) == sorted(y)


def distance(a: str, b: str, most: int = 2) -> int:
    """The edit distance (insert, delete, replace) of two texts; ``most`` + 1 when it is above ``most``."""
    if abs(len(a) - len(b)) > most:
        return most + 1
    above = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (x != y)))
        if min(row) > most:
            return most + 1
        above = row
    return min(above[-1], most + 1)


def _shape(name: str) -> str:
    """The name in lower case with one separator and one digit: names that count on have the same."""
    return name.lower().translate(_SEPARATORS).translate(_DIGITS)


def _traces(shape: str) -> Iterator[str]:
    """What a name has in common with every name that it may be a slip for."""
    words = shape.split("-")
    yield "".join(words)
    for i, word in enumerate(words):
        before, after = "-".join(words[:i]), "-".join(words[i + 1 :])
        for left in _deletions(word):
            yield f"{before}/{left}/{after}"


@lru_cache(maxsize=4096)
def _deletions(word: str) -> tuple[str, ...]:
    """Every text that is left when as many characters go as may be wrong in the word; of a long word one."""
    if len(word) < _SHORTEST:
        return ()
    most = 2 if _MANY <= len(word) <= _LONGEST else 1
    gone = (places for count in range(1, most + 1) for places in combinations(range(len(word)), count))
    return (word, *("".join(c for i, c in enumerate(word) if i not in places) for places in gone))
