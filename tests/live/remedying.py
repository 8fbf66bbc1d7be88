"""Remedies, as printed, laid hands on: the change itself, or one unit less of it, made in a living cluster."""

import copy
import re
from dataclasses import dataclass
from typing import Final

from tests.live.kueue import KUEUE
from tests.live.organisation import API
from tests.live.server import Api, ApiError, Object
from tests.live.world import Happened

IN_QUOTA: Final = ("nominalQuota", "borrowingLimit", "lendingLimit")
IN_JOB: Final = ("count", "request", "priority")
_POLICIES: Final = ("withinClusterQueue", "reclaimWithinCohort", "borrowWithinCohort")
_PLURALS: Final = {
    "ClusterQueue": "clusterqueues",
    "Cohort": "cohorts",
    "LocalQueue": "localqueues",
    "Workload": "workloads",
    "Job": "jobs",
}
_LABEL: Final = "kueue.x-k8s.io/"


@dataclass(frozen=True)
class Remedy:
    """A remedy from a document of ``plan`` or ``why``."""

    part: Object

    @property
    def kind(self) -> str:
        """What it changes; a quota is told with the kind of its object."""
        change = str(self.part["change"])
        return f"{change} of {self.part['object'].split()[0]}" if self.part["object"] else change

    @property
    def in_job(self) -> bool:
        return self.part["change"] in IN_JOB

    def amount(self, *, less: bool) -> int | float:
        """What it raises or lowers to; or, one unit ``less`` of that: a milli-cpu, a byte, a pod, a tenth of weight."""
        after = self.part["after"]
        if not less:
            return after  # type: ignore[no-any-return]
        step = 0.1 if self.part["change"] == "weight" else 1
        return after + step if self.part["after"] < self.part["before"] else after - step  # type: ignore[no-any-return]

    def is_change(self, *, less: bool) -> bool:
        """Whether anything changes by it."""
        return bool(abs(self.amount(less=less) - self.part["before"]) > 0.05)

    def written(self, *, less: bool) -> str:
        """The amount as a manifest writes it."""
        amount = self.amount(less=less)
        if self.part["change"] in _POLICIES:
            return str(self.part["beforeQuantity" if less else "afterQuantity"])
        if self.part["change"] == "weight":
            return f"{round(amount * 1000)}m"
        return f"{amount}m" if self.part["resource"] == "cpu" else str(amount)

    def job(self, api: Api, job: Object, *, less: bool = False) -> Object:
        """The Job under another name, changed as the remedy tells."""
        made = copy.deepcopy(job)
        made["metadata"]["name"] += "-less" if less else "-more"
        if not self.is_change(less=less):
            return made
        if self.part["change"] == "count":
            made["metadata"].pop("annotations", None)
            made["spec"] |= {"parallelism": self.amount(less=less), "completions": self.amount(less=less)}
        elif self.part["change"] == "request":
            requests = made["spec"]["template"]["spec"]["containers"][0]["resources"]["requests"]
            requests[self.part["resource"]] = self.written(less=less)
        else:
            named = None if less else self.part.get("by class")
            named = named or _priority_class(api, int(self.amount(less=less)))
            made["metadata"]["labels"][f"{_LABEL}priority-class"] = named
        return made

    def by_class(self) -> "Remedy":
        """The same with the class that is named as enough: nothing is told of how many have to leave then."""
        return Remedy({**self.part, "by class": self.part["priorityClass"], "victims": None})

    def apply(self, api: Api, *, less: bool = False) -> None:
        """Patches the object that the remedy names."""
        if self.is_change(less=less):
            _set(api, self.part["place"], self.written(less=less))

    def take_back(self, api: Api) -> None:
        """Undoes what was patched: then some hold more than is theirs."""
        if not self.in_job:
            Remedy({**self.part, "after": self.part["before"], "before": self.part["after"]}).apply(api)

    def is_met(self, happened: Happened, job: Object) -> bool:
        """Whether as much was reached as was told: that the Job gets in; or with all its pods, and nobody leaves."""
        if self.part["change"] in ("weight", "priority", *_POLICIES):
            return happened.flavors is not None or bool(happened.victims)
        return happened.counts.get("main") == job["spec"]["parallelism"] and not happened.victims

    def came_true(self, happened: Happened) -> bool:
        """Whether the Job got in as told, after as many preemptions as told."""
        as_many = self.part["victims"] in (None, len(happened.victims))
        return as_many and (happened.flavors is not None or (bool(happened.victims) and happened.contended))


def _priority_class(api: Api, value: int) -> str:
    """A WorkloadPriorityClass of that value."""
    name = f"value{value}".replace("-", "minus")
    body = {"apiVersion": API, "kind": "WorkloadPriorityClass", "metadata": {"name": name}, "value": value}
    try:
        api.create(f"{KUEUE}/workloadpriorityclasses", body)
    except ApiError as error:
        if error.status != 409:
            raise
    return name


def lift(api: Api, part: Object) -> None:
    """Makes the change of one of the ``lifts`` of ``why``."""
    _set(api, part["place"], {"true": True}.get(part["after"], part["after"]))


def _set(api: Api, place: Object, value: object) -> None:
    """Writes one field of one object: ``place`` is where a document cites it."""
    kind, _, name = place["object"].partition(" ")
    namespace, _, name = name.rpartition("/")
    group = "/apis/batch/v1" if kind == "Job" else KUEUE
    path = f"{group}/{f'namespaces/{namespace}/' if namespace else ''}{_PLURALS[kind]}/{name}"
    parts = re.findall(r"\[\"?([^\"\]]+)\"?\]|([^.\[\]]+)", place["field"])
    names = [bracketed or plain for bracketed, plain in parts]
    if not any(part.isdigit() for part in names):
        body: object = value
        for part in reversed(names):
            body = {part: body}
        api.merge(path, dict(body))  # type: ignore[call-overload]
        return
    pointer = "/".join(part.replace("~", "~0").replace("/", "~1") for part in names)
    api.edit(path, [{"op": "add", "path": f"/{pointer}", "value": value}])
