"""Reads ElasticQuotas and ElasticQuotaProfiles of Koordinator."""

from collections.abc import Collection, Mapping

from kubectl_fairshare.jobs.fields import Field, root_of
from kubectl_fairshare.model.errors import FIX_THE_FIELD, FairshareError, Problem
from kubectl_fairshare.model.json import Json, JsonObject, mapping
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.quantity import QuantityError
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.koordinator.admission.filling import PlaceInTree, filled_trees
from kubectl_fairshare.schedulers.koordinator.model import names
from kubectl_fairshare.schedulers.koordinator.model.amounts import Amounts, amounts_of
from kubectl_fairshare.schedulers.koordinator.model.names import BATCH, renamed
from kubectl_fairshare.schedulers.koordinator.model.objects import Arguments, QuotaGroup, TreeProfile
from kubectl_fairshare.schedulers.koordinator.model.written import written_list
from kubectl_fairshare.schedulers.koordinator.reading.annotations import resource_list, text_list
from kubectl_fairshare.schedulers.kubescheduler.reading import odd_amount, stored_form


def is_leaving(manifest: Manifest) -> bool:
    """Whether an object is being deleted; the scheduler ignores such quotas when it starts."""
    return mapping(manifest.data, "metadata").get("deletionTimestamp") is not None


def quota_of(manifest: Manifest) -> QuotaGroup:
    """A quota. Raises ``FairshareError`` for what an API server rejects."""
    if manifest.stored:
        return quota_from(manifest.key, manifest.data)
    data = _stored_form(manifest)
    quota = quota_from(manifest.key, data)
    return replace(quota, weight=_filled_weight(quota.weight, Field(manifest.key, (), data).at("spec", "max")))


def quota_from(key: ObjectKey, data: JsonObject | None) -> QuotaGroup:
    """The quota of an object that an API server holds. Raises ``FairshareError`` for malformed quantities."""
    root = Field(key, (), data)
    metadata, spec = root.at("metadata"), root.at("spec")
    labels, annotations = metadata.at("labels").texts(), metadata.at("annotations").texts()
    least, most = _list(spec.at("min")), _list(spec.at("max"))
    total = annotations.get(names.TOTAL, "")
    return QuotaGroup(
        key,
        parent=parent_of(key.name, labels),
        is_parent=labels.get(names.IS_PARENT) == "true",
        lends=labels.get(names.LENDS) != "false",
        tree=labels.get(names.TREE, ""),
        is_root=labels.get(names.IS_ROOT) == "true",
        forced=labels.get(names.FORCED) == "true",
        ignores_default_tree=labels.get(names.IGNORES_DEFAULT_TREE) == "true",
        min=_amounts(least, spec.at("min")),
        max=_amounts(most, spec.at("max")),
        weight=resource_list(annotations.get(names.WEIGHT, "")) or {},
        total=resource_list(total) if total else None,
        namespaces=text_list(annotations.get(names.NAMESPACES, "")) or (),
        written_min=written_list(least),
        written_max=written_list(most),
    )


def parent_of(name: str, labels: Mapping[str, str]) -> str:
    """The parent's name: root for a quota without one."""
    named = labels.get(names.PARENT, "")
    return names.ROOT if not named and name != names.ROOT else named


def assumed_quotas(arguments: Arguments) -> dict[str, QuotaGroup]:
    """The quotas that the scheduler creates when it starts."""
    most: dict[str, Mapping[str, Json]] = {names.SYSTEM: arguments.system_max, names.DEFAULT: arguments.default_max}
    found = {}
    for name in names.ASSUMED:
        key = ObjectKey(names.GROUP, names.KIND, arguments.home, name)
        written = most.get(name, {})
        found[name] = QuotaGroup(
            key,
            parent="" if name == names.ROOT else names.ROOT,
            is_parent=name == names.ROOT,
            lends=name != names.ROOT,
            max=amounts_of(written),
            written_max=written_list(written),
            assumed=True,
        )
    return found


def _filled_weight(weight: Amounts, most: Field) -> Amounts:
    """A weight as the webhook completes it when the quota is created: by max, and without what max lacks."""
    amounts = _amounts(most.mapping(), most) if weight else {}
    return {resource: weight.get(resource, amount) for resource, amount in amounts.items()}


def with_trees(quotas: Mapping[str, QuotaGroup], new: Collection[ObjectKey]) -> dict[str, QuotaGroup]:
    """The quotas by name; ``new`` ones without a tree id have their parent's, which the webhook fills in."""
    places = {name: PlaceInTree(quota.parent, quota.tree) for name, quota in quotas.items()}
    if not any(place.tree for place in places.values()):
        return dict(quotas)
    trees = filled_trees(places, {name for name, quota in quotas.items() if quota.key in new})
    return {name: replace(quota, tree=trees.get(name) or quota.tree) for name, quota in quotas.items()}


def tree_profile_of(manifest: Manifest) -> TreeProfile:
    """An ElasticQuotaProfile. Raises ``FairshareError`` for fields of the wrong type."""
    root = root_of(manifest)
    tree = root.at("metadata", "labels").texts().get(names.TREE, "")
    selector, quota = root.at("spec", "nodeSelector", "matchLabels").texts(), root.at("spec", "quotaName").text()
    return TreeProfile(manifest.key, tree, selector, quota)


def _list(field: Field) -> Mapping[str, Json]:
    return renamed(field.mapping(), BATCH)


def _amounts(written: Mapping[str, Json], field: Field) -> Amounts:
    """The amounts of a list. Raises ``FairshareError`` at the first malformed one."""
    try:
        return amounts_of(written)
    except QuantityError as error:
        raise FairshareError(Problem(str(error), odd_amount(field, amounts_of).place, FIX_THE_FIELD)) from None


def _stored_form(manifest: Manifest) -> JsonObject | None:
    """The quota as an API server would store it. Raises ``FairshareError`` with everything that its schema rejects."""
    from kubectl_fairshare.schedulers.koordinator.admission.judge import schema_judgement

    return stored_form(manifest, "Koordinator", names.VERSION, schema_judgement)
