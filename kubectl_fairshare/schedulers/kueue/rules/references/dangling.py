"""The name that a misspelt reference probably means."""

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from kubectl_fairshare.finding import Edit, Remedy, Replace
from kubectl_fairshare.lint.words.names import Names, distance
from kubectl_fairshare.model.location import Place

_FEW: Final = 50
_LONGEST_NAME: Final = 253
_SHORT: Final = 4
_LOOK_ALIKE: Final = str.maketrans("oli", "011")


def likely_names(dangling: Collection[str], known: Collection[str], used: Collection[str]) -> Mapping[str, str]:
    """The known name that each dangling name is a misspelling of, if there is one.

    A name that looks the same, and a similar one that no object uses, is what the author means: also one that has a
    part more, or less. Another similar name counts only if the difference looks like a typing mistake, and not like the
    next number of a series.
    """
    dangling = [name for name in dangling if len(name) <= _LONGEST_NAME]
    if not dangling or len(dangling) > _FEW:
        return {}
    names = Names(name for name in known if len(name) <= _LONGEST_NAME)
    idle = sorted(set(known).difference(used))
    found: dict[str, str] = {}
    for name in dangling:
        near = _alike(name, known) or _nearly(name, idle) or _extended(name, idle) or names.near(name)
        if len(near) == 1:
            found[name] = near[0]
    return found


def _nearly(name: str, others: Iterable[str]) -> tuple[str, ...]:
    most = 1 if len(name) <= _SHORT else 2
    return tuple(other for other in others if distance(name, other, most) <= most)


def _alike(name: str, others: Iterable[str]) -> tuple[str, ...]:
    """The names that differ in characters that look the same, as `a1oo` and `a100`."""
    seen = name.lower().translate(_LOOK_ALIKE)
    return tuple(other for other in others if other != name and other.lower().translate(_LOOK_ALIKE) == seen)


def _extended(name: str, others: Iterable[str]) -> tuple[str, ...]:
    """The names that are the name with another part at the end, or what the name is without its last one."""
    return tuple(other for other in others if other.startswith(f"{name}-") or name.startswith(f"{other}-"))


def put_right(places: Iterable[Place], word: str | None, otherwise: str) -> Remedy:
    """The remedy that writes ``word`` wherever the dangling name occurs; ``otherwise`` is the alternative."""
    if word is None:
        return Remedy(otherwise)
    edits: tuple[Edit, ...] = tuple(Replace(place, word) for place in places)
    return Remedy(f"write `{word}` if you mean that; otherwise {otherwise}", edits)
