"""Mistakes in Workloads that a person writes."""

from collections.abc import Iterator

from kubectl_fairshare.finding import Finding, Related, Remedy
from kubectl_fairshare.lint.protocol import error_rule
from kubectl_fairshare.lint.refusals import MISSING, by_object, field_named, lawful, quote, value_at
from kubectl_fairshare.lint.strays import meant_elsewhere
from kubectl_fairshare.model.json import mapping, rows
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven

_POD_SETS = ("spec", "podSets")
_REFUSED = "the API server rejects it"


@error_rule("K031")
def invalid_min_count(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each pod set whose minCount is too high, and for each Workload with other faults."""
    for each, cause in lawful(given, "1.7-minCount"):
        pod_set = mapping(value_at(each, cause.path))
        least, count = pod_set.get("minCount"), pod_set.get("count", 1)
        yield Finding(
            each.at(*cause.path, "minCount"),
            f"minCount {quote(least)} is above the pod set's count {quote(count)}: {_REFUSED}",
            Remedy(f"write {count} or less"),
            evidence=(("count", str(count)), ("minCount", str(least))),
        )
    for law, gist, help in (
        ("1.7-minCount-several", "several pod sets have a minCount", "keep it in one of them"),
        ("1.7-minCount-elastic", "an elastic Workload has a minCount", "remove it, or the elastic-job annotation"),
    ):
        for each, _ in lawful(given, law):
            pod_sets = rows(value_at(each, _POD_SETS))
            places = [each.at(*_POD_SETS, i, "minCount") for i, one in enumerate(pod_sets) if one.get("minCount")]
            others = tuple(Related("another one", place) for place in places[:-1])
            yield Finding(places[-1], f"{gist}: {_REFUSED}", Remedy(help), related=others)


@error_rule("K032")
def invalid_priority_class_reference(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each Workload and fault."""
    for each, cause in lawful(given, "1.7-priority-class-kind"):
        group = value_at(each, (*cause.path, "group"))
        kind = value_at(each, (*cause.path, "kind"))
        right = "WorkloadPriorityClass" if group == GROUP else "PriorityClass"
        message = f"group {quote(group)} has no kind {quote(kind)}: {_REFUSED}"
        yield Finding(each.at(*cause.path, "kind"), message, Remedy(f"write `{right}`, or the other group"))
    for each, _ in lawful(given, "1.7-priority-class-without-priority"):
        if meant_elsewhere(each, ("spec", "priority")):
            continue
        old = value_at(each, ("spec", "priorityClassName")) is not MISSING
        name = "priorityClassName" if old and each.manifest.version == "v1beta1" else "priorityClassRef"
        message = f"`{name}` has no `priority`: {_REFUSED}"
        yield Finding(each.at("spec", name), message, Remedy("write the value of the class as `priority`"))


@error_rule("K033")
def reserved_or_negative_request(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each entry."""
    for each, cause in lawful(given, "1.7-pods-requested", "1.7-negative-request"):
        value = value_at(each, cause.path)
        if cause.law == "1.7-pods-requested":
            gist, help = "Kueue reserves the resource `pods`", "remove it: every pod counts as one"
        else:
            gist, help = f"{quote(value)} is below 0", "write 0 or more"
        yield Finding(each.at(*cause.path), f"{field_named(cause.path)}: {gist}: {_REFUSED}", Remedy(help))


@error_rule("K034")
def incomplete_slice_request(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each topology request."""
    for each, cause in lawful(given, "1.7-slice-topology"):
        message = f"{field_named(cause.path)}: {cause.message}: {_REFUSED}"
        yield Finding(each.at(*cause.path), message, Remedy("write the topology and a size above 0, or neither"))


@error_rule("K035")
def invalid_admission_gates(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each fault."""
    remedy = Remedy("write `example.com/gate`, or several separated by commas")
    for each, causes in by_object(given, "1.7-admission-gates"):
        for path, gist in dict.fromkeys((cause.path, cause.message) for cause in causes):
            yield Finding(each.at(*path), f"admission gates: {gist}: {_REFUSED}", remedy)
