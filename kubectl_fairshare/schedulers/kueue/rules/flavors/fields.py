"""Labels, taints and tolerations of ResourceFlavors that Kubernetes cannot read."""

from collections.abc import Callable, Iterator
from typing import Final

from kubectl_fairshare.finding import Edit, Finding, Related, Remedy, Remove
from kubectl_fairshare.lint.given import Examined
from kubectl_fairshare.lint.protocol import error_rule
from kubectl_fairshare.lint.refusals import field_named, lawful, quote, value_at
from kubectl_fairshare.lint.words.figures import title_of
from kubectl_fairshare.lint.words.spelling import respelt
from kubectl_fairshare.model.json import FieldPath, Json, JsonObject, mapping, rows
from kubectl_fairshare.schedulers.kueue.admission.cel import EFFECTS
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven

_REFUSED: Final = "the API server rejects it"


@error_rule("K023")
def not_a_label(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each key or value."""
    laws = ("1.1-covered-resource-name", "1.4-node-labels", "1.4-taint-syntax", "1.4-toleration-key")
    for each, cause in lawful(given, *laws, "1.7-template-metadata"):
        value = value_at(each, cause.path)
        gist = cause.message if cause.message.startswith("`") else f"{quote(value)}: {cause.message}"
        remedy = Remedy("write it in the syntax of labels, such as `example.com/gpu-type` or `a100-80gb`")
        yield Finding(each.at(*cause.path), f"{field_named(cause.path)}: {gist}", remedy)


@error_rule("K024")
def invalid_taint(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each taint, at its effect or at its second copy."""
    for each, cause in lawful(given, "1.4-taint-effect"):
        yield from _unknown_effects(each, cause.path, "taint", True)
    for each, cause in lawful(given, "1.4-taint-twice"):
        taint, path = mapping(value_at(each, cause.path)), cause.path
        taints = rows(value_at(each, path[:-1]))
        first = next((i for i, other in enumerate(taints) if _mark(other) == _mark(taint)), None)
        same = first is not None and taints[first] == taint
        edits: tuple[Edit, ...] = (Remove(each.at(*path)),) if same else ()
        yield Finding(
            each.at(*path),
            f"taint `{taint.get('key')}` with effect `{taint.get('effect')}` occurs twice: {_REFUSED}",
            Remedy("remove one of the two", edits, safe=same),
            related=() if first is None else (Related("first one", each.at(*path[:-1], first)),),
        )


def _mark(taint: JsonObject) -> tuple[Json, Json]:
    return taint.get("key"), taint.get("effect")


def _unknown_effects(each: Examined, path: FieldPath, what: str, required: bool) -> Iterator[Finding]:
    for index, one in enumerate(rows(value_at(each, path))):
        effect = one.get("effect")
        if effect in EFFECTS or (effect is None and not required):
            continue
        place = each.at(*path, index, "effect")
        remedy = respelt(place, str(effect), EFFECTS, "write NoSchedule, PreferNoSchedule or NoExecute")
        yield Finding(place, f"{quote(effect)} is not an effect of a {what}: {_REFUSED}", remedy)


@error_rule("K025")
def invalid_toleration(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each toleration and condition that it does not meet."""
    for law, (broken, field, message, help) in _TOLERATIONS.items():
        for each, cause in lawful(given, law):
            for index, one in enumerate(rows(value_at(each, cause.path))):
                if broken(one):
                    path = (*cause.path, index, field) if field in one else (*cause.path, index)
                    clause = message.format(quote(one.get(field)))
                    edits = (Remove(each.at(*path)),) if law in _REMOVED else ()
                    yield Finding(each.at(*path), f"{clause}: {_REFUSED}", Remedy(help, edits))
    for each, cause in lawful(given, "1.4-toleration-effect"):
        yield from _unknown_effects(each, cause.path, "toleration", False)


_REMOVED: Final = frozenset({"1.4-toleration-value", "1.4-toleration-seconds"})
_TOLERATIONS: Final[dict[str, tuple[Callable[[JsonObject], bool], str, str, str]]] = {
    "1.4-toleration-without-key": (
        lambda each: each.get("key") is None and each.get("operator") != "Exists",
        "operator",
        "a toleration without a key needs operator Exists, not {}",
        "write the key, or `operator: Exists` to tolerate every taint",
    ),
    "1.4-toleration-seconds": (
        lambda each: each.get("tolerationSeconds") is not None and each.get("effect") != "NoExecute",
        "tolerationSeconds",
        "tolerationSeconds {} need effect NoExecute",
        "write `effect: NoExecute`, or leave tolerationSeconds out",
    ),
    "1.4-toleration-operator": (
        lambda each: (each.get("operator") or "Equal") not in ("Equal", "Exists") or each.get("operator") == "",
        "operator",
        "{} is not an operator of a toleration",
        "write Equal or Exists",
    ),
    "1.4-toleration-value": (
        lambda each: each.get("operator") == "Exists" and each.get("value") is not None,
        "value",
        "operator Exists takes no value, but the toleration has {}",
        "leave the value out, or write `operator: Equal`",
    ),
}


@error_rule("K026")
def topology_without_node_label(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each flavor."""
    for each, _ in lawful(given, "1.4-topology-without-label"):
        topology = value_at(each, ("spec", "topologyName"))
        yield Finding(
            each.at("spec", "topologyName"),
            f"{title_of(each.key)} has topology {quote(topology)} but no nodeLabels: {_REFUSED}",
            Remedy("write the labels of its nodes in `nodeLabels`, or remove `topologyName`"),
        )
