"""What Koordinator's webhook knows: quotas by name, children by parent, the namespaces that quotas list, and pods.

Source: koordinator v1.8.0, ``pkg/webhook/elasticquota/quota_topology.go``.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from kubectl_fairshare.model.json import FieldPath, Json, JsonObject, mapping
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.quantity_text import ParsedQuantity, parse
from kubectl_fairshare.model.values import ComparedInPart, Value, field
from kubectl_fairshare.schedulers.koordinator.admission.go_json import GoJsonError, decoded, decoded_amounts
from kubectl_fairshare.schedulers.koordinator.model import names
from kubectl_fairshare.schedulers.koordinator.model.objects import Gates

Quantities = Mapping[str, ParsedQuantity]


class WebhookQuota(ComparedInPart, Value, frozen=True):
    """An ElasticQuota as the webhook sees it. ``min`` and ``max`` None are missing lists; ``used`` is the status."""

    UNCOMPARED = ("spec",)
    key: ObjectKey
    labels: Mapping[str, str]
    annotations: Mapping[str, str]
    min: Quantities | None
    max: Quantities | None
    used: Quantities
    spec: Json = None

    @property
    def name(self) -> str:
        """The name."""
        return self.key.name

    @property
    def parent(self) -> str:
        """The parent's name: root for a quota without one."""
        named = self.labels.get(names.PARENT, "")
        return names.ROOT if not named and self.name != names.ROOT else named

    @property
    def is_parent(self) -> bool:
        """Whether it says that it has children."""
        return self.labels.get(names.IS_PARENT) == "true"

    @property
    def tree(self) -> str:
        """The id of its tree."""
        return self.labels.get(names.TREE, "")

    @property
    def is_root(self) -> bool:
        """Whether it is the root of a tree, whose min is not compared."""
        return self.labels.get(names.IS_ROOT) == "true"

    @property
    def is_forced(self) -> bool:
        """Whether its sums of min are not compared."""
        return self.labels.get(names.FORCED) == "true"

    @property
    def least(self) -> dict[str, int]:
        """The min, in 10⁻⁹."""
        return {resource: each.nano for resource, each in (self.min or {}).items()}

    @property
    def most(self) -> dict[str, int]:
        """The max, in 10⁻⁹."""
        return {resource: each.nano for resource, each in (self.max or {}).items()}

    @property
    def guaranteed(self) -> dict[str, int]:
        """The guarantee that the scheduler recorded, in 10⁻⁹; nothing for a bad annotation."""
        try:
            text = self.annotations.get(names.GUARANTEED, "")
            found = decoded_amounts(text) if text else {}
        except GoJsonError:
            return {}
        return {resource: each.nano for resource, each in (found or {}).items()}

    @property
    def namespaces(self) -> tuple[str, ...]:
        """The namespaces that it lists; none for a bad annotation."""
        text = self.annotations.get(names.NAMESPACES, "")
        try:
            value = decoded(text) if text else ()
        except GoJsonError:
            return ()
        if not isinstance(value, list) or any(each is not None and not isinstance(each, str) for each in value):
            return ()
        return tuple(each or "" for each in value)

    def at(self, *path: str) -> Place:
        """A field of it."""
        return Place(self.key, path)

    def label(self, name: str) -> Place:
        """A label, or the labels if it has no such label."""
        path: FieldPath = ("metadata", "labels", name)
        return Place(self.key, path if name in self.labels else ("metadata",))

    def annotation(self, name: str) -> Place:
        """An annotation."""
        return Place(self.key, ("metadata", "annotations", name))


class PodName(Value, frozen=True):
    """A pod as the webhook counts it: by label, and by namespace."""

    key: ObjectKey
    labels: Mapping[str, str]


class WebhookTopology(ComparedInPart, Value, frozen=True):
    """Everything that the webhook compares a write with."""

    UNCOMPARED = ("_sums",)
    quotas: Mapping[str, WebhookQuota] = field(default_factory=dict)
    children: Mapping[str, Collection[str]] = field(default_factory=dict)
    bound: Mapping[str, str] = field(default_factory=dict)
    pods: Sequence[PodName] = ()
    gates: Gates = field(default_factory=Gates)
    _sums: dict[str, Mapping[str, int]] = field(default_factory=dict)

    def least_of_children(self, parent: str, without: str) -> dict[str, int]:
        """The sum of the min of a quota's known children ``without`` one; all are added once for many questions."""
        if parent not in self._sums:
            self._sums[parent] = total(child.least for child in self.children_of(parent))
        found = dict(self._sums[parent])
        left_out = self.quotas.get(without) if without in self.children.get(parent, ()) else None
        for resource, value in (left_out.least if left_out else {}).items():
            found[resource] -= value
        return found

    def children_of(self, name: str) -> list[WebhookQuota]:
        """The known children of a quota, by name."""
        return [self.quotas[child] for child in sorted(self.children.get(name, ())) if child in self.quotas]

    def without(self, name: str) -> "WebhookTopology":
        """The topology without a quota, whose children stay."""
        return topology_of([quota for quota in self.quotas.values() if quota.name != name], self.pods, self.gates)

    def labelled(self, quota: str) -> list[PodName]:
        """The pods that name a quota."""
        return [pod for pod in self.pods if pod.labels.get(names.QUOTA_NAME, "") == quota]

    def has_pods(self, quota: str, namespaces: Iterable[str]) -> bool:
        """Whether a quota has pods: by label, in the namespace of its name, or in one that it lists."""
        spaces = {quota, *namespaces}
        return any(pod.labels.get(names.QUOTA_NAME) == quota or pod.key.namespace in spaces for pod in self.pods)


def total(each: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """The sum of amounts, by resource."""
    found: dict[str, int] = {}
    for amounts in each:
        for resource, value in amounts.items():
            found[resource] = found.get(resource, 0) + value
    return found


def topology_of(quotas: Iterable[WebhookQuota], pods: Sequence[PodName], gates: Gates) -> WebhookTopology:
    """The topology of quotas that the webhook has loaded, in this order."""
    by_name: dict[str, WebhookQuota] = {}
    children: dict[str, dict[str, None]] = {}
    bound: dict[str, str] = {}
    for quota in quotas:
        by_name[quota.name] = quota
        children.setdefault(quota.parent, {})[quota.name] = None
        for namespace in quota.namespaces:
            bound[namespace] = quota.name
    return WebhookTopology(by_name, children, bound, pods, gates)


def webhook_quota(key: ObjectKey, data: JsonObject) -> WebhookQuota:
    """The quota of an object. Raises ``QuantitySyntaxError`` for an amount that the webhook cannot decode."""
    metadata, spec = mapping(data, "metadata"), data.get("spec")
    return WebhookQuota(
        key,
        _texts(metadata.get("labels")),
        _texts(metadata.get("annotations")),
        _quantities(spec, "min"),
        _quantities(spec, "max"),
        _quantities(data.get("status"), "used") or {},
        spec,
    )


def pod_name(key: ObjectKey, data: JsonObject) -> PodName:
    """A pod as the webhook counts it."""
    return PodName(key, _texts(mapping(data, "metadata").get("labels")))


def _texts(value: Json) -> dict[str, str]:
    return {name: text for name, text in value.items() if isinstance(text, str)} if isinstance(value, dict) else {}


def _quantities(spec: Json, name: str) -> Quantities | None:
    written = spec.get(name) if isinstance(spec, dict) else None
    if not isinstance(written, dict):
        return None
    return {resource: parse(0 if value is None else value) for resource, value in written.items()}
