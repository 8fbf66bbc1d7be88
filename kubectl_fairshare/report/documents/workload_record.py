"""One workload as a small document: a line of JSON, or of CSV, that needs nothing around it.

Tested in ``tests/unit/report/test_why.py``.
"""

from typing import Literal, NotRequired, TypedDict

from kubectl_fairshare.answers.details import WhyDetail
from kubectl_fairshare.answers.standing import WhyAnswer
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.report.documents.shared import VerdictName
from kubectl_fairshare.report.forecast.document import StartPart

_SECOND = 10**9
_NO_OBJECT = ObjectKey("", "", "", "")


class WorkloadRecord(TypedDict):
    """Why one workload is in its state, on one line; ``namespace``, ``objectKind`` and ``name`` are those of its job.

    ``workload`` is the object of the scheduler, if that is another one. ``needs`` and ``missing`` are amounts by
    resource, empty where the answer does not depend on them. ``ageSeconds`` is the time since ``since``.
    ``units`` are the parts of a repository that the answer is about, where it has several. ``forecast`` is when it
    starts, with `--forecast`; null for what is not played.
    """

    apiVersion: parts.ApiVersion
    kind: Literal["WhyRecord"]
    scheduler: str
    namespace: str
    objectKind: str
    name: str
    workload: str | None
    queue: str
    verdict: VerdictName
    reason: str
    because: str
    exact: bool
    since: str | None
    ageSeconds: int | None
    priority: int | None
    needs: dict[str, str]
    missing: dict[str, str]
    units: NotRequired[list[str]]
    forecast: NotRequired[StartPart | None]


def workload_record(answer: WhyAnswer[WhyDetail], now: int | None) -> WorkloadRecord:
    """The record of one answer; its age counts to ``now``, null if that is not known."""
    key = answer.job or answer.key or _NO_OBJECT
    span = None if now is None or answer.since is None else max(0, now - answer.since) // _SECOND
    return {
        "apiVersion": parts.API_VERSION,
        "kind": "WhyRecord",
        "scheduler": answer.scheduler,
        "namespace": key.namespace,
        "objectKind": key.kind,
        "name": key.name,
        "workload": answer.key.name if answer.key is not None and answer.key != key else None,
        "queue": answer.queue,
        "verdict": answer.verdict.value,
        "reason": answer.reason,
        "because": answer.because or answer.detail.binds,
        "exact": answer.fidelity.exact,
        "since": parts.moment(answer.since),
        "ageSeconds": span,
        "priority": answer.priority,
        "needs": {amount.resource: amount.text for amount in answer.needs},
        "missing": {amount.resource: amount.text for amount in answer.short},
    }
