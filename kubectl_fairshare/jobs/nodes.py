"""The nodes that a pod may run on: node selector, required node affinity, tolerations."""

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.model.selectors import NodeTerm, Requirement, Toleration


def node_selector(spec: Field) -> tuple[Requirement, ...]:
    """The pod's node selector: every label must have exactly this value."""
    labels = spec.at("nodeSelector").texts()
    return tuple(Requirement(key, "In", (labels[key],)) for key in sorted(labels))


def required_affinity(spec: Field) -> tuple[NodeTerm, ...] | None:
    """The terms of the required node affinity, of which one must match; None without one."""
    required = spec.at("affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
    if required.value is None:
        return None
    return tuple(
        NodeTerm(_requirements(term.at("matchExpressions")), _requirements(term.at("matchFields")))
        for term in required.at("nodeSelectorTerms").entries()
    )


def _requirements(field: Field) -> tuple[Requirement, ...]:
    return tuple(
        Requirement(r.at("key").text(), r.at("operator").text(), tuple(v.text() for v in r.at("values").entries()))
        for r in field.entries()
    )


def tolerations(spec: Field) -> tuple[Toleration, ...]:
    """The pod's tolerations, in the order written."""
    return tuple(
        Toleration(t.at("key").text(), t.at("operator").text("Equal"), t.at("value").text(), t.at("effect").text())
        for t in spec.at("tolerations").entries()
    )
