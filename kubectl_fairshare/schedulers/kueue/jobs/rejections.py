"""What Kueue's webhooks reject in a new job that it manages, besides what concerns its pods.

Source: Kueue v0.19, the checks of jobs on creation.
Tested in ``tests/unit/schedulers/kueue/jobs/test_job_scenarios.py``.
"""

import re
from collections.abc import Iterator
from typing import Final

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.model.errors import Problem
from kubectl_fairshare.schedulers.kueue.jobs.kinds.kind import JobKind
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP

MOST_SECONDS: Final = f"{GROUP}/max-exec-time-seconds"
EQUAL: Final = f"{GROUP}/job-completions-equal-parallelism"
_SERVING: Final = frozenset({"deployment", "statefulset", "leaderworkerset.x-k8s.io/leaderworkerset"})
_ABOVE_ZERO: Final = re.compile(r"\+?0*[1-9][0-9]*")
_TRUE: Final = frozenset({"1", "t", "T", "true", "TRUE", "True"})
_FALSE: Final = frozenset({"0", "f", "F", "false", "FALSE", "False"})


def rejections(job: Field, kind: JobKind) -> Iterator[Problem]:
    """The problems for which the webhook rejects the job."""
    seconds = job.at("metadata", "labels").at(MOST_SECONDS)
    if seconds.value is not None and kind.framework not in _SERVING and not _ABOVE_ZERO.fullmatch(seconds.text()):
        message = f"`{seconds.text()}` is not a number of seconds above 0: Kueue's webhook rejects it"
        yield Problem(message, seconds.place, "write whole seconds, in quotes")
    if kind.framework == "batch/job":
        yield from _unequal(job)
    yield from kind.rejections(job)


def _unequal(job: Field) -> Iterator[Problem]:
    """The mistakes of a Job whose completions follow its parallelism."""
    equal, spec = job.at("metadata", "annotations").at(EQUAL), job.at("spec")
    if equal.value is not None and equal.text() not in _TRUE | _FALSE:
        message = f"`{equal.text()}` is neither true nor false: Kueue's webhook rejects it"
        yield Problem(message, equal.place, "write `true`")
    if equal.text() not in _TRUE:
        return
    if spec.at("completionMode").text("NonIndexed") == "NonIndexed":
        message = "completions follow parallelism only in Indexed jobs: Kueue's webhook rejects it"
        yield Problem(message, equal.place, "write `completionMode: Indexed`, or remove the annotation")
    parallelism, completions = (spec.at(name).natural(1) for name in ("parallelism", "completions"))
    if parallelism != completions:
        message = f"completions, {completions}, do not equal parallelism, {parallelism}: Kueue's webhook rejects it"
        yield Problem(message, equal.place, f"write `completions: {parallelism}`")
