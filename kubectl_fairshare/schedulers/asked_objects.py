"""The objects that ``plan`` is asked about: each is read, makes no workload, or is refused.

An object that is refused hides no answer about the others: it is left out, and reported. Tested in ``tests/strangers``.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, TypeVar

from kubectl_fairshare.model.errors import FairshareError, NoWorkloadError, Problem, UnsupportedKindError, UsageError
from kubectl_fairshare.model.location import Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.phrases import counted_kinds
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.question import PlanQuestion
from kubectl_fairshare.schedulers.scheduler import Scheduler

if TYPE_CHECKING:
    from kubectl_fairshare.answers.answer import Answer
    from kubectl_fairshare.answers.details import PlanDetail

MOST_REFUSALS: Final = 3
"""So many objects without a workload are reported one by one."""
_REMEDY: Final = "fix the field, then ask again"
T = TypeVar("T")


def read_each(
    manifests: Iterable[Manifest], read: Callable[[Manifest], T], skipping: str, problems: Iterable[Problem] = ()
) -> tuple[list[T], tuple[Problem, ...]]:
    """What ``read`` makes of each object, in order, and notes on those that make no workload.

    ``skipping`` says why objects of other kinds are skipped. Raises ``FairshareError`` with ``problems`` and every
    object that cannot be read, ``NoWorkloadError`` if no object makes a workload.
    """
    found: list[T] = []
    without: list[tuple[Manifest, NoWorkloadError]] = []
    unread = [*problems]
    for manifest in manifests:
        try:
            found.append(read(manifest))
        except NoWorkloadError as error:
            without.append((manifest, error))
        except FairshareError as error:
            unread += error.problems
    refusals = [*_refusals(without)] if without and not found else []
    if unread:
        raise FairshareError(*unread, *refusals)
    if refusals:
        raise NoWorkloadError(*refusals)
    return found, tuple(_notes(without, skipping))


def _refusals(without: Sequence[tuple[Manifest, NoWorkloadError]]) -> Iterator[Problem]:
    """A problem for each object that makes no workload, or one for many."""
    problems = [problem for _, error in without for problem in error.problems]
    if len(problems) <= MOST_REFUSALS:
        yield from problems
        return
    listed = _counted(manifest for manifest, _ in without)
    yield Problem(f"no workload among {len(without)} objects: {listed}", help="name the job's file")


def _notes(without: Sequence[tuple[Manifest, NoWorkloadError]], skipping: str) -> Iterator[Problem]:
    """Notes on the objects without a workload: other kinds are counted, others named with the reason."""
    others = [manifest for manifest, error in without if isinstance(error, UnsupportedKindError)]
    if others:
        yield Problem(f"{skipping}, so they are skipped: {_counted(others)}")
    for manifest, error in without:
        if not isinstance(error, UnsupportedKindError):
            message = f"{str(manifest.key).strip()} is skipped: {error.problems[0].message}"
            yield replace(error.problems[0], message=message)


def _counted(manifests: Iterable[Manifest]) -> str:
    return counted_kinds(Counter(f"{m.api_version} {m.key.kind}" for m in manifests))


def plan_each(
    scheduler: Scheduler, snapshot: Snapshot, question: PlanQuestion
) -> "tuple[tuple[Answer[PlanDetail], ...], tuple[Problem, ...]]":
    """The answers, and the problems of objects that are refused; these are left out.

    Raises what ``Scheduler.plan`` raises if nothing is left, or if the answers about the others may rest on what is
    refused.
    """
    try:
        return scheduler.plan(snapshot, question), ()
    except UsageError:
        raise
    except FairshareError as error:
        rest = _without_refused(question, error)
        if rest is None:
            raise
        try:
            return scheduler.plan(snapshot, rest), tuple(replace(p, help=p.help or _REMEDY) for p in error.problems)
        except FairshareError:
            raise error from None


def _without_refused(question: PlanQuestion, error: FairshareError) -> PlanQuestion | None:
    """The question without the objects of the problems; None if that leaves nothing, or changes what is asked."""
    if question.given is None or not all(isinstance(problem.place, Place) for problem in error.problems):
        return None
    refused = {problem.place.object for problem in error.problems if isinstance(problem.place, Place)}
    left_out = [m for m in question.given.manifests if m.key in refused]
    kept = tuple(m for m in question.given.manifests if m.key not in refused)
    if not kept or len(left_out) < len(refused) or not all(map(_stands_alone, left_out)):
        return None
    return replace(question, given=replace(question.given, manifests=kept))


def _stands_alone(manifest: Manifest) -> bool:
    """Whether no answer about another object rests on it: pods of a group, and templates of jobs, belong together."""
    kind = manifest.key.kind
    if kind == "PodGroup" or kind.endswith("Runtime"):
        return False
    if kind != "Pod":
        return True
    metadata = manifest.data.get("metadata")
    if not isinstance(metadata, dict):
        return True
    held = (metadata.get("labels") or {}, metadata.get("annotations") or {})
    return all(isinstance(words, dict) and not any("pod-group" in word for word in words) for words in held)
