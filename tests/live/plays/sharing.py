"""Organisations whose ClusterQueues order by the past usage of their LocalQueues."""

from collections.abc import Iterator
from typing import Final

from tests.live.plays.richer import RicherOrganisation
from tests.live.stage.server import Object

SETTINGS: Final = {
    "usageHalfLifeTime": "10m",
    "usageSamplingInterval": "2s",
    "resourceWeights": {"cpu": 1.0, "memory": 0.0},
}
"""The block ``admissionFairSharing`` of the manager's Configuration."""
_SECOND: Final = "-b"


class SharingOrganisation(RicherOrganisation):
    """Each ClusterQueue has two LocalQueues with weights; most order by past usage."""

    def objects(self) -> Iterator[tuple[str, Object]]:
        """What to create, in order: the plural of the kind and the object."""
        for plural, body in super().objects():
            if plural == "localqueues":
                second = {**body["metadata"], "name": body["metadata"]["name"] + _SECOND}
                yield plural, {**body, "metadata": second, "spec": {**body["spec"], **self._weight()}}
                yield plural, {**body, "spec": {**body["spec"], **self._weight()}}
            else:
                yield plural, body

    def _weight(self) -> Object:
        return {"fairSharing": {"weight": self.chance.choice(["2", "500m"])}} if self.chance.random() < 0.5 else {}

    def _queue_spec(self) -> Object:
        spec = super()._queue_spec()
        if self.chance.random() < 0.8:
            spec["admissionScope"] = {"admissionMode": "UsageBasedAdmissionFairSharing"}
        return spec

    def cluster_queue(self, local: str) -> str:
        """The ClusterQueue that a LocalQueue leads to."""
        return local.removesuffix(_SECOND)

    def job(self, number: int) -> Object:
        """A Job to submit through one of the two LocalQueues."""
        job = super().job(number)
        labels = job["metadata"]["labels"]
        if self.chance.random() < 0.5:
            labels["kueue.x-k8s.io/queue-name"] += _SECOND
        return job
