"""Documents as the release before printed them, for `--api v1alpha1`.

Tested in ``tests/unit/report/documents/test_older.py``.
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any, Final

from kubectl_fairshare.answers.older import OlderForm, older
from kubectl_fairshare.report.documents.parts import API_VERSION, OLDER_VERSION
from kubectl_fairshare.schedulers import ALL

_NESTED: Final = ("items", "answer", "plan")
"""The fields that hold documents within a document, entries of a list that do, or entries with such a field."""
_AS_IT_IS: Final = OlderForm()


def in_older_version(document: Any) -> Any:
    """A document, and those within it, in the version before; anything else as it is."""
    if isinstance(document, list | tuple):
        return [in_older_version(each) for each in document]
    if not isinstance(document, Mapping):
        return document
    found = {name: in_older_version(each) if name in _NESTED else each for name, each in document.items()}
    if document.get("apiVersion") != API_VERSION:
        return found
    form = _forms(str(document.get("scheduler"))).get(str(document.get("kind")), _AS_IT_IS)
    return {**older(found, form, document), "apiVersion": OLDER_VERSION}


@cache
def _forms(scheduler: str) -> Mapping[str, OlderForm]:
    """The forms of a scheduler's kinds."""
    if scheduler not in ALL:
        return {}
    forms: Mapping[str, OlderForm] = import_module(f"kubectl_fairshare.schedulers.{scheduler}.documents.older").OLDER
    return forms
