"""Whether an object has Workloads is the same asked alone and for all; and rings of owners take no time."""

import random
from typing import Any

import pytest

from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.kueue.jobs.lineage import Family, Kin
from kubectl_fairshare.schedulers.kueue.jobs.record import is_workload
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP

RING = 300
STEPS = 4
"""Looks for Workloads for each object of a ring."""


def made(kind: str, name: str, uid: str, *owners: dict[str, Any]) -> Manifest:
    group, version = (GROUP, "v1beta2") if kind == "Workload" else ("batch", "v1")
    metadata = {"name": name, "namespace": "n", "uid": uid, "ownerReferences": list(owners)}
    data = {"apiVersion": f"{group}/{version}", "kind": kind, "metadata": metadata}
    return Manifest(ObjectKey(group, kind, "n", name), version, data, Origin("x", 0))


def owner(name: str, uid: str, *, controller: bool) -> dict[str, Any]:
    return {"apiVersion": "batch/v1", "kind": "Job", "name": name, "uid": uid, "controller": controller}


def by_chance(random_: random.Random) -> list[Manifest]:
    """Jobs that own each other in any way, some by a UID that is another's or missing, and a few Workloads."""
    jobs, few = random_.randint(2, 7), random_.randint(0, 3)

    def owners() -> list[dict[str, Any]]:
        names = [random_.randrange(jobs) for _ in range(random_.choice((0, 1, 1, 1, 2)))]
        uids = [random_.choice((f"u{name}", f"u{name}", "", "gone")) for name in names]
        pairs = zip(names, uids, strict=True)
        return [owner(f"j{name}", uid, controller=random_.random() < 0.5) for name, uid in pairs]

    found = [made("Job", f"j{i}", random_.choice((f"u{i}", f"u{i}", "")), *owners()) for i in range(jobs)]
    return found + [made("Workload", f"w{i}", f"w{i}", *owners()) for i in range(few)]


@pytest.mark.parametrize("seed", range(20))
def test_each_has_workloads_whether_it_is_asked_alone_or_after_others(seed: int) -> None:
    random_ = random.Random(seed)
    for _ in range(40):
        manifests = by_chance(random_)
        family = Family(manifests)
        keys = [each.key for each in manifests if not is_workload(each.key)]
        random_.shuffle(keys)
        for key in keys:
            kin, alone = family.kin(key), Family(manifests)
            assert kin is not None
            assert family.has_workloads(kin) == bool(alone.workloads(kin)), [m.data for m in manifests]


@pytest.mark.parametrize("uid", ["", "u{}"])
def test_no_ring_of_owners_is_gone_round_for_each_of_its_jobs(monkeypatch: pytest.MonkeyPatch, uid: str) -> None:
    above = [(i + 1) % RING for i in range(RING)]
    owners = [owner(f"j{i}", uid.format(i), controller=True) for i in above]
    ring = [made("Job", f"j{i}", f"u{i}", owners[i]) for i in range(RING)]
    looks = [0]
    direct = Family._direct

    def counted(family: Family, of: Kin) -> tuple[ObjectKey, ...]:
        looks[0] += 1
        return direct(family, of)

    monkeypatch.setattr(Family, "_direct", counted)
    family = Family(ring)
    for each in ring:
        kin = family.kin(each.key)
        assert kin is not None
        assert not family.has_workloads(kin)
    assert looks[0] < STEPS * RING
