"""Workloads of the input: those that hold quota as values, the others by their stage.

Tested in ``tests/unit/schedulers/kueue/reading/test_workload_fields.py``.
"""

from collections.abc import Mapping

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.moments import nanoseconds
from kubectl_fairshare.schedulers.kueue.jobs.moments import queued_at
from kubectl_fairshare.schedulers.kueue.jobs.priority import governing_class
from kubectl_fairshare.schedulers.kueue.model.objects import Configuration
from kubectl_fairshare.schedulers.kueue.model.workload import Holder
from kubectl_fairshare.schedulers.kueue.reading import readers
from kubectl_fairshare.schedulers.kueue.reading.holders import Stage
from kubectl_fairshare.schedulers.kueue.reading.typed import MisreadError
from kubectl_fairshare.schedulers.kueue.reading.workload_fields import WorkloadFields


class Workloads:
    """Reads workloads one by one. ``lost_nodes``: one of them lost a node, and asks for a place again.

    ``reclaimed`` are those that hold quota and gave pods back, noted for releases that were not measured.
    ``newest`` is the latest creation of one, in nanoseconds since the epoch; 0 without one.
    """

    def __init__(self, configuration: Configuration, priorities: Mapping[str, int]) -> None:
        self.lost_nodes = False
        self.newest = 0
        self._configuration = configuration
        self._priorities = priorities
        self._reclaims = configuration.reclaimable_pods
        self.reclaimed: list[ObjectKey] = []
        self._unmeasured = bool(configuration.release.later_features)
        self._clamped = configuration.release.reclaims_clamped

    def read(self, manifest: Manifest) -> Holder | tuple[Stage, Manifest]:
        """A workload with its quota and priority, or its stage. Raises ``MisreadError``."""
        try:
            fields = manifest.read_as(WorkloadFields)
        except ValueError as error:
            raise MisreadError(str(error)) from None
        if not self.lost_nodes and fields.status is not None:
            self.lost_nodes = bool(fields.status.unhealthy)
        found = readers.workload(manifest.key, fields, reclaims=self._reclaims, clamped=self._clamped)
        if isinstance(found, Stage):
            self.newest = max(self.newest, _moment(fields.metadata.created))
            return found, manifest
        self.newest = max(self.newest, found.created)
        if self._unmeasured and fields.status is not None and fields.status.reclaimable:
            self.reclaimed.append(manifest.key)
        if self._priorities and fields.spec is not None:
            governing = governing_class(fields.spec.priority_class, self._priorities)
            if governing is not None:
                found.priority = self._priorities[governing]
        if found.evicted:
            conditions = Field(manifest.key, (), manifest.passing_data).at("status", "conditions").entries()
            found.queued = queued_at(conditions, self._configuration, found.created)
        return found


def _moment(written: Json) -> int:
    try:
        return nanoseconds(written) if isinstance(written, str) and written else 0
    except ValueError:  # the reader of the whole workload reports it with its place
        return 0
