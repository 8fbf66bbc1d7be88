"""What the API server and Kueue's webhooks do with one write. Source: kube-apiserver 1.35, Kueue v0.19.2."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from typing import Final, TypeAlias

from kubectl_fairshare.api.causes import Cause
from kubectl_fairshare.api.judge import judge_write
from kubectl_fairshare.api.judgement import Judgement
from kubectl_fairshare.api.webhooks import RefusedWriteError, Validate, Webhooks
from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.schedulers.kueue.admission.conversion import convert
from kubectl_fairshare.schedulers.kueue.admission.kinds import API, api_of
from kubectl_fairshare.schedulers.kueue.admission.webhooks import cluster_queue, cohort, resource_flavor
from kubectl_fairshare.schedulers.kueue.release.writes import NEWEST, WriteLaws

Causes: TypeAlias = Callable[[JsonObject, JsonObject | None], Iterator[Cause]]

FINALIZER: Final = "kueue.x-k8s.io/resource-in-use"


def judge(
    data: JsonObject, old: JsonObject | None = None, subresource: str | None = None, laws: WriteLaws = NEWEST
) -> Judgement:
    """The judgement of a write by the laws of a release: see ``judge_write``."""
    return judge_write(api_of(laws), _webhooks(laws), data, old, subresource)


def _validate(causes: Causes, warnings: Callable[[JsonObject], Iterator[str]] = lambda _view: iter(())) -> Validate:
    """A validating webhook that rejects an object if there are causes."""

    def validate(view: JsonObject, old: JsonObject | None) -> tuple[str, ...]:
        complaints, spoken = tuple(causes(view, old)), tuple(warnings(view))
        if complaints:
            raise RefusedWriteError("webhook", complaints, warnings=spoken)
        return spoken

    return validate


def _validate_workload(laws: WriteLaws) -> Validate:
    def validate(view: JsonObject, old: JsonObject | None) -> tuple[str, ...]:
        from kubectl_fairshare.schedulers.kueue.admission.webhooks import workload

        if workload.panics(view, laws):
            raise RefusedWriteError("webhook", ())
        return _validate(partial(workload.causes, laws=laws), partial(workload.warnings, laws=laws))(view, old)

    return validate


@cache
def _webhooks(laws: WriteLaws) -> Mapping[str, Webhooks]:
    """Kueue's webhooks by kind, as they judge in a release."""
    return {kind: Webhooks(convert=convert) for kind in API.kinds} | {
        "ClusterQueue": Webhooks(_validate(partial(cluster_queue.causes, laws=laws)), False, convert, True, FINALIZER),
        "Cohort": Webhooks(_validate(cohort.causes), convert=convert),
        "ResourceFlavor": Webhooks(_validate(resource_flavor.causes), False, convert, True, FINALIZER),
        "Workload": Webhooks(_validate_workload(laws), True, convert, True),
    }
