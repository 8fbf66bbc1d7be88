"""Small repositories in a folder of the test, and what is read of them."""

from pathlib import Path

from kubectl_fairshare.input.files.files import read_what_can_be
from kubectl_fairshare.input.units.unit_readings import UnitReading
from kubectl_fairshare.schedulers import known_schedulers

API = "apiVersion: kueue.x-k8s.io/v1beta2\n"
QUEUE = API + "kind: ClusterQueue\nmetadata: {name: %s}\nspec: {stopPolicy: %s}\n"
LOCAL = API + "kind: LocalQueue\nmetadata: {name: %s, namespace: team}\nspec: {clusterQueue: %s}\n"
REAL = """apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: team}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu]
    flavors: [{name: any, resources: [{name: cpu, nominalQuota: 8}]}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: any}
"""
JOB = "apiVersion: batch/v1\nkind: Job\nmetadata: {name: %s, labels: {kueue.x-k8s.io/queue-name: q}}\nspec: {}\n"


def write(files: dict[str, str]) -> None:
    """The files in the working folder."""
    for name, text in files.items():
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def units() -> dict[str, UnitReading]:
    """The units of the working folder, by name."""
    reading, problems = read_what_can_be(
        ["."], known_schedulers(), allow_generate_name=True, among_others=True, divided=True
    )
    assert problems == ()
    return {each.unit.name: each for each in reading.units}
