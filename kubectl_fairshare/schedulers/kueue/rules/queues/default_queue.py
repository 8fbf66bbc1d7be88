"""The LocalQueue `default`, which jobs without a queue get, and the namespaces that Kueue manages."""

from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.finding import Finding, Related, Remedy, Replace
from kubectl_fairshare.jobs.context import NAMESPACE_NAME
from kubectl_fairshare.lint.protocol import warning_rule
from kubectl_fairshare.lint.words.figures import few, several
from kubectl_fairshare.lint.words.names import distance
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.schedulers.kueue.jobs.management import DEFAULT_QUEUE
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven

_MEANT: Final = frozenset(
    f"{before}{DEFAULT_QUEUE}{after}"
    for before in ("", "local-queue-", "queue-", "lq-", "the-")
    for after in ("", "s", "-queue", "queue", "-local-queue", "-localqueue", "-lq", "-q")
) - {DEFAULT_QUEUE}


@warning_rule("K070")
def default_queue_misnamed(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each such LocalQueue in a namespace without `default`, unless jobs of the input name it."""
    asked = {(pending.key.namespace, pending.local_queue) for pending in given.submitted}
    for (namespace, name), queue in given.kueue.local_queues.items():
        meant = name in _MEANT or distance(name, DEFAULT_QUEUE, 1) == 1
        if meant and (namespace, name) not in asked and not given.is_written("LocalQueue", DEFAULT_QUEUE, namespace):
            place = Place(queue.key, ("metadata", "name"))
            yield Finding(
                place,
                f"LocalQueue `{name}` is not the default: only `{DEFAULT_QUEUE}` gets jobs without a queue",
                Remedy(f"name it `{DEFAULT_QUEUE}`", (Replace(place, DEFAULT_QUEUE),)),
                elsewhere=f"LocalQueue {namespace}/{DEFAULT_QUEUE}",
            )


@warning_rule("K071")
def no_default_queue(given: KueueGiven) -> Iterator[Finding]:
    """One finding, at the setting, with the namespaces."""
    if not given.configuration.manage_unlabelled or not given.configured:
        return
    known = {*given.snapshot.namespaces, *(namespace for namespace, _ in given.kueue.local_queues)}
    lacking = [
        namespace
        for namespace in sorted(known)
        if given.context.manages_namespace(namespace) and not given.is_written("LocalQueue", DEFAULT_QUEUE, namespace)
    ]
    if lacking:
        yield Finding(
            given.configured[0].at("manageJobsWithoutQueueName"),
            f"{several(len(lacking), 'managed namespace')} without LocalQueue `{DEFAULT_QUEUE}`: {few(lacking)}; "
            "jobs without a queue stay suspended there for ever",
            Remedy(f"add a LocalQueue `{DEFAULT_QUEUE}`, or exclude these namespaces"),
            evidence=(("namespaces", few(lacking, 20)),),
            elsewhere=f"LocalQueue {lacking[0]}/{DEFAULT_QUEUE}",
        )


@warning_rule("K072")
def default_queue_stopped(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each stopped LocalQueue `default`."""
    suspended = given.configuration.manage_unlabelled
    for queue in given.kueue.local_queues.values():
        if queue.name == DEFAULT_QUEUE and queue.stop_policy != "None":
            fate = "stay suspended for ever" if suspended else "run unmanaged"
            yield Finding(
                Place(queue.key, ("spec", "stopPolicy")),
                f"LocalQueue `{queue.namespace}/{DEFAULT_QUEUE}` is stopped, so new jobs without a queue {fate}",
                Remedy("stop its ClusterQueue instead"),
                evidence=(("stopPolicy", queue.stop_policy),),
            )


@warning_rule("K073")
def queue_in_unmanaged_namespace(given: KueueGiven) -> Iterator[Finding]:
    """One finding for each namespace, at its first LocalQueue."""
    seen: set[str] = set()
    selector = given.configuration.managed_namespaces
    labels = {r.key for r in selector.requirements} - {NAMESPACE_NAME} if selector is not None else set()
    for (namespace, name), queue in given.kueue.local_queues.items():
        if namespace in seen or given.context.manages_namespace(namespace):
            continue
        seen.add(namespace)
        known = namespace in given.snapshot.namespaces or not labels
        elsewhere = "" if known else f"labels of Namespace {namespace}"
        related = () if selector is None or not given.configured else _selector_place(given)
        yield Finding(
            Place(queue.key, ("metadata", "namespace")),
            f"Kueue does not manage jobs of namespace `{namespace}`, so LocalQueue `{name}` has no effect",
            Remedy("select the namespace in `managedJobsNamespaceSelector`, or move the LocalQueue"),
            related=related,
            elsewhere=elsewhere if given.configured else "Kueue's Configuration",
        )


def _selector_place(given: KueueGiven) -> tuple[Related, ...]:
    return (Related("selected here", given.configured[0].at("managedJobsNamespaceSelector")),)
