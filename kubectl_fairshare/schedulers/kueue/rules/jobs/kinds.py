"""The kinds of jobs that Kueue manages, and the place of their labels."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, NamedTuple, TypeVar

from kubectl_fairshare.jobs.fields import Field, root_of
from kubectl_fairshare.jobs.kinds import POD_MAKERS
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.json import Json, mapping, rows
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.schedulers.kueue.jobs.management import managing
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP
from kubectl_fairshare.schedulers.kueue.rules.configuration.settings import view
from kubectl_fairshare.schedulers.kueue.rules.given import KueueGiven

T = TypeVar("T")
QUEUE_NAME: Final = f"{GROUP}/queue-name"
_CRON_JOB: Final = ("batch", "CronJob")
_FRAMEWORKS: Final[Mapping[tuple[str, str], str]] = {
    ("", "Pod"): "pod",
    **{each.name: each.framework for each in POD_MAKERS if each.framework},
}


class ReadJob(NamedTuple):
    """A job of the input: its ``framework``, and the path to the object inside it that Kueue reads."""

    manifest: Manifest
    framework: str
    carrier: tuple[str, ...]

    @property
    def root(self) -> Field:
        """The object that Kueue reads."""
        return root_of(self.manifest).at(*self.carrier)

    @property
    def labels(self) -> Mapping[str, Json]:
        """The labels that Kueue reads."""
        return mapping(self.manifest.data, *self.carrier, "metadata", "labels")

    @property
    def annotations(self) -> Mapping[str, Json]:
        """The annotations that Kueue reads."""
        return mapping(self.manifest.data, *self.carrier, "metadata", "annotations")

    @property
    def spec(self) -> Mapping[str, Json]:
        """The job's own spec."""
        return mapping(self.manifest.data, *self.carrier, "spec")

    @property
    def title(self) -> str:
        """The job's name in messages."""
        key = self.manifest.key
        return f"{key.kind} `{key.namespace}/{key.name}`"

    def at(self, *path: str | int) -> Place:
        """A place in the object that Kueue reads."""
        return Place(self.manifest.key, (*self.carrier, *path))

    def label(self, name: str) -> Place:
        """The place of a label."""
        return self.at("metadata", "labels", name)

    def annotation(self, name: str) -> Place:
        """The place of an annotation."""
        return self.at("metadata", "annotations", name)


def jobs(given: KueueGiven) -> Iterator[ReadJob]:
    """The jobs of the input that no other object controls, by key."""
    for key in sorted(_FRAMEWORKS):
        for manifest in given.manifests(key[1], key[0]):
            owners = rows(manifest.data, "metadata", "ownerReferences")
            if not any(owner.get("controller") is True for owner in owners):
                carrier = ("spec", "jobTemplate") if key == _CRON_JOB else ()
                yield ReadJob(manifest, _FRAMEWORKS[key], carrier)


def is_enabled(given: KueueGiven, framework: str) -> bool | None:
    """Whether the manager's Configuration enables the framework; None if unknown."""
    own, settings = managing(framework, given.release), view(given)
    if not own:
        return False
    return None if settings is None or not given.configured else own in settings["integrations"]["frameworks"]


def new_jobs(given: KueueGiven) -> Iterator[ReadJob]:
    """The jobs that Kueue's webhook would check on creation: only those that no server has stored yet."""
    for job in jobs(given):
        managed = given.context.manages_namespace(job.manifest.key.namespace)
        if not job.manifest.stored and managed and is_enabled(given, job.framework) is not False:
            yield job


def in_new_jobs(given: KueueGiven, read: Callable[[ReadJob, KueueGiven], Iterable[T]]) -> Iterator[tuple[ReadJob, T]]:
    """What ``read`` finds in each of the new jobs; nothing in one with a field that it cannot read."""
    for job in new_jobs(given):
        try:
            found = [*read(job, given)]
        except FairshareError:
            continue
        yield from ((job, each) for each in found)
