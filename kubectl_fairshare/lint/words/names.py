"""Names that are nearly equal to other names.

Two words within two edits share a text that remains after at most two deletions from each. An index of these texts
finds the neighbours of a name without comparing it with every other name.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations
from typing import Final

_LONGEST: Final = 16
_SHORTEST: Final = 4
_MANY: Final = 6  # letters from which on two may be wrong
_CROWD: Final = 16
_SEPARATORS: Final = str.maketrans("._", "--")
_DIGITS: Final = str.maketrans("123456789", "0" * 9)


class Names:
    """Names that a typing error may have changed into another."""

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

        Names in a numbered row are not slips for each other; neither is a name in a group of names that are all equal.
        """
        shape = _shape(name)
        shapes: set[str] = set()
        for trace in _traces(shape):
            shapes.update(self._found.get(trace, ()))
            if len(shapes) > _CROWD:
                return ()
        return tuple(sorted(self._alike[other] for other in shapes if slip(shape, other)))


def slip(a: str, b: str) -> bool:
    """Whether one name looks like the other mistyped, and not like its neighbour in a row (``team-a``, ``north-2``).

    A slip changes one word of at least four letters: by one edit, by two in a word of at least six letters, or by
    swapping two characters. Or it changes only the separators.
    """
    a, b = _shape(a), _shape(b)
    words, others = a.split("-"), b.split("-")
    if a == b or len(words) != len(others):
        return a != b and "".join(words) == "".join(others)
    changed = [(x, y) for x, y in zip(words, others, strict=True) if x != y]
    return len(changed) == 1 and _is_mistyped(*changed[0])


def _is_mistyped(x: str, y: str) -> bool:
    shorter = min(len(x), len(y))
    if min(_letters(x), _letters(y)) < _SHORTEST:  # an abbreviation, or a model of hardware
        return False
    return distance(x, y) <= (1 if shorter < _MANY else 2) or _is_swapped(x, y)


def _letters(word: str) -> int:
    return len(word) - word.count("0")


def _is_swapped(x: str, y: str) -> bool:
    """Whether two neighbouring characters are swapped."""
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
    """The name in lower case with one separator and one digit: names in a numbered row have the same shape."""
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
    """The texts left after deleting as many characters as may be wrong in the word; one of a long word."""
    if len(word) < _SHORTEST:
        return ()
    most = 2 if _MANY <= len(word) <= _LONGEST else 1
    gone = (places for count in range(1, most + 1) for places in combinations(range(len(word)), count))
    return (word, *("".join(c for i, c in enumerate(word) if i not in places) for places in gone))
