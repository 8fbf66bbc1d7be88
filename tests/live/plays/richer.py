"""Organisations with more of what a real Kueue can do: machines of two kinds, pods that are counted, checks, FIFO."""

from collections.abc import Iterator
from typing import Final

from tests.live.stage.organisation import Organisation
from tests.live.stage.server import Object

CONTROLLER: Final = "live.fairshare.dev/check"
_FAST: Final = {"live.fairshare.dev/fast": "yes"}
_TAINT: Final = {"key": "live.fairshare.dev/spot", "value": "yes", "effect": "NoSchedule"}


class RicherOrganisation(Organisation):
    """One tree of cohorts, perhaps below one that nobody declared.

    Perhaps the second flavor has a label, the first a taint; perhaps memory has flavors of its own, pods are counted,
    or a check has to pass.
    """

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        chance = self.chance
        self.cohorts = [f"{self.prefix}-c{i}" for i in range(chance.choice([1, 2, 3, 4]))]
        self.below = f"{self.prefix}-undeclared" if chance.random() < 0.2 else None
        self.counted = chance.random() < 0.2
        self.apart = [f"{self.prefix}-m{i}" for i in range(chance.choice([1, 2]))] if chance.random() < 0.25 else []
        self.labelled, self.tainted = chance.random() < 0.4, chance.random() < 0.3
        self.check = f"{self.prefix}-check" if chance.random() < 0.25 else None

    @property
    def root(self) -> str:
        """The cohort above all others."""
        return self.below or self.cohorts[0]

    def objects(self) -> Iterator[tuple[str, Object]]:
        """What to create, in order: the plural of the kind and the object."""
        if self.check is not None:
            yield "admissionchecks", self._object("AdmissionCheck", self.check, {"controllerName": CONTROLLER})
        for name in self.apart:
            yield "resourceflavors", self._object("ResourceFlavor", name, {})
        for plural, body in super().objects():
            name, spec = body["metadata"]["name"], body["spec"]
            if plural == "resourceflavors":
                spec |= self._machine(name)
            if plural == "cohorts" and self.below is not None and "parentName" not in spec:
                spec["parentName"] = self.below
            yield plural, body

    def _machine(self, name: str) -> Object:
        """What tells the machines of a flavor apart."""
        found: Object = {}
        if self.labelled and name == self.flavors[-1]:
            found["nodeLabels"] = _FAST
        if self.tainted and name == self.flavors[0]:
            found["nodeTaints"] = [_TAINT]
        return found

    def _groups(self, *, limits: bool, most: int) -> list[Object]:
        (group,) = super()._groups(limits=limits, most=most)
        if self.counted:
            group["coveredResources"].append("pods")
            for flavor in group["flavors"]:
                flavor["resources"].append({"name": "pods", "nominalQuota": str(self.chance.randint(0, 2 * most))})
        if not self.apart:
            return [group]
        return [self._part(group, "memory", keeps=False), self._part(group, "memory", keeps=True)]

    def _part(self, group: Object, apart: str, *, keeps: bool) -> Object:
        """The group of one resource, in flavors of its own, or that of all the others."""
        flavors = [
            {
                "name": self.apart[i] if keeps else flavor["name"],
                "resources": [r for r in flavor["resources"] if (r["name"] == apart) is keeps],
            }
            for i, flavor in enumerate(group["flavors"][: len(self.apart)] if keeps else group["flavors"])
        ]
        return {"coveredResources": [r for r in group["coveredResources"] if (r == apart) is keeps], "flavors": flavors}

    def _queue_spec(self) -> Object:
        spec, chance = super()._queue_spec(), self.chance
        if chance.random() < 0.35:
            spec["queueingStrategy"] = "StrictFIFO"
        if (within := spec["preemption"].get("borrowWithinCohort")) is not None and chance.random() < 0.5:
            within["maxPriorityThreshold"] = chance.choice([-10, 0, 50])
        if "flavorFungibility" in spec and chance.random() < 0.5:
            preference = chance.choice(["BorrowingOverPreemption", "PreemptionOverBorrowing"])
            both = dict.fromkeys(("whenCanBorrow", "whenCanPreempt"), "TryNextFlavor")
            spec["flavorFungibility"] = {**both, "preference": preference}
        if self.check is not None and chance.random() < 0.6:
            use: Object = {"name": self.check}
            if chance.random() < 0.5:
                use["onFlavors"] = [self.flavors[-1]]
            spec["admissionChecksStrategy"] = {"admissionChecks": [use]}
        return spec

    def job(self, number: int) -> Object:
        """A Job to submit."""
        job = super().job(number)
        pod = job["spec"]["template"]["spec"]
        if self.labelled and self.chance.random() < 0.3:
            pod["nodeSelector"] = _FAST if self.chance.random() < 0.7 else {next(iter(_FAST)): "no"}
        if self.tainted and self.chance.random() < 0.6:
            pod["tolerations"] = [{"key": _TAINT["key"], "operator": "Exists"}]
        return job
