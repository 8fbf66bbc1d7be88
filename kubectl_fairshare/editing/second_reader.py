"""Another reader's opinion on a changed text: ruamel.yaml's for YAML, the standard library's for JSON."""

import warnings
from collections.abc import Sequence
from typing import Any

from kubectl_fairshare.editing.edited import edited_values, same
from kubectl_fairshare.editing.splice import EditStep, UnspliceableError
from kubectl_fairshare.model.json import Json


def agrees(before: str, after: str, steps: Sequence[EditStep], *, json: bool) -> bool:
    """Whether this reader also finds exactly ``steps`` between the two texts of a document.

    Raises ``UnspliceableError`` if it cannot read the old text.
    """
    read = _json if json else _yaml
    try:
        old = read(before)
    except ValueError:
        raise UnspliceableError("the second reader, which checks every change, cannot read the file") from None
    try:
        new = read(after)
    except ValueError:
        return False
    return same(edited_values(old, steps), new)


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
