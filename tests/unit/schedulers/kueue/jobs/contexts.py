"""The context of jobs from manifests alone, for tests that read no whole input."""

from collections.abc import Iterable, Mapping

from kubectl_fairshare.jobs.context import pod_context
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.kueue.jobs.context import Context, kueue_context, with_asked
from kubectl_fairshare.schedulers.kueue.model.objects import Configuration, LocalQueue


def context_of(
    manifests: Iterable[Manifest],
    configuration: Configuration,
    workload_priorities: Mapping[str, int],
    *,
    local_queues: Iterable[LocalQueue] = (),
    default_created: int = 0,
    configured: bool = True,
) -> Context:
    """The context that PriorityClasses, LimitRanges, RuntimeClasses and Namespaces among ``manifests`` give.

    Other kinds are passed over. ``configured`` False: the configuration is made of defaults, as none was
    given, so it does not tell which frameworks are on. Raises ``FairshareError`` with every field that
    could not be read.
    """
    manifests = sorted(manifests, key=lambda m: m.key)
    problems: list[Problem] = []
    pods = pod_context(manifests, problems)
    if problems:
        raise FairshareError(*problems)
    context = kueue_context(
        pods, configuration, workload_priorities, local_queues, default_created, configured=configured
    )
    return with_asked(context, manifests)
