"""The namespaceSelector: the namespaces from which a ClusterQueue accepts workloads."""

from collections.abc import Iterator, Mapping
from typing import Final

from kubectl_fairshare.finding import Edit, Finding, Insert, Related, Remedy, Rename, Severity
from kubectl_fairshare.jobs.context import NAMESPACE_NAME
from kubectl_fairshare.lint.protocol import info_rule, warning_rule
from kubectl_fairshare.lint.strays import is_meant
from kubectl_fairshare.lint.words.figures import few, several
from kubectl_fairshare.lint.words.names import distance
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.selectors import LabelSelector
from kubectl_fairshare.schedulers.kueue.model.objects import ClusterQueue, LocalQueue
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven

_SELECTOR: Final = ("spec", "namespaceSelector")
_POSITIVE: Final = ("In", "Exists")


def labels_of(given: KueueGiven, namespace: str) -> Mapping[str, str]:
    """A namespace's labels, with the one that the API server sets."""
    return {NAMESPACE_NAME: namespace, **given.snapshot.namespaces.get(namespace, {})}


def refuses(given: KueueGiven, queue: ClusterQueue, namespace: str) -> bool:
    """Whether the queue surely does not accept the namespace; if the input lacks it, only its name is known."""
    selector = queue.namespace_selector
    if selector is None or selector.matches(labels_of(given, namespace)):
        return False
    if namespace in given.snapshot.namespaces or given.complete:
        return True
    known = LabelSelector(tuple(r for r in selector.requirements if r.key == NAMESPACE_NAME))
    return not known.matches({NAMESPACE_NAME: namespace})


@warning_rule("K074")
def namespace_selector_absent(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each ClusterQueue without a selector."""
    for queue in given.kueue.cluster_queues.values():
        place = Place(queue.key, ("spec",))
        if queue.namespace_selector is None and not is_meant(given, Place(queue.key, _SELECTOR)):
            yield Finding(
                place,
                f"ClusterQueue `{queue.name}` has no namespaceSelector, so it accepts no workloads",
                Remedy("write `namespaceSelector: {}` for all namespaces", (Insert(place, "namespaceSelector", {}),)),
            )


@warning_rule("K075")
def namespace_not_selected(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each LocalQueue, and one for each ClusterQueue that selects no Namespace of the input.

    If a key of the selector is misspelt, another rule reports that instead.
    """
    misspelt = {place.object.name for place, _, _ in _misspelt_keys(given)}
    led: set[str] = set()
    for queue in given.kueue.local_queues.values():
        target = given.kueue.cluster_queues.get(queue.cluster_queue or "")
        if target is None:
            continue
        led.add(target.name)
        if target.name not in misspelt and refuses(given, target, queue.namespace):
            yield _namespace_finding(given, queue, target)
    for target in given.kueue.cluster_queues.values():
        selector = target.namespace_selector
        if selector is None or target.name in led or target.name in misspelt or not given.snapshot.namespaces:
            continue
        if not any(selector.matches(labels_of(given, namespace)) for namespace in given.snapshot.namespaces):
            yield Finding(
                Place(target.key, _SELECTOR),
                f"the namespaceSelector of ClusterQueue `{target.name}` matches no namespace",
                Remedy("label a namespace, or widen the selector"),
                evidence=(("namespaces in the input", str(len(given.snapshot.namespaces))),),
                elsewhere="Namespaces",
            )


def _namespace_finding(given: KueueGiven, queue: LocalQueue, target: ClusterQueue) -> Finding:
    labels = labels_of(given, queue.namespace)
    selector = target.namespace_selector
    failed = [r for r in selector.requirements if not r.matches(labels)] if selector is not None else []
    evidence = tuple(
        (
            f"{r.key}",
            f"`{labels[r.key]}`, wanted {r.operator} {few(r.values)}" if r.key in labels else f"absent, {r.operator}",
        )
        for r in failed
    )
    return Finding(
        Place(queue.key, ("metadata", "namespace")),
        f"ClusterQueue `{target.name}` does not accept namespace `{queue.namespace}`, so LocalQueue `{queue.name}` "
        "admits nothing",
        Remedy("label the namespace, widen the selector, or name another ClusterQueue"),
        evidence=evidence,
        related=(Related("selected here", Place(target.key, _SELECTOR)),),
        elsewhere="" if queue.namespace in given.snapshot.namespaces else f"labels of Namespace {queue.namespace}",
    )


@info_rule("K076", advice=True)
def namespace_selector_open(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each ClusterQueue with an empty selector."""
    for queue in given.kueue.cluster_queues.values():
        if queue.namespace_selector is not None and not queue.namespace_selector.requirements:
            message = f"ClusterQueue `{queue.name}` accepts workloads of every namespace"
            yield Finding(
                Place(queue.key, _SELECTOR), message, Remedy("select only the namespaces that should use this queue")
            )


@info_rule("K077")
def namespace_selector_key(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each misspelt key; a warning if a namespace needs the key to be accepted."""
    for place, key, meant in _misspelt_keys(given):
        examined = given.examined[place.object]
        selector = examined.spec.get("namespaceSelector") or {}
        written = given.kueue.cluster_queues[place.object.name].namespace_selector
        requirements = () if written is None else written.requirements
        needed = any(r.key == key and r.operator in _POSITIVE for r in requirements)
        edits: tuple[Edit, ...] = (Rename(place, meant),) if key in (selector.get("matchLabels") or {}) else ()
        yield Finding(
            place,
            f"no namespace has label `{key}`; `{meant}` is nearly the same key",
            Remedy(f"write `{meant}` if you mean that", edits),
            evidence=(("namespaces in the input", several(len(given.snapshot.namespaces), "namespace")),),
            severity=Severity.WARNING if needed else None,
            elsewhere=f"a Namespace with label {key}",
        )


def _misspelt_keys(given: KueueGiven) -> Iterator[tuple[Place, str, str]]:
    """The keys of selectors that no namespace has, but that are nearly a known key: place, key, known key."""
    known = {key for labels in given.snapshot.namespaces.values() for key in labels} | {NAMESPACE_NAME}
    meant: dict[str, str | None] = {}
    for queue in given.kueue.cluster_queues.values():
        if queue.namespace_selector is None:
            continue
        for requirement in queue.namespace_selector.requirements:
            key = requirement.key
            if key in known:
                continue
            if key not in meant:
                meant[key] = _nearest(key, known, given)
            found = meant[key]
            if found is not None:
                yield Place(queue.key, _path(given, queue, key)), key, found


def _nearest(key: str, known: set[str], given: KueueGiven) -> str | None:
    """The similar known key. Without Namespaces in the input only the API server's own label is known."""
    if key.endswith("metadata.name") or distance(key, NAMESPACE_NAME) <= 2:
        return NAMESPACE_NAME
    if not given.snapshot.namespaces or len(key) < 6:
        return None
    return min((other for other in known if distance(key, other) <= 2), default=None)


def _path(given: KueueGiven, queue: ClusterQueue, key: str) -> tuple[str | int, ...]:
    selector = given.examined[queue.key].spec.get("namespaceSelector") or {}
    if key in (selector.get("matchLabels") or {}):
        return (*_SELECTOR, "matchLabels", key)
    for i, expression in enumerate(selector.get("matchExpressions") or ()):
        if expression.get("key") == key:
            return (*_SELECTOR, "matchExpressions", i, "key")
    return _SELECTOR
