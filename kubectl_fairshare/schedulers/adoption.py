"""The work of a snapshot as a replay takes it over: what runs, what waits, and what is known of how long it runs.

Moments are nanoseconds since the epoch, spans nanoseconds.
Tested in ``tests/unit/policy/forecast/test_plays.py``.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from kubectl_fairshare.answers.answer import Maker
from kubectl_fairshare.answers.fidelity import FURTHER_PODS, Gap
from kubectl_fairshare.jobs.stated_limits import StatedLimit
from kubectl_fairshare.model.job_trace import TracedJob
from kubectl_fairshare.model.json import inside
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.values import Value, field, replace
from kubectl_fairshare.schedulers.replay import ReplayTerms, SchedulerReplay
from kubectl_fairshare.schedulers.subjects import Subjects


class StandingJob(Value, frozen=True):
    """A job of the snapshot that runs or waits. ``job`` is what it asks for; its duration is not known here.

    ``keys`` are the objects by which people name it, the first for screens. ``units`` start and stop as one each;
    ``since`` has the moment of the start of those that run. ``queue`` is the scheduler's, empty where none takes it,
    and ``refused`` why it is not considered. Queues of one ``group`` share quota. ``owner`` makes such jobs again and
    again, empty where nothing does. ``limits`` are those that its objects state. ``lasting``: it runs until someone
    deletes it, as it is made again whenever it ends.
    """

    job: TracedJob
    keys: tuple[ObjectKey, ...]
    units: tuple[str, ...]
    queue: str
    group: str
    since: Mapping[str, int] = field(default_factory=dict)
    refused: str = ""
    owner: str = ""
    limits: tuple[StatedLimit, ...] = ()
    lasting: bool = False

    @property
    def runs(self) -> bool:
        """Whether all of it runs."""
        return len(self.since) == len(self.units)


class WorkChange(NamedTuple):
    """A change that may bring a job forward, in a clause, who can make it, and the work with it."""

    change: str
    maker: Maker
    work: "Callable[[], Adoption]"


def _no_changes(job: str) -> Iterable[WorkChange]:  # noqa: ARG001 -- of no job
    """No changes."""
    return ()


class Adoption(Value, frozen=True):
    """The work of one snapshot, read once, for any number of replays.

    ``replay`` makes one that has taken over all of it. ``owners`` are those of jobs of the snapshot, finished ones
    too, by ``namespace/name``. ``gaps`` are what the snapshot leaves in doubt, ``subjects`` what a name may mean.
    ``changes`` may bring a job that waits forward, by its ``namespace/name``: the most promising first, a few at most.
    """

    jobs: tuple[StandingJob, ...]
    replay: Callable[[ReplayTerms], SchedulerReplay]
    subjects: Subjects
    owners: Mapping[str, str] = field(default_factory=dict)
    gaps: tuple[Gap, ...] = ()
    changes: Callable[[str], Iterable[WorkChange]] = _no_changes


def names_of_job(standing: StandingJob) -> Iterator[str]:
    """The names by which options mean a job: ``name``, ``namespace/name`` and ``kind/name`` of each of its objects."""
    for key in standing.keys:
        yield from (key.name, f"{key.namespace}/{key.name}", f"{key.kind.lower()}/{key.name}")


def distinct(jobs: Iterable[StandingJob]) -> Iterator[StandingJob]:
    """The jobs, each with a name of its own: a Job and a pod may have the same."""
    seen: set[str] = set()
    for each in jobs:
        key, taken = each.keys[0], each.job.key in seen
        found = replace(each, job=replace(each.job, name=f"{key.name} ({key.kind})")) if taken else each
        seen.add(found.job.key)
        yield found


def further_pods(pods: Mapping[ObjectKey, int], manifests: Mapping[ObjectKey, Manifest]) -> Iterator[Gap]:
    """The gaps of Jobs that make further pods once some of theirs have ended; ``pods`` counts those that have not."""
    for key, there in pods.items():
        data = manifests[key].data if key.kind == "Job" and key in manifests else {}
        wanted, done = inside(data, "spec", "completions"), inside(data, "status", "succeeded")
        if isinstance(wanted, int) and wanted - (done if isinstance(done, int) else 0) > there:
            yield Gap(FURTHER_PODS, (Place(key, ("spec", "completions")),), touches=True, subject=str(key))
