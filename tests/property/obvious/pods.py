"""What the pods of a pod set ask for, and which flavors would take them."""

from typing import Any

from kubectl_fairshare.model import quantity

Manifest = dict[str, Any]


def pod_requests(pod: Manifest) -> dict[str, int]:
    """The request of one pod, per resource: containers together, or the largest init container; plus overhead."""
    total: dict[str, int] = {}
    for container in pod.get("containers") or []:
        for resource, value in _container_requests(container).items():
            total[resource] = total.get(resource, 0) + value
    for container in pod.get("initContainers") or []:
        for resource, value in _container_requests(container).items():
            total[resource] = max(total.get(resource, 0), value)
    for resource, value in (pod.get("overhead") or {}).items():
        total[resource] = total.get(resource, 0) + quantity.nano(value)
    return {resource: quantity.amount(resource, f"{nano}n") for resource, nano in total.items()}


def _container_requests(container: Manifest) -> dict[str, int]:
    """Nano-units; a limit stands in for a request that is not given."""
    resources = container.get("resources") or {}
    given = (resources.get("limits") or {}) | (resources.get("requests") or {})
    return {resource: quantity.nano(value) for resource, value in given.items()}


def obstacle(name: str, flavor: Manifest, pods: list[Manifest]) -> str | None:
    """Why the flavor's nodes would not take one of the pods; None when they take all."""
    for pod in pods:
        taint = _untolerated_taint(flavor, pod)
        if taint is not None:
            described = f"{{{taint['key']} {taint.get('value', '')} {taint['effect']} <nil>}}"
            return f"untolerated taint {described} in flavor {name}"
    labels = flavor.get("nodeLabels") or {}
    if not all(_selected(labels, pod) and _affine(labels, pod) for pod in pods):
        return f"flavor {name} doesn't match node affinity"
    return None


def _untolerated_taint(flavor: Manifest, pod: Manifest) -> Manifest | None:
    tolerations = (pod.get("tolerations") or []) + (flavor.get("tolerations") or [])
    for taint in flavor.get("nodeTaints") or []:
        repels = taint["effect"] in ("NoSchedule", "NoExecute")
        if repels and not any(_tolerates(toleration, taint) for toleration in tolerations):
            return dict(taint)
    return None


def _tolerates(toleration: Manifest, taint: Manifest) -> bool:
    if toleration.get("effect") and toleration["effect"] != taint["effect"]:
        return False
    if toleration.get("key") and toleration["key"] != taint["key"]:
        return False
    if toleration.get("operator") == "Exists":
        return True
    return bool(toleration.get("value", "") == taint.get("value", ""))


def _selected(labels: dict[str, str], pod: Manifest) -> bool:
    wanted = (pod.get("nodeSelector") or {}).items()
    return all(labels[key] == value for key, value in wanted if key in labels)


def _affine(labels: dict[str, str], pod: Manifest) -> bool:
    affinity = (pod.get("affinity") or {}).get("nodeAffinity") or {}
    required = affinity.get("requiredDuringSchedulingIgnoredDuringExecution")
    if required is None:
        return True
    terms = [
        [e for e in term.get("matchExpressions") or [] if e["key"] in labels] for term in required["nodeSelectorTerms"]
    ]
    return any(not term for term in terms) or any(all(matches(e, labels) for e in term) for term in terms)


def matches(expression: Manifest, labels: dict[str, str]) -> bool:
    """Whether labels satisfy one match expression."""
    value, operator, values = labels.get(expression["key"]), expression["operator"], expression.get("values") or []
    if operator == "In":
        return value in values
    if operator == "NotIn":
        return value not in values
    if operator == "Exists":
        return value is not None
    if operator == "DoesNotExist":
        return value is None
    if value is None or not value.lstrip("-").isdigit():
        return False
    return int(value) > int(values[0]) if operator == "Gt" else int(value) < int(values[0])
