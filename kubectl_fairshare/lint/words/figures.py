"""Amounts, names and related places, as findings print them."""

from collections.abc import Sequence

from kubectl_fairshare.finding import Related
from kubectl_fairshare.model.amounts import UNLIMITED
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.phrases import some_of
from kubectl_fairshare.model.quantity import is_binary, text

_MOST = 5
_LONG = 10_000
_BINARY = ("Ki", "Mi", "Gi", "Ti", "Pi", "Ei")


def figure(resource: str, amount: int) -> str:
    """An amount in canonical form with its resource: ``3 nvidia.com/gpu``, ``4Gi memory``."""
    return f"{'unlimited' if amount == UNLIMITED else text(resource, amount)} {resource}"


def about(resource: str, amount: int) -> str:
    """The same for a sentence, where a long number of bytes is rounded: ``about 88Gi memory``."""
    whole, unit = amount, ""
    for larger in _BINARY if is_binary(resource) and amount < UNLIMITED else ():
        if whole < _LONG:
            break
        whole, unit = round(whole / 1024), larger
    rounded = bool(unit) and text(resource, amount) != f"{whole}{unit}"
    return f"about {whole}{unit} {resource}" if rounded else figure(resource, amount)


def article(word: str) -> str:
    """The article before a kind: ``an AdmissionCheck``, ``a Topology``."""
    return "an" if word[0] in "AEIO" else "a"


def few(names: Sequence[str], most: int = _MOST) -> str:
    """The first few names in backticks, and the number of the others."""
    return some_of([f"`{name}`" for name in names], most)


def title_of(key: ObjectKey) -> str:
    """An object as a message names it: ``Job `team/train```."""
    return f"{key.kind} `{key.namespace}/{key.name}`" if key.namespace else f"{key.kind} `{key.name}`"


def several(count: int, word: str) -> str:
    """A count with its word: ``1 queue``, ``2 queues``."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def used_too(places: Sequence[Place], text: str = "also used here", most: int = 10) -> tuple[Related, ...]:
    """All places except the first, as related ones, at most ``most``."""
    return tuple(Related(text, place) for place in places[1 : 1 + most])
