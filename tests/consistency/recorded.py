"""The states that the real schedulers were recorded on, as files: with the manager's release and its configuration."""

import gzip
import json
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

from kubectl_fairshare.schedulers.recording import accepted_form
from tests.screens import ROOT

Manifest = dict[str, Any]
FOLDER: Final = ROOT / "testdata" / "conformance"
RECORDINGS: Final = {
    "kueue": (
        *("kueue", "kueue-mix", "kueue-mix", "kueue-tas", "kueue-afs", "kueue-living"),
        *("kueue-0.16", "kueue-0.17", "kueue-0.18", "kueue-0.18-patches"),
    ),
    "kai": ("kai-plan", "kai-plan", "kai"),
    "elasticquota": ("elasticquota",),
    "koordinator": ("koordinator",),
}
"""The recordings of each house; one that meets more of it is named twice."""
_MOST: Final = 45
"""Objects of a state: larger ones take minutes."""
STRATEGIES: Final = ["LessThanOrEqualToFinalShare", "LessThanInitialShare"]


def recorded(house: str, dice: Random, folder: Path = FOLDER) -> list[Manifest]:
    """One recorded state of a house."""
    cases = _cases(folder, dice.choice(RECORDINGS[house]))
    case = json.loads(dice.choice(cases))
    objects = [dict(accepted_form(each)) for each in case["objects"]]
    return objects + _manager(case.get("config") or {}, objects) if house == "kueue" else objects


@cache
def _cases(folder: Path, name: str) -> list[str]:
    """The lines of a recording whose states are neither empty nor large."""
    path = next(each for each in (folder / f"{name}.jsonl.gz", folder / f"{name}-dev.jsonl.gz") if each.exists())
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [line for line in lines if 0 < len(json.loads(line)["objects"]) <= _MOST]


def _manager(config: Manifest, objects: list[Manifest]) -> list[Manifest]:
    """The Deployment of the recorded release, and the Configuration that is not among the objects already."""
    made = []
    if "release" in config:
        made.append(manager(str(config["release"])))
    if not any(each["kind"] == "ConfigMap" for each in objects):
        settings: Manifest = {}
        if "fairSharing" in config:
            settings["fairSharing"] = {"preemptionStrategies": STRATEGIES, **config["fairSharing"]}
        if "admissionFairSharing" in config:
            settings["admissionFairSharing"] = config["admissionFairSharing"]
        if "transformations" in config:
            settings["resources"] = {"transformations": config["transformations"]}
        made += [configuration(settings)] if settings else []
    return made


def manager(release: str) -> Manifest:
    """The Deployment of Kueue's manager."""
    labels = {"control-plane": "controller-manager"}
    containers = [{"name": "manager", "image": f"registry.k8s.io/kueue/kueue:{release}"}]
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "kueue-controller-manager", "namespace": "kueue-system"},
        "spec": {
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": {"containers": containers}},
        },
    }


def configuration(settings: Manifest) -> Manifest:
    """The ConfigMap of Kueue's manager."""
    written = {"apiVersion": "config.kueue.x-k8s.io/v1beta2", "kind": "Configuration", **settings}
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "kueue-manager-config", "namespace": "kueue-system"},
        "data": {"controller_manager_config.yaml": json.dumps(written)},
    }
