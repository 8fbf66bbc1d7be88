"""Another reader's opinion on a changed text: ruamel.yaml's for YAML, the standard library's for JSON."""

import warnings
from collections.abc import Callable, Sequence
from typing import Any

from kubectl_fairshare.editing.edited import edited_values, same
from kubectl_fairshare.editing.splice import EditStep, UnspliceableError
from kubectl_fairshare.model.json import Json


def agrees(before: str, after: str, steps: Sequence[EditStep], wanted: Json, *, json: bool) -> bool:
    """Whether this reader also finds the values ``wanted`` in the new text of a document.

    If it reads some values differently, in both texts, it has to find exactly ``steps`` between the two.
    Raises ``UnspliceableError`` if it can then not read the old text.
    """
    read = _json if json else _yaml
    new = _read(read, after)
    if new and same(wanted, new[0]):
        return True
    old = _read(read, before)
    if not old:
        raise UnspliceableError("the second reader, which checks every change, cannot read the file")
    return bool(new) and same(edited_values(old[0], steps), new[0])


def _read(read: Callable[[str], Json], text: str) -> list[Json]:
    """The one document of a text; none if it cannot be read."""
    try:
        return [read(text)]
    except ValueError:
        return []


def _json(text: str) -> Json:
    import json

    return json.JSONDecoder().raw_decode(text.strip())[0]


def _yaml(text: str) -> Json:
    """The document as ruamel.yaml reads it. Raises ``ValueError``."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    reader: Any = YAML(typ="safe", pure=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a repeated anchor, which kubectl accepts too
        try:
            return reader.load(text)
        except (YAMLError, LookupError, TypeError, AttributeError, AssertionError, RecursionError) as error:
            raise ValueError(str(error)) from None
