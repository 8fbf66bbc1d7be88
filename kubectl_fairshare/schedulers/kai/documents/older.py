"""Documents about KAI as version v1alpha1 had them.

Tested in ``tests/unit/report/documents/test_older.py``.
"""

from collections.abc import Mapping
from typing import Any, Final

from kubectl_fairshare.answers.older import OlderField, OlderForm

_Of = Mapping[str, Any]
_PLACE: Final = ("source", "line", "column", "object", "field")


def _passed_over(document: _Of) -> list[dict[str, Any]]:
    return [
        {
            "queue": each["queue"],
            "jobs": each["workloads"],
            "holds": each["amounts"],
            "law": each["law"],
            "reason": each["because"],
        }
        for each in document["notAsked"]
    ]


_PLAN: Final = OlderForm(
    (
        OlderField("namespace", lambda of, _: of["subject"]["namespace"], "shard"),
        OlderField("name", lambda of, _: of["subject"]["name"], "shard"),
        OlderField("priority", lambda of, _: of["subject"]["priority"], "preemptible"),
    ),
    within={
        "notAsked": OlderForm(dropped=frozenset({"amounts"})),
        "reclaim": OlderForm((OlderField("passedOver", lambda _, document: _passed_over(document), "enough"),)),
    },
)
_EVIDENCE: Final = OlderForm(
    (OlderField("place", lambda of, _: {name: of[name] for name in _PLACE}, "source"),), frozenset(_PLACE)
)
OLDER: Final[Mapping[str, OlderForm]] = {"Plan": _PLAN, "Why": OlderForm(within={"evidence": _EVIDENCE})}
"""The forms of the kinds that have changed."""
