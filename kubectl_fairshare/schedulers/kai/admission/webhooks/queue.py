"""KAI's webhook for Queues: a queue has resources and, where quotas are checked, a parent that has some.

A parent's quota is never enforced: exceeding it is a warning, in KAI's own words. −1 has no special meaning in the
comparisons. Source: KAI-Scheduler v0.17, webhook of the queue controller.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from kubectl_fairshare.api.causes import NOT_FOUND, REQUIRED, cause
from kubectl_fairshare.api.webhooks import RefusedWriteError
from kubectl_fairshare.model.json import FieldPath, JsonObject
from kubectl_fairshare.model.values import Value, field
from kubectl_fairshare.schedulers.kai.admission import laws

_RESOURCES: Final = ("spec", "resources")
_PARENT: Final = ("spec", "parentQueue")
_MISSING: Final = "resources must be specified"


class QueueWebhook(Value, frozen=True):
    """The webhook in a cluster: the ``queues`` that exist, by name, and whether it checks ``quotas``."""

    queues: Mapping[str, JsonObject] = field(default_factory=dict)
    quotas: bool = False

    def __call__(self, view: JsonObject, old: JsonObject | None) -> tuple[str, ...]:
        """The warnings about a queue. Raises ``RefusedWriteError``."""
        if not _has_resources(view):
            raise _refusal(laws.RESOURCES, REQUIRED, _RESOURCES, "a queue needs resources", (_MISSING,))
        if not self.quotas:
            return ()
        known = self if old is None else QueueWebhook({**self.queues, _name(old): old}, True)
        spoken = known._of_child(view)
        if old is not None and old.get("status", {}).get("childQueues"):
            spoken += tuple(known._of_parent(view))
        return spoken

    def _of_child(self, view: JsonObject) -> tuple[str, ...]:
        name = view["spec"].get("parentQueue", "")
        if not name:
            return ()
        parent = self.queues.get(name)
        if parent is None:
            raise _refusal(laws.PARENT, NOT_FOUND, _PARENT, f"there is no queue `{name}`")
        if not _has_resources(parent):
            raise _refusal(laws.PARENT_RESOURCES, REQUIRED, _PARENT, f"the parent queue `{name}` has no resources")
        return tuple(self._above_parent(view, parent, name))

    def _above_parent(self, view: JsonObject, parent: JsonObject, name: str) -> Iterator[str]:
        mine, whole = _quota(view, "cpu"), _quota(parent, "cpu")
        if mine > whole:
            yield f"child queue CPU quota ({mine:.0f}) exceeds parent queue {name} CPU quota ({whole:.0f})"
        total = mine
        for child in self._children(parent):
            if _name(child) != _name(view):
                total += _quota(child, "cpu")
        if total > whole:
            yield f"total children CPU quota ({total:.0f}) exceeds parent queue {name} CPU quota ({whole:.0f})"
        mine, whole = _quota(view, "gpu"), _quota(parent, "gpu")
        if mine > whole:
            yield f"child queue GPU quota ({mine:.2f}) exceeds parent queue {name} GPU quota ({whole:.2f})"
        mine, whole = _quota(view, "memory"), _quota(parent, "memory")
        if mine > whole:
            yield f"child queue Memory quota ({mine:.0f}) exceeds parent queue {name} Memory quota ({whole:.0f})"

    def _of_parent(self, view: JsonObject) -> Iterator[str]:
        whole = _quota(view, "cpu")
        cpu = gpu = memory = 0.0
        for child in self._children(view):
            mine = _quota(child, "cpu")
            cpu, gpu, memory = cpu + mine, gpu + _quota(child, "gpu"), memory + _quota(child, "memory")
            if mine > whole:
                yield f"child queue {_name(child)} CPU quota ({mine:.0f}) exceeds parent CPU quota ({whole:.0f})"
        if cpu > whole:
            yield f"total children CPU quota ({cpu:.0f}) exceeds parent CPU quota ({whole:.0f})"
        if gpu > (whole := _quota(view, "gpu")):
            yield f"total children GPU quota ({gpu:.2f}) exceeds parent GPU quota ({whole:.2f})"
        if memory > (whole := _quota(view, "memory")):
            yield f"total children Memory quota ({memory:.0f}) exceeds parent Memory quota ({whole:.0f})"

    def _children(self, parent: JsonObject) -> Iterator[JsonObject]:
        """The children that the parent's status names, if they exist and have resources."""
        for name in parent.get("status", {}).get("childQueues", ()):
            child = self.queues.get(name)
            if child is not None and _has_resources(child):
                yield child


def _has_resources(view: JsonObject) -> bool:
    return "resources" in view.get("spec", {})


def _name(view: JsonObject) -> str:
    return str(view["metadata"].get("name", ""))


def _quota(view: JsonObject, resource: str) -> float:
    return float(view["spec"]["resources"].get(resource, {}).get("quota", 0))


def _refusal(law: str, kind: str, path: FieldPath, gist: str, spoken: tuple[str, ...] = ()) -> RefusedWriteError:
    """A rejection in words alone: the webhook lists no causes."""
    return RefusedWriteError("webhook", (), cause(kind, path, gist, law), spoken)
