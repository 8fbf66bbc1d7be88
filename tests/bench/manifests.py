"""A made-up organisation as its people write it: 2,200 YAML documents, in one file or in a file each.

One company, nine departments, ninety teams, a thousand ClusterQueues with their LocalQueues; nothing wrong with it.
Written as text: how people lay YAML out is part of what is measured.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

FLAVORS: Final = ("reserved", "spot")
_QUOTAS: Final = (("cpu", "64"), ("memory", "512Gi"), ("nvidia.com/gpu", "8"))


@dataclass(frozen=True, slots=True)
class Extent:
    """How many there are of what; each team has a namespace. ``documents`` are all together."""

    queues: int = 1_000
    departments: int = 9
    teams: int = 90

    def times(self, factor: int) -> "Extent":
        """An organisation so many times as large, as deep as this one."""
        return Extent(self.queues * factor, self.departments * factor, self.teams * factor)

    @property
    def documents(self) -> int:
        """All objects: queues of both kinds, cohorts, namespaces, flavors, the rest."""
        return 2 * self.queues + 1 + self.departments + 2 * self.teams + len(FLAVORS) + _SURROUNDINGS.count("---") + 1


def documents(extent: Extent) -> Iterator[str]:
    """The documents, each with its line end."""
    yield from _SURROUNDINGS.split("---\n")
    for flavor in FLAVORS:
        yield _flavor(flavor)
    for team in range(extent.teams):
        yield _namespace(team)
    yield _cohort("company", "")
    for department in range(extent.departments):
        yield _cohort(f"dept-{department:03}", "company")
    for team in range(extent.teams):
        yield _cohort(f"team-{team:04}", f"dept-{team % extent.departments:03}")
    for queue in range(extent.queues):
        yield _cluster_queue(queue, queue % extent.teams)
        yield _local_queue(queue, queue % extent.teams)


def in_one_file(extent: Extent, path: Path) -> None:
    """Writes all documents into one file."""
    path.write_text("---\n".join(documents(extent)), encoding="utf-8")


def in_a_file_each(extent: Extent, folder: Path) -> None:
    """Writes each document into a file of its own."""
    folder.mkdir()
    for number, document in enumerate(documents(extent)):
        (folder / f"{number:06}.yaml").write_text(document, encoding="utf-8")


def _flavor(name: str) -> str:
    return f"""\
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata:
  name: {name}
spec:
  nodeLabels:
    example.com/capacity: {name}
"""


def _namespace(team: int) -> str:
    return f"""\
apiVersion: v1
kind: Namespace
metadata:
  name: team-{team:04}
  labels:
    kubernetes.io/metadata.name: team-{team:04}
"""


def _cohort(name: str, parent: str) -> str:
    above = f"  parentName: {parent}\n  fairSharing:\n    weight: 1\n" if parent else "  {}\n"
    return f"""\
apiVersion: kueue.x-k8s.io/v1beta2
kind: Cohort
metadata:
  name: {name}
spec:
{above}"""


def _cluster_queue(number: int, team: int) -> str:
    text = f"""\
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata:
  name: queue-{number:05}
spec:
  cohortName: team-{team:04}
  namespaceSelector:
    matchLabels:
      kubernetes.io/metadata.name: team-{team:04}
  preemption:
    reclaimWithinCohort: Any
    withinClusterQueue: LowerPriority
  fairSharing:
    weight: 1
  resourceGroups:
  - coveredResources:
"""
    text += "".join(f"    - {resource}\n" for resource, _ in _QUOTAS)
    text += "    flavors:\n"
    for flavor in FLAVORS:
        text += f"    - name: {flavor}\n      resources:\n"
        text += "".join(f"      - name: {name}\n        nominalQuota: {quota}\n" for name, quota in _QUOTAS)
    return text


def _local_queue(number: int, team: int) -> str:
    return f"""\
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata:
  name: queue-{number:05}
  namespace: team-{team:04}
spec:
  clusterQueue: queue-{number:05}
"""


_SURROUNDINGS: Final = """\
apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
integrations:
  frameworks:
  - batch/job
fairSharing:
  preemptionStrategies:
  - LessThanOrEqualToFinalShare
  - LessThanInitialShare
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: WorkloadPriorityClass
metadata:
  name: high
value: 1000
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: WorkloadPriorityClass
metadata:
  name: low
value: 100
"""
