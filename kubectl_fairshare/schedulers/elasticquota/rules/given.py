"""The input of ElasticQuota's rules."""

from collections.abc import Sequence
from functools import cached_property

from kubectl_fairshare.input.text.scheduler_configuration import scheduler_configurations
from kubectl_fairshare.jobs.context import PodContext
from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.lint.given import Examined, Given
from kubectl_fairshare.schedulers.elasticquota.model.kinds import GROUP, KIND
from kubectl_fairshare.schedulers.elasticquota.model.objects import ElasticQuotaState
from kubectl_fairshare.schedulers.elasticquota.rules.quotas import Quotas, quotas_of


class ElasticQuotaGiven(Given, frozen=True, eq=False, dict=True):
    """Everything that was read, with the ElasticQuotas and the settings of their scheduler."""

    @property
    def state(self) -> ElasticQuotaState:
        """ElasticQuota's part of the snapshot: accepted objects only."""
        return self.snapshot.part(ElasticQuotaState)

    @property
    def written(self) -> Sequence[Examined]:
        """All ElasticQuotas, including rejected ones, by namespace and name."""
        return self.of(KIND, GROUP)

    @cached_property
    def quotas(self) -> Quotas:
        """The ElasticQuotas that count, with the pods that they limit."""
        return quotas_of(self.snapshot, self.snapshot.part(PodContext))

    @cached_property
    def schedulers(self) -> tuple[Field, ...]:
        """The configurations of schedulers."""
        return tuple(scheduler_configurations(self.snapshot.manifests.values()))
