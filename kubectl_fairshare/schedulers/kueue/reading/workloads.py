"""Workloads of the input: those that hold quota as values, the others by their stage.

Tested in ``tests/unit/schedulers/kueue/reading/test_workload_fields.py``.
"""

from collections.abc import Mapping

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.kueue.jobs.moments import queued_at
from kubectl_fairshare.schedulers.kueue.jobs.priority import governing_class
from kubectl_fairshare.schedulers.kueue.model.objects import Configuration
from kubectl_fairshare.schedulers.kueue.model.workload import Holder
from kubectl_fairshare.schedulers.kueue.reading import readers
from kubectl_fairshare.schedulers.kueue.reading.holders import Stage
from kubectl_fairshare.schedulers.kueue.reading.workload_fields import workload_fields


class Workloads:
    """Reads workloads one by one. ``lost_nodes``: one of them lost a node, and asks for a place again."""

    def __init__(self, configuration: Configuration, priorities: Mapping[str, int]) -> None:
        self.lost_nodes = False
        self._configuration = configuration
        self._priorities = priorities
        self._reclaims = configuration.reclaimable_pods

    def read(self, manifest: Manifest) -> Holder | tuple[Stage, Manifest]:
        """A workload with its quota and priority, or its stage. Raises ``MisreadError``."""
        data = manifest.passing_fields(workload_fields)
        status = data.get("status")
        if not self.lost_nodes and isinstance(status, dict):
            self.lost_nodes = bool(status.get("unhealthyNodes"))
        found = readers.workload(manifest.key, data, reclaims=self._reclaims)
        if isinstance(found, Stage):
            return found, manifest
        governing = governing_class(data["spec"], self._priorities) if self._priorities else None
        if governing is not None:
            found.priority = self._priorities[governing]
        if found.evicted:
            found.queued = queued_at(Field(manifest.key, (), manifest.passing_data), self._configuration, found.created)
        return found
