"""What an API server's own validation rejects in the fields of a pod that choose its nodes and its turn.

Source: Kubernetes 1.35, the validation of pods. Tested in ``tests/unit/schedulers/test_new_pods.py``.
"""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.api.label_syntax import is_dns_label, is_label_key, is_label_value, is_subdomain
from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.model.json import field_text

_REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED: Final = "preferredDuringSchedulingIgnoredDuringExecution"
_OF_POD: Final = ("spec",)
_EFFECTS: Final = ("NoSchedule", "PreferNoSchedule", "NoExecute")
_WHEN: Final = ("DoNotSchedule", "ScheduleAnyway")
_POLICIES: Final = ("Honor", "Ignore")
_PREEMPTION: Final = ("PreemptLowerPriority", "Never")
_LONGEST_DEADLINE: Final = (1 << 31) - 1
_MOST_WEIGHT: Final = 100


def choice_clauses(spec: Field) -> Iterator[str]:
    """What is wrong with a pod's selectors, affinity, tolerations, spreading, gates and priority, in a clause each.

    Raises ``FairshareError`` for a field of another type.
    """
    yield from _labels(spec.at("nodeSelector"))
    for toleration in spec.at("tolerations").entries():
        yield from _toleration(toleration)
    yield from _node_affinity(spec.at("affinity", "nodeAffinity"))
    for kind in ("podAffinity", "podAntiAffinity"):
        yield from _neighbours(spec.at("affinity", kind))
    yield from _spreading(spec.at("topologySpreadConstraints"))
    yield from _gates(spec.at("schedulingGates"))
    if spec.path == _OF_POD and spec.at("nodeName").text() and spec.at("schedulingGates").entries():
        yield "spec.nodeName must be empty while there are scheduling gates"
    deadline = spec.at("activeDeadlineSeconds")
    if deadline.value is not None and not 1 <= deadline.integer(0) <= _LONGEST_DEADLINE:
        yield f"{field_text(deadline.path)} is below 1"
    yield from _one_of(spec.at("preemptionPolicy"), _PREEMPTION)
    for name in ("priorityClassName", "nodeName", "runtimeClassName", "serviceAccountName"):
        if spec.at(name).text() and not is_subdomain(spec.at(name).text()):
            yield f"{field_text((*spec.path, name))} is not an object name"


def _one_of(field: Field, known: tuple[str, ...], *, needed: bool = False) -> Iterator[str]:
    if (needed or field.value is not None) and field.text() not in known:
        yield f"{field_text(field.path)} must be {' or '.join(known)}"


def _labels(labels: Field) -> Iterator[str]:
    for key, value in labels.texts().items():
        if not is_label_key(key):
            yield f"{field_text(labels.path)} has `{key}`, which is not a label key"
        if not is_label_value(value):
            yield f"{field_text(labels.path)} has `{value}`, which is not a label value"


def _key(key: Field) -> Iterator[str]:
    if not is_label_key(key.text()):
        yield f"{field_text(key.path)} is not a label key"


def _toleration(toleration: Field) -> Iterator[str]:
    key, operator, value, effect = (toleration.at(name) for name in ("key", "operator", "value", "effect"))
    if key.text():
        yield from _key(key)
    elif operator.text() != "Exists":
        yield f"{field_text(operator.path)} must be Exists where no key is given"
    if toleration.at("tolerationSeconds").value is not None and effect.text() != "NoExecute":
        yield f"{field_text(effect.path)} must be NoExecute where tolerationSeconds is set"
    if operator.text() in ("", "Equal"):
        if not is_label_value(value.text()):
            yield f"{field_text(value.path)} is not a label value"
    elif operator.text() != "Exists":
        yield f"{field_text(operator.path)} must be Equal or Exists"
    elif value.text():
        yield f"{field_text(value.path)} must be empty where the operator is Exists"
    if effect.text():
        yield from _one_of(effect, _EFFECTS)


def _node_affinity(affinity: Field) -> Iterator[str]:
    required = affinity.at(_REQUIRED)
    if required.value is not None:
        terms = required.at("nodeSelectorTerms")
        if not terms.entries():
            yield f"{field_text(terms.path)} is missing"
        for term in terms.entries():
            yield from _node_term(term, values=True)
    for preferred in affinity.at(_PREFERRED).entries():
        yield from _weight(preferred)
        yield from _node_term(preferred.at("preference"), values=False)


def _node_term(term: Field, *, values: bool) -> Iterator[str]:
    """What is wrong with a term; ``values``: those of its expressions must be label values."""
    for each in term.at("matchExpressions").entries():
        yield from _key(each.at("key"))
        yield from _values(each, ("Gt", "Lt"))
        for value in each.at("values").entries() if values else ():
            if not is_label_value(value.text()):
                yield f"{field_text(value.path)} is not a label value"
    for each in term.at("matchFields").entries():
        if each.at("operator").text() not in ("In", "NotIn"):
            yield f"{field_text((*each.path, 'operator'))} must be In or NotIn"
        elif len(each.at("values").entries()) != 1:
            yield f"{field_text((*each.path, 'values'))} needs one value"
        if each.at("key").text() != "metadata.name":
            yield f"{field_text((*each.path, 'key'))} must be metadata.name"
        for value in each.at("values").entries():
            if not is_subdomain(value.text()):
                yield f"{field_text(value.path)} is not the name of a node"


def _values(requirement: Field, compared: tuple[str, ...] = ()) -> Iterator[str]:
    """What is wrong with an operator and the number of its values; some take exactly one, which they compare."""
    operator, values = requirement.at("operator"), requirement.at("values")
    number = len(values.entries())
    if operator.text() in ("In", "NotIn"):
        if not number:
            yield f"{field_text(values.path)} is missing"
    elif operator.text() in ("Exists", "DoesNotExist"):
        if number:
            yield f"{field_text(values.path)} must be empty where the operator is {operator.text()}"
    elif operator.text() in compared:
        if number != 1:
            yield f"{field_text(values.path)} needs one value"
    else:
        yield f"{field_text(operator.path)} is not an operator"


def _weight(preferred: Field) -> Iterator[str]:
    weight = preferred.at("weight")
    if not 1 <= weight.integer(0) <= _MOST_WEIGHT:
        yield f"{field_text(weight.path)} must be from 1 to {_MOST_WEIGHT}"


def _neighbours(affinity: Field) -> Iterator[str]:
    for term in affinity.at(_REQUIRED).entries():
        yield from _neighbour_term(term)
    for preferred in affinity.at(_PREFERRED).entries():
        yield from _weight(preferred)
        yield from _neighbour_term(preferred.at("podAffinityTerm"))


def _neighbour_term(term: Field) -> Iterator[str]:
    yield from _key(term.at("topologyKey"))
    for name in ("labelSelector", "namespaceSelector"):
        yield from _selector(term.at(name))
    for namespace in term.at("namespaces").entries():
        if not is_dns_label(namespace.text()):
            yield f"{field_text(namespace.path)} is not the name of a namespace"


def _selector(selector: Field) -> Iterator[str]:
    yield from _labels(selector.at("matchLabels"))
    for each in selector.at("matchExpressions").entries():
        yield from _values(each)
        yield from _key(each.at("key"))
        for value in each.at("values").entries():
            if not is_label_value(value.text()):
                yield f"{field_text(value.path)} is not a label value"


def _spreading(constraints: Field) -> Iterator[str]:
    seen: set[tuple[str, str]] = set()
    for each in constraints.entries():
        pair = each.at("topologyKey").text(), each.at("whenUnsatisfiable").text()
        if each.at("maxSkew").integer(0) < 1:
            yield f"{field_text((*each.path, 'maxSkew'))} is below 1"
        if not pair[0]:
            yield f"{field_text((*each.path, 'topologyKey'))} is missing"
        yield from _one_of(each.at("whenUnsatisfiable"), _WHEN, needed=True)
        if pair in seen:
            yield f"{field_text(each.path)} occurs twice: {', '.join(pair)}"
        seen.add(pair)
        least = each.at("minDomains")
        if least.value is not None and least.integer(0) < 1:
            yield f"{field_text(least.path)} is below 1"
        elif least.value is not None and pair[1] != "DoNotSchedule":
            yield f"{field_text(least.path)} needs whenUnsatisfiable DoNotSchedule"
        for policy in ("nodeAffinityPolicy", "nodeTaintsPolicy"):
            yield from _one_of(each.at(policy), _POLICIES)
        yield from _selector(each.at("labelSelector"))


def _gates(gates: Field) -> Iterator[str]:
    seen: set[str] = set()
    for gate in gates.entries():
        name = gate.at("name").text()
        if not is_label_key(name):
            yield f"{field_text((*gate.path, 'name'))} is not a gate's name"
        elif name in seen:
            yield f"{field_text((*gate.path, 'name'))} occurs twice: {name}"
        seen.add(name)
