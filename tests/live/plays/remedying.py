"""Remedies, as printed, laid hands on: the change itself, or one unit less of it, made in a living cluster."""

import copy
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tests.changes import plain
from tests.live.plays.playing import ADMITTED, Play, submit
from tests.live.stage.asking import planned
from tests.live.stage.kueue import KUEUE
from tests.live.stage.organisation import API
from tests.live.stage.server import Api, ApiError, Object
from tests.live.stage.world import Happened, World

IN_QUOTA: Final = ("nominalQuota", "borrowingLimit", "lendingLimit")
IN_JOB: Final = (
    "count",
    "minimum",
    "request",
    "priority",
    "toleration",
    "nodeSelector",
    "topologyLevel",
    "podSetSliceSize",
)
BY_TOPOLOGY: Final = ("topologyLevel", "podSetSliceSize", "unschedulable", "end")
"""What is changed where pods lack a place."""
_MATCHING: Final = ("toleration", "nodeSelector", "topologyLevel", "podSetSliceSize")
"""What is told in words, not as an amount: there is no unit less of it."""
_POLICIES: Final = ("withinClusterQueue", "reclaimWithinCohort", "borrowWithinCohort")
_PLURALS: Final = {
    "ClusterQueue": "clusterqueues",
    "Cohort": "cohorts",
    "LocalQueue": "localqueues",
    "Workload": "workloads",
    "Job": "jobs",
    "Node": "nodes",
}
_GROUPS: Final = {"Job": "/apis/batch/v1", "Node": "/api/v1"}
_LABEL: Final = "kueue.x-k8s.io/"


@dataclass(frozen=True)
class Remedy:
    """A remedy from a document of ``plan`` or ``why``."""

    part: Object

    @property
    def kind(self) -> str:
        """What it changes; a quota is told with the kind of its object."""
        change = str(self.part["change"])
        named = f"{change} of {self.part['object'].split()[0]}" if self.part["object"] else change
        return f"{named} and {len(self.part['also'])} more" if self.part["also"] else named

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
        if self.part["change"] in _MATCHING:
            return not less
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
        template = made["spec"]["template"]
        if self.part["change"] in _MATCHING:
            self._match(template)
        elif self.part["change"] == "count":
            made["metadata"].pop("annotations", None)
            made["spec"] |= {"parallelism": self.amount(less=less), "completions": self.amount(less=less)}
        elif self.part["change"] == "minimum":
            made["metadata"].setdefault("annotations", {})[f"{_LABEL}job-min-parallelism"] = str(self.amount(less=less))
        elif self.part["change"] == "request":
            requests = template["spec"]["containers"][0]["resources"]["requests"]
            requests[self.part["resource"]] = self.written(less=less)
        else:
            named = None if less else self.part.get("by class")
            named = named or _priority_class(api, int(self.amount(less=less)))
            made["metadata"]["labels"][f"{_LABEL}priority-class"] = named
        return made

    def _match(self, template: Object) -> None:
        """Changes what the pods tolerate, select, or ask of the topology."""
        change, words, pod = self.part["change"], self.part["afterQuantity"], template["spec"]
        annotations = template.setdefault("metadata", {}).setdefault("annotations", {})
        if change == "toleration":
            pod["tolerations"] = [*pod.get("tolerations", ()), *map(_toleration, words.split(", "))]
        elif change == "nodeSelector":
            pod["nodeSelector"] = {**pod.get("nodeSelector", {}), **dict(each.split("=") for each in words.split(", "))}
        elif change == "podSetSliceSize":
            annotations[f"{_LABEL}podset-slice-size"] = str(self.part["after"])
        else:
            kind, _, level = words.partition(" ")
            for each in ("required", "preferred", "unconstrained"):
                annotations.pop(f"{_LABEL}podset-{each}-topology", None)
            annotations[f"{_LABEL}podset-{kind}-topology"] = level or "true"

    def by_class(self) -> "Remedy":
        """The same with the class that is named as enough: nothing is told of how many have to leave then."""
        return Remedy({**self.part, "by class": self.part["priorityClass"], "victims": None})

    def apply(self, api: Api, *, less: bool = False) -> None:
        """Patches each object that the remedy names; ``less`` is one unit less of the first change alone."""
        if not self.is_change(less=less) and not self.part["also"]:
            return
        if self.part["change"] == "end":
            _end(api, self.part["object"])
        elif self.part["change"] == "unschedulable":
            _set(api, self.part["place"], True if self.part["after"] else None)
        else:
            _set(api, self.part["place"], self.written(less=less))
        for further in self.part["also"]:
            _set(api, further["place"], further["afterQuantity"])

    def take_back(self, api: Api) -> None:
        """Undoes what was patched: then some hold more than is theirs."""
        if not self.in_job and self.part["change"] != "end":
            further = [{**each, "afterQuantity": each["beforeQuantity"]} for each in self.part["also"]]
            swapped = {"after": self.part["before"], "before": self.part["after"], "also": further}
            Remedy({**self.part, **swapped}).apply(api)

    def is_met(self, happened: Happened, job: Object) -> bool:
        """Whether as much was reached as was told: that the Job gets in; or with all its pods, and nobody leaves."""
        if self.part["change"] in ("weight", "priority", *_POLICIES):
            return happened.flavors is not None or bool(happened.victims)
        return happened.counts.get("main") == job["spec"]["parallelism"] and not happened.victims

    def came_true(self, happened: Happened) -> bool:
        """Whether the Job got in as told, after as many preemptions as told."""
        as_many = self.part["victims"] in (None, len(happened.victims))
        return as_many and (happened.flavors is not None or (bool(happened.victims) and happened.contended))


def _toleration(text: str) -> Object:
    """A toleration for the taint that is written as ``key=value:Effect``."""
    pair, _, effect = text.rpartition(":")
    key, _, value = pair.partition("=")
    return {"key": key, "operator": "Equal", "value": value, "effect": effect}


def _end(api: Api, workload: str) -> None:
    """Takes away the Job behind a workload."""
    namespace, _, name = workload.partition(" ")[2].rpartition("/")
    owner = api.get(f"{KUEUE}/namespaces/{namespace}/workloads/{name}")["metadata"]["ownerReferences"][0]["name"]
    api.delete(f"/apis/batch/v1/namespaces/{namespace}/jobs/{owner}?propagationPolicy=Background")
    path = f"{KUEUE}/namespaces/{namespace}/workloads/{name}"
    api.merge(path, {"metadata": {"finalizers": None}})
    api.delete(path)


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
    group = _GROUPS.get(kind, KUEUE)
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


def note_remedy(play: Play, world: World, given: bytes) -> None:
    """Applies the rarest remedy that is printed for one of a few Jobs."""
    jobs = [world.made.job(10 * play.number + i) for i in range(4)]
    plans = [planned(play.folder, given, job) for job in jobs]
    spoken = [
        i for i, plan in enumerate(plans) if plan["condition"]["message"]
    ]  # else Kueue writes nothing to wait for
    printed = [(Remedy(plain(part)), i) for i in spoken for part in plans[i]["remedies"]]
    if printed:
        remedy, i = min(printed, key=lambda told: play.tally[told[0].kind])
        play.tally[remedy.kind] += 1
        if remedy.part["priorityClass"] and play.tally["priority"] % 3 == 0:
            play.tally["priority class"] += 1
            remedy = remedy.by_class()
        play.note(given, remedied(world, jobs[i], remedy, plans[i], play.tally), plans[i]["outcome"])
    else:
        play.tally["no remedy"] += 1
        submit(play, world, given, jobs[0], plans[0])


def remedied(world: World, job: Object, remedy: Remedy, plan: Object, tally: Counter[str]) -> Iterator[str]:
    """Applies one unit less than the remedy says, and then all of it."""
    changed = remedy.job(world.api, job) if remedy.in_job else job
    nearly = remedy.job(world.api, job, less=True) if remedy.in_job else job
    waits = plan["outcome"] not in ADMITTED
    if waits:
        if not remedy.in_job:
            remedy.apply(world.api, less=True)
        happened = world.submit(nearly, admitted=False)
        tally["one unit less"] += 1
        if remedy.is_met(happened, nearly):
            yield f"one unit less than {remedy} does too: {happened}"
        if happened.victims or happened.flavors is not None:
            tally["one unit less: fewer pods, or victims"] += 1
            remedy.take_back(world.api)
            return
    if waits and not remedy.in_job:
        remedy.apply(world.api)
    else:
        world.forget_who_waits()
        if not remedy.in_job:
            remedy.apply(world.api)
        world.create(changed)
    happened = world.happened(changed["metadata"]["name"], admitted=True)
    tally[f"then {remedy.part['outcome']}"] += 1
    if not remedy.came_true(happened):
        yield f"{remedy} was to do, but {happened}"
    remedy.take_back(world.api)
