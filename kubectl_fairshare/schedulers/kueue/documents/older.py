"""Documents about Kueue as version v1alpha1 had them.

Tested in ``tests/unit/report/documents/test_older.py``.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from kubectl_fairshare.answers.number_text import amount
from kubectl_fairshare.answers.older import OlderField, OlderForm
from kubectl_fairshare.model.amounts import UNLIMITED
from kubectl_fairshare.schedulers.kueue.explain.decision import Limit

_Of = Mapping[str, Any]
_LEAVING: Final = "; its eviction has started"


def _station(document: _Of, kind: str) -> _Of:
    """The stop of that kind on the workload's way; empty without one."""
    return next((each for each in document["route"] if each["kind"] == kind), {})


def _path(document: _Of) -> list[dict[str, Any]]:
    if document["queueShare"] is None:
        return []
    name = _station(document, "ClusterQueue").get("name", "")
    first = {"kind": "ClusterQueue", "name": name, "declared": True, "height": 0, "share": document["queueShare"]}
    return [first, *({"kind": "Cohort", **each} for each in document["cohorts"])]


def _holder(of: _Of) -> dict[str, Any]:
    """The workload of a victim, or of one that stays."""
    more = of["workload"]
    return {
        "namespace": of["object"]["namespace"],
        "name": of["object"]["name"],
        "uid": more["uid"],
        "clusterQueue": of["queue"],
        "localQueue": more["localQueue"],
        "priority": of["priority"],
        "evicted": more["evicted"],
        "reservedNanoseconds": more["reservedNanoseconds"],
        "holds": more["holds"],
    }


def _put_back(document: _Of) -> list[dict[str, Any]]:
    return [
        {
            "workload": _holder(each),
            **{name: each[name] for name in ("reason", "rule", "law")},
            "because": _sentence(each),
            "comparison": each["comparison"],
        }
        for each in document["spared"]
        if each["putBack"]
    ]


def _sentence(of: _Of) -> str:
    """Why one was chosen, without the reason and the state of its eviction."""
    text = str(of["because"]).removeprefix(f"{of['reason']}: ")
    return text.removesuffix(_LEAVING) if of["workload"]["evicted"] else text


def _not_taken(document: _Of) -> list[dict[str, Any]]:
    return [
        {"workload": _holder(each), **{name: each[name] for name in ("law", "because", "comparison")}}
        for each in document["spared"]
        if not each["putBack"]
    ]


def _pairs(amounts: Sequence[_Of]) -> list[dict[str, Any]]:
    return [{name: each[name] for name in ("flavor", "resource", "amount")} for each in amounts]


def _at_place(limit: _Of, _: _Of) -> Any:
    if limit["place"] is None or limit["limit"] == Limit.DOMAIN:
        return None
    return limit["value"] if limit["valueAtPlace"] is None else limit["valueAtPlace"]


def _changed(before: str, within: Mapping[str, OlderForm]) -> OlderForm:
    """A change; its two texts precede a field."""
    values = (OlderField(name, lambda of, _, name=name: of[name]["value"]) for name in ("before", "after"))  # type: ignore[misc]  # mypy wants a name for it
    texts = (
        OlderField(f"{name}Quantity", lambda of, _, name=name: of[name]["quantity"], before)  # type: ignore[misc]  # the same
        for name in ("before", "after")
    )
    return OlderForm((*values, *texts), within=within)


_LIMIT: Final = OlderForm((OlderField("standsThere", _at_place, "valueAtPlace"),), frozenset({"valueAtPlace"}))
_REMEDY: Final = _changed("priorityClass", {"also": _changed("place", {})})
_PLAN: Final = OlderForm(
    (
        OlderField("byQuotaAlone", lambda of, _: of["byWhatIsModelled"], "cycles"),
        OlderField("clusterQueue", lambda of, _: _station(of, "ClusterQueue").get("name", ""), "queueShare"),
        OlderField("localQueue", lambda of, _: _station(of, "LocalQueue").get("place"), "queueShare"),
        OlderField("path", lambda of, _: _path(of), "queueShare"),
        OlderField("putBack", lambda of, _: _put_back(of), "trials"),
        OlderField("notTaken", lambda of, _: _not_taken(of), "trials"),
        OlderField("admissionChecks", lambda of, _: [each["name"] for each in of["checks"]], "condition"),
    ),
    frozenset({"queueShare", "cohorts"}),
    {
        "workload": OlderForm(
            (
                OlderField("namespace", lambda _, document: document["subject"]["namespace"], "createdNanoseconds"),
                OlderField("name", lambda _, document: document["subject"]["name"], "createdNanoseconds"),
                OlderField(
                    "localQueue",
                    lambda _, document: _station(document, "LocalQueue").get("name", ""),
                    "createdNanoseconds",
                ),
                OlderField("priority", lambda _, document: document["subject"]["priority"], "createdNanoseconds"),
                OlderField("source", lambda _, document: document["subject"]["source"], "podSets"),
            )
        ),
        "victims": OlderForm((OlderField("workload", lambda of, _: _holder(of)),)),
        "spared": OlderForm(dropped=frozenset({"workload", "reason", "comparison"})),
        "notAsked": OlderForm(
            (
                OlderField("holds", lambda of, _: _pairs(of["holds"])),
                OlderField("clusterQueue", lambda of, _: of["queue"], "cohort"),
            )
        ),
        "bindings": _LIMIT,
        "remedies": _REMEDY,
    },
)
_WHY: Final = OlderForm(
    (OlderField("byQuotaAlone", lambda of, _: of["byWhatIsModelled"], "byWhatIsModelled"),),
    frozenset({"byWhatIsModelled"}),
    {"bindings": _LIMIT, "headBindings": _LIMIT, "remedies": _REMEDY},
)
_WAITING: Final = OlderForm(within={"groups": OlderForm(within={"workloads": OlderForm(within={"bindings": _LIMIT})})})
_QUEUE: Final = (
    "kind",
    "name",
    "parent",
    "declared",
    "weight",
    "share",
    "borrowsFrom",
    "inactive",
    "running",
    "pending",
)
_FIGURE: Final = {
    **{name: name for name in ("flavor", "resource", "nominal")},
    "subtree": "guaranteed",
    "local": "local",
    "usage": "used",
    **{name: name for name in ("borrowed", "lent", "available")},
    "potential": "reachable",
    **{name: name for name in ("borrowingLimit", "lendingLimit", "place")},
}
"""The figures of a node, by the names that they have now."""
_OWN_FIGURES: Final = frozenset({"nominal", "local", "available", "borrowingLimit", "lendingLimit", "place"})
_OWN: Final = frozenset({"declared", "weightedShare", "borrowsFrom", "inactive"})


def _node(queue: _Of) -> dict[str, Any]:
    older = {**queue, "parent": queue["parent"] or None, "share": queue["weightedShare"]}
    return {**{name: older[name] for name in _QUEUE}, "resources": [_figures(each) for each in queue["figures"]]}


def _figures(of: _Of) -> dict[str, Any]:
    found = {name: of[now] for name, now in _FIGURE.items()}
    boundless = {"quantity": amount(of["resource"], UNLIMITED), "value": UNLIMITED}
    return {**found, "potential": found["potential"] or boundless}


def _queue(queue: _Of) -> dict[str, Any]:
    figures = [{name: value for name, value in each.items() if name not in _OWN_FIGURES} for each in queue["figures"]]
    return {name: figures if name == "figures" else value for name, value in queue.items() if name not in _OWN}


_SHARES: Final = OlderForm(
    (
        OlderField("nodes", lambda of, _: [_node(each) for each in of["queues"]], "queues"),
        OlderField("queues", lambda of, _: [_queue(each) for each in of["queues"]]),
    ),
    frozenset({"queues"}),
)
OLDER: Final[Mapping[str, OlderForm]] = {"Plan": _PLAN, "Why": _WHY, "WaitingList": _WAITING, "Shares": _SHARES}
"""The forms of the kinds that have changed."""
