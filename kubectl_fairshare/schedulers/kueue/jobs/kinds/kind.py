"""How a kind of job is read: its name for Kueue, and the pod templates that become pod sets."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple, TypeAlias

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.jobs.kinds import BY_NAME
from kubectl_fairshare.jobs.request_parts import Additions
from kubectl_fairshare.model.errors import FairshareError, Problem
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.values import Value, field
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP
from kubectl_fairshare.schedulers.kueue.release import DEFAULT, KueueRelease

MAIN: Final = "main"
_GROUPING: Final = (f"{GROUP}/podset-required-topology", f"{GROUP}/podset-preferred-topology")


class PodTemplate(Value, frozen=True):
    """``count`` pods of one pod ``spec``.

    ``labels`` and ``annotations`` are the template's own; ``topology`` is what a Workload requests instead of them.
    ``additions`` say where containers and amounts come from that the manifest does not write in its pods.
    """

    name: str
    count: int
    spec: Field
    annotations: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, Json] = field(default_factory=dict)
    min_count: int | None = None
    reclaimable: int = 0
    group: str | None = None
    topology: Mapping[str, object] = field(default_factory=dict)
    additions: Additions = field(default_factory=dict)


class Known(NamedTuple):
    """What else decides about a job's pods: whether a server has stored it, the training runtimes, the release."""

    stored: bool = False
    runtimes: Mapping[ObjectKey, Field] = {}
    release: KueueRelease = DEFAULT


class RejectedError(FairshareError):
    """Raised for a new job that Kueue's webhook rejects, of which lint has rules of its own."""


class RuntimeMissingError(Exception):
    """The job names a training runtime at ``named_at`` that is not there: its pods are not known."""

    def __init__(self, runtime: ObjectKey, named_at: Place) -> None:
        super().__init__(str(runtime))
        self.runtime = runtime
        self.named_at = named_at


class ExistingClusterError(Exception):
    """The job runs in a cluster that exists, which it chooses at ``chosen_at``: it has no pods of its own."""

    def __init__(self, chosen_at: Place) -> None:
        super().__init__(str(chosen_at))
        self.chosen_at = chosen_at


def _nothing(_: Field, __: bool, ___: KueueRelease) -> Iterator[Problem]:
    return iter(())


Templates: TypeAlias = Callable[[Field, Known], tuple[PodTemplate, ...]]


class JobKind(Value, frozen=True):
    """How a kind is read.

    ``framework`` is Kueue's name for the integration, ``carrier`` leads to the object that becomes the
    job (the template of a CronJob), ``templates`` reads its pod templates. ``native``: amounts get the defaults of
    Kubernetes' own kinds. ``of_pods``: Kueue takes its pods one by one, with the API server's defaults.
    ``named`` is what Kueue appends to the job's name for the first Workload. ``priority_class`` leads to a
    PriorityClass that counts before that of the pods. ``rejections`` are what a release's webhook rejects in a new
    job that Kueue manages, which is elastic or not, besides labels and annotations.
    """

    group: str
    version: str
    kind: str
    framework: str
    templates: Templates
    native: bool = True
    carrier: tuple[str, ...] = ()
    of_pods: bool = False
    named: str = ""
    priority_class: tuple[str, ...] = ()
    rejections: Callable[[Field, bool, KueueRelease], Iterator[Problem]] = _nothing

    def __str__(self) -> str:
        return f"{self.kind} ({self.group}/{self.version})" if self.group else f"{self.kind} ({self.version})"


def named(group: str, kind: str) -> tuple[str, str, str, str]:
    """Group, version, kind and framework of a kind: what all readers of it share."""
    row = BY_NAME[group, kind]
    return row.group, row.version, row.kind, row.framework


def pod_template(name: str, count: int, template: Field, min_count: int | None = None) -> PodTemplate:
    """A pod set of ``count`` pods made of a pod template, with the pod sets that it is tied to."""
    metadata = template.at("metadata")
    annotations, labels = metadata.at("annotations").texts(), metadata.at("labels").mapping()
    return PodTemplate(name, count, template.at("spec"), annotations, labels, min_count, group=group_of(annotations))


def group_of(annotations: Mapping[str, str]) -> str | None:
    """The group of pod sets in the annotations of a pod template; None without one."""
    together = any(name in annotations for name in _GROUPING)
    return annotations.get(f"{GROUP}/podset-group-name") if together else None
