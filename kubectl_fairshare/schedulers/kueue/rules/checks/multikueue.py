"""MultiKueue's clusters: how Kueue reaches each, and which names a configuration has."""

from collections.abc import Iterator

from kubectl_fairshare.finding import Edit, Finding, Related, Remedy, Remove
from kubectl_fairshare.lint.protocol import error_rule, warning_rule
from kubectl_fairshare.lint.refusals import by_object, lawful, quote, value_at
from kubectl_fairshare.lint.strays import meant_elsewhere
from kubectl_fairshare.lint.words.figures import title_of
from kubectl_fairshare.model.json import listed, mapping
from kubectl_fairshare.schedulers.kueue.rules.configuration.settings import gate
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven

_SOURCE = ("spec", "clusterSource")
_CLUSTERS = ("spec", "clusters")
_QUOTA = ("spec", "quotaManagement")
_GATE = "MultiKueueManagerQuotaAutomation"


@error_rule("K029")
def cluster_without_one_source(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each cluster."""
    for each, _ in lawful(given, "1.6-cluster-source"):
        if meant_elsewhere(each, _SOURCE):
            continue
        source = mapping(value_at(each, _SOURCE))
        there = [name for name in ("kubeConfig", "clusterProfileRef") if source.get(name) is not None]
        fields = "both `kubeConfig` and" if there else "neither `kubeConfig` nor"
        message = f"{title_of(each.key)} has {fields} `clusterProfileRef`: the API server rejects it"
        yield Finding(each.at(*_SOURCE), message, Remedy("remove one of the two" if there else "write one of the two"))


@error_rule("K030")
def cluster_named_twice(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each MultiKueueConfig."""
    for each, _ in by_object(given, "1.6-cluster-twice"):
        clusters = listed(value_at(each, _CLUSTERS))
        twice = [i for i, name in enumerate(clusters) if name in clusters[:i]]
        edits: tuple[Edit, ...] = tuple(Remove(each.at(*_CLUSTERS, i)) for i in reversed(twice))
        message = f"cluster {quote(clusters[twice[0]])} is named twice: the API server rejects it"
        places = [each.at(*_CLUSTERS, i) for i in twice]
        others = tuple(Related("also repeated", place) for place in places[1:])
        yield Finding(places[0], message, Remedy("name it once", edits, safe=True), related=others)


@warning_rule("K048")
def quota_management_without_gate(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each MultiKueueConfig."""
    on = gate(given, _GATE)
    if on:
        return
    for each in given.of("MultiKueueConfig"):
        if each.spec.get("quotaManagement") == "Automated":
            state = "is off" if on is False else "is off by default"
            yield Finding(
                each.at(*_QUOTA),
                f"`quotaManagement` is Automated, but the feature gate {_GATE} {state}: quotas do not change",
                Remedy(f"turn on {_GATE} in Kueue's Configuration, or write Manual"),
                elsewhere="" if on is False else "Kueue's Configuration",
            )
