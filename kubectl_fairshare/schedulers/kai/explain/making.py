"""Whether a job makes its pods now, who makes them, and the classes that they need."""

from collections.abc import Iterator
from typing import NamedTuple

from kubectl_fairshare.answers.fidelity import OTHER_CONTROLLER, Gap
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.jobs.fields import Field, root_of
from kubectl_fairshare.jobs.pod_classes import missing_class_gaps
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.schedulers.kai.explain.asking import new_pods
from kubectl_fairshare.schedulers.kai.jobs.groups import Submission
from kubectl_fairshare.schedulers.kai.jobs.kinds.starting import foreign_manager, is_scaled_down, is_suspended
from kubectl_fairshare.schedulers.kai.model.objects import KaiState
from kubectl_fairshare.schedulers.pod_making import RESUMED, SCALED, controller_gaps, supposed


class JobMaking(NamedTuple):
    """What has to happen to a job before it makes pods, empty if nothing has to; what of its pods is not known."""

    condition: str = ""
    gaps: tuple[Gap, ...] = ()


def job_making(snapshot: Snapshot, job: Submission, given: Reading | None) -> JobMaking:
    """How the pods of a job come to be. Without ``given`` manifests, options describe the job.

    Raises ``FairshareError`` for a field of another type.
    """
    if given is None:
        return JobMaking()
    state = snapshot.part(KaiState)
    new = [(pod.key, pod.raw.get("spec") or {}) for pod in new_pods(job, snapshot)]
    classes = missing_class_gaps(new, state.around, state.unread, snapshot.excludes)
    maker = next((each for each in given.manifests if each.key == job.source), None)
    if maker is None:
        return JobMaking("", classes)
    condition = condition_of(maker)
    return JobMaking(condition if job.pods else "", (*controller_gaps(maker), *_manager_gaps(root_of(maker)), *classes))


def condition_of(maker: Manifest) -> str:
    """What has to happen to a job of any API group before it makes pods, empty if nothing has to.

    Raises ``FairshareError`` for a field of another type.
    """
    root = root_of(maker)
    if condition := supposed(maker):
        return condition
    if is_suspended(root):
        return RESUMED
    return SCALED if is_scaled_down(root) else ""


def _manager_gaps(root: Field) -> Iterator[Gap]:
    manager = foreign_manager(root)
    if manager is not None:
        yield Gap(OTHER_CONTROLLER, (manager.place,), touches=True, subject=manager.text())
