"""What a name that leads nowhere was probably meant to be."""

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from kubectl_fairshare.finding import Edit, Remedy, Replace
from kubectl_fairshare.lint.words.names import Names, distance
from kubectl_fairshare.model.location import Place

_FEW: Final = 50
_LONGEST_NAME: Final = 253
_SHORT: Final = 4


def likely_names(dangling: Collection[str], known: Collection[str], used: Collection[str]) -> Mapping[str, str]:
    """The known name that each dangling one is a slip for, where there is one.

    A name that nobody uses, and that is nearly the dangling one, must be what is meant; any other only where it
    looks mistyped, not like the next in a row.
    """
    dangling = [name for name in dangling if len(name) <= _LONGEST_NAME]
    if not dangling or len(dangling) > _FEW:
        return {}
    names = Names(name for name in known if len(name) <= _LONGEST_NAME)
    idle = sorted(set(known).difference(used))
    found: dict[str, str] = {}
    for name in dangling:
        near = _nearly(name, idle) or names.near(name)
        if len(near) == 1:
            found[name] = near[0]
    return found


def _nearly(name: str, others: Iterable[str]) -> tuple[str, ...]:
    most = 1 if len(name) <= _SHORT else 2
    return tuple(other for other in others if distance(name, other, most) <= most)


def put_right(places: Iterable[Place], word: str | None, otherwise: str) -> Remedy:
    """The word that is meant, written wherever the dangling name stands; ``otherwise`` is what else would do."""
    if word is None:
        return Remedy(otherwise)
    edits: tuple[Edit, ...] = tuple(Replace(place, word) for place in places)
    return Remedy(f"write `{word}` if that is meant; or else {otherwise}", edits)
