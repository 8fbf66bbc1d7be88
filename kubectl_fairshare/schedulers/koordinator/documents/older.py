"""Documents about Koordinator's quotas as version v1alpha1 had them.

Tested in ``tests/unit/report/documents/test_older.py``.
"""

from collections.abc import Mapping
from typing import Final

from kubectl_fairshare.answers.older import OlderField, OlderForm

_POD: Final = OlderForm(
    (
        OlderField("namespace", lambda _, document: document["subject"]["namespace"], "source"),
        OlderField("name", lambda _, document: document["subject"]["name"], "source"),
        OlderField("priority", lambda _, document: document["subject"]["priority"], "mayPreempt"),
    )
)
OLDER: Final[Mapping[str, OlderForm]] = {"Plan": OlderForm(within={"pod": _POD})}
"""The forms of the kinds that have changed."""
