"""The nearness of words: which known name a misspelt one means."""

from collections.abc import Iterable
from typing import Final

from kubectl_fairshare.finding import Remedy, Rename, Replace
from kubectl_fairshare.lint.words.names import distance
from kubectl_fairshare.model.location import Place

_SHORT: Final = 4


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that ``word`` must be a misspelling of: equal except for case, or at most two letters different.

    None without such a word, or if two are equally near.
    """
    folded = _bare(word)
    most = 1 if len(word) <= _SHORT else 2
    found = sorted(
        (away, each) for each in known if each != word and (away := _away(folded, _bare(each), most)) <= most
    )
    if not found or (len(found) > 1 and found[0][0] == found[1][0]):
        return None
    return found[0][1]


def longer(word: str, known: Iterable[str]) -> str | None:
    """The one known word that begins or ends with ``word``, or is its beginning; None unless exactly one does."""
    folded = _bare(word)
    if len(folded) <= _SHORT:
        return None
    found = [each for each in known if len(each) > _SHORT and _continues(folded, _bare(each))]
    return found[0] if len(found) == 1 else None


def _continues(one: str, other: str) -> bool:
    return one.startswith(other) or other.startswith(one) or other.endswith(one)


def _bare(word: str) -> str:
    return word.lower().replace("_", "").replace("-", "")


def _away(one: str, other: str, most: int) -> int:
    return most + 1 if abs(len(one) - len(other)) > most else distance(one, other)


def same_letters(one: str, other: str) -> bool:
    """Whether two words differ only in case, ``-`` and ``_``."""
    return _bare(one) == _bare(other)


def respelt(
    place: Place, word: str, known: Iterable[str], otherwise: str, edit: type[Replace] | type[Rename] = Replace
) -> Remedy:
    """The known word instead of the misspelt one; ``otherwise`` is the advice if none is near."""
    meant = nearest(word, known)
    return Remedy(otherwise) if meant is None else Remedy(f"write `{meant}`", (edit(place, meant),))
