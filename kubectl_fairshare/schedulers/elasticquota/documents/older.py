"""Documents about ElasticQuotas as version v1alpha1 had them.

Tested in ``tests/unit/report/documents/test_older.py``.
"""

from collections.abc import Mapping
from typing import Any, Final

from kubectl_fairshare.answers.older import OlderField, OlderForm

_Of = Mapping[str, Any]


def _charge(document: _Of) -> list[dict[str, Any]]:
    return [{name: each["asked"][name] for name in ("resource", "amount")} for each in document["needs"]]


def _not_taken(document: _Of) -> list[dict[str, Any]]:
    return [
        {
            "pod": f"{each['object']['namespace']}/{each['object']['name']}",
            "priority": each["priority"],
            "law": each["law"],
        }
        for each in document["spared"]
        if not each["putBack"]
    ]


_POD: Final = OlderForm(
    (
        OlderField("namespace", lambda _, document: document["subject"]["namespace"], "source"),
        OlderField("name", lambda _, document: document["subject"]["name"], "source"),
        OlderField("priority", lambda _, document: document["subject"]["priority"], "mayPreempt"),
        OlderField("charge", lambda _, document: _charge(document), "request"),
    )
)
OLDER: Final[Mapping[str, OlderForm]] = {
    "Plan": OlderForm((OlderField("notTaken", lambda of, _: _not_taken(of), "spread"),), within={"pod": _POD})
}
"""The forms of the kinds that have changed."""
