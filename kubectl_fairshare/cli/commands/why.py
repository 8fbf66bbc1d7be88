"""``why``: why a job or workload is where it is, or all that wait, grouped by what binds."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final

import click
from click.core import ParameterSource

from kubectl_fairshare.cli.asking.answering import answered
from kubectl_fairshare.cli.asking.load import Loaded, placed
from kubectl_fairshare.cli.asking.subjects import Subject, Subjects, managed_without_workload
from kubectl_fairshare.cli.options.label_selector import picked
from kubectl_fairshare.cli.options.scheduler import scheduler_of
from kubectl_fairshare.cli.options.shared import Inputs, ScreenOptions, input_options, screen_options
from kubectl_fairshare.cli.output import view_of, write_document
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.input.clock import moment
from kubectl_fairshare.jobs.kinds.templates import ALL_KINDS
from kubectl_fairshare.jobs.kinds.trainjob import RUNTIMES
from kubectl_fairshare.model.errors import FairshareError, Problem, UsageError
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.moments import nanoseconds
from kubectl_fairshare.schedulers import KUEUE, for_snapshot
from kubectl_fairshare.schedulers.kueue.cycle.placing import with_pending as placed_in
from kubectl_fairshare.schedulers.kueue.jobs import NO_WORKLOAD, pending_of
from kubectl_fairshare.schedulers.kueue.jobs.context import Context
from kubectl_fairshare.schedulers.kueue.jobs.lineage import Family, Kin
from kubectl_fairshare.schedulers.kueue.jobs.record import is_workload, record_of
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import Pending
from kubectl_fairshare.schedulers.kueue.reading.accepted import Accepted
from kubectl_fairshare.schedulers.kueue.why.explainer import WhyQuestion
from kubectl_fairshare.schedulers.kueue.why.verdict import Verdict, Why
from kubectl_fairshare.trace import Fact

_ALSO_READ: Final = frozenset({"Event", "ReplicaSet", *(kind for _, kind in RUNTIMES), *(k.kind for k in ALL_KINDS)})
_ENDS: Final = ("Complete", "Failed", "Completed", "Succeeded")
_UNKNOWN: Final = 5


def _moment(_: click.Context, param: click.Parameter, value: str | None) -> int | None:
    """A moment as nanoseconds since the epoch; raises ``BadParameter`` for what is none."""
    if value is None:
        return None
    try:
        return nanoseconds(value)
    except ValueError:
        message = f"`{value}` is not a moment; write it like `2026-01-31T12:00:00Z`"
        raise click.BadParameter(message, param=param) from None


@click.command("why")
@click.argument("subject", nargs=-1)
@click.option("--now", metavar="TIME", callback=_moment, help="The moment of asking: 2026-01-31T12:00:00Z.")
@input_options
@screen_options("text", "wide", "json", "yaml", "name", watched=True)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    inputs: Inputs,
    screen: ScreenOptions,
    subject: tuple[str, ...],
    now: int | None,
) -> int:
    """Tells why a job is pending, was preempted, or runs: SUBJECT is KIND/NAME, or a name alone.

    What binds and by how much, who holds it, who is ahead, what would help, and what the cluster itself
    recorded. Without a SUBJECT: every workload of the namespace that waits, one line each, grouped by what
    binds. Exit code 0: answered, 5: no exact answer.

    \b
    kubectl fairshare why -f dump.json job/train -n team-b
    kubectl fairshare why -f dump.json team-b/workload/job-train-6dbb4
    kubectl fairshare why -f dump.json -A
    kubectl fairshare why -A --watch
    """  # noqa: D301 -- click wants the character
    streams = ctx.find_object(Streams)
    if streams is None:
        raise LookupError("streams")
    if subject and inputs.everywhere:
        raise UsageError(Problem("excludes a name", "--all-namespaces", "name one workload, or ask for all"))
    said = ctx.get_parameter_source("namespace") is ParameterSource.COMMANDLINE
    if now is None and inputs.live and screen.interval is None:  # while it is watched, ages are no news
        now = moment()

    def answer(loaded: Loaded, on: Streams) -> int:
        if scheduler_of(loaded, None) != KUEUE:
            remedy = "`plan` tells what would become of a pod, and what binds"
            raise UsageError(Problem("why is answered for Kueue's workloads alone", help=remedy))
        question = _Question(loaded, now)
        if subject:
            named = question.spelled(subject)
            whys = [why for text in named for why in question.about(text, inputs.namespace, anywhere=not said)]
            return _show(whys, loaded, on, screen)
        within = None if inputs.everywhere else inputs.namespace
        waiting = question.all_waiting(within)
        if inputs.selector is not None:
            meant = picked(loaded.snapshot.manifests, inputs.selector)
            waiting = tuple(why for why in waiting if (why.workload or why.job) in meant)
        return _show_all(waiting, loaded, on, screen, within)

    return answered(answer, inputs, streams, screen, also_read=_ALSO_READ)


class _Question:
    """Asks about workloads of one input."""

    def __init__(self, loaded: Loaded, now: int | None) -> None:
        self._loaded = loaded
        self._now = now
        self._engine = for_snapshot(loaded.snapshot)
        self._family = Family(loaded.snapshot.manifests.values())

    @cached_property
    def _pending(self) -> dict[ObjectKey, Pending]:
        return {w.key: w for w in self._loaded.snapshot.part(KueueState).pending}

    @cached_property
    def _subjects(self) -> Subjects:
        return Subjects(self._family)

    def spelled(self, words: Sequence[str]) -> Sequence[str]:
        """The subjects, each in one word: kubectl takes a kind and then names, too."""
        return self._subjects.spelled(words)

    def about(self, text: str, namespace: str, *, anywhere: bool) -> tuple[Why, ...]:
        """Why each workload behind a name is where it is."""
        subject = self._subjects.find(self._subjects.wanted(text, namespace, anywhere=anywhere))
        with placed(self._loaded.places):
            asked = self._asked(subject)
        new = [a.pending for a in asked if a.workload is None]
        snapshot = placed_in(self._loaded.snapshot, new) if new else self._loaded.snapshot
        return self._engine.why(snapshot, asked, self._now)

    def all_waiting(self, namespace: str | None) -> tuple[Why, ...]:
        """Why each workload that waits is where it is; in one namespace, if one is given."""
        with placed(self._loaded.places):
            asked = [
                *(self._of_workload(w, None) for w in self._waiting(namespace)),
                *self._never_made(namespace),
            ]
        found = self._engine.why(self._loaded.snapshot, asked, self._now, briefly=True)
        return tuple(why for why in found if why.verdict is not Verdict.RUNNING)

    def _waiting(self, namespace: str | None) -> Iterator[Manifest]:
        """The Workloads without quota, and those with quota that are not admitted, or leave."""
        manifests = self._loaded.snapshot.manifests
        held = [h.key for h in self._loaded.snapshot.part(KueueState).holders]
        for key in sorted([*self._pending, *held]):
            if namespace in (None, key.namespace) and key in manifests:
                yield manifests[key]

    def _never_made(self, namespace: str | None) -> Iterator[WhyQuestion]:
        """The jobs that name a queue, and of which Kueue makes no Workload."""
        for kin in managed_without_workload(self._family, namespace):
            if kin.manifest is not None and _end_of(kin.manifest) is None:
                pending = self._of_manifest(kin.manifest)
                if pending is None or pending.refusal is None or pending.source != kin.key:
                    continue  # of a group of pods the first speaks for all
                if pending.refusal.law in NO_WORKLOAD:
                    yield WhyQuestion(pending, job=kin.key)

    def _of_manifest(self, manifest: Manifest) -> Pending | None:
        """The workload that a job would become; None for one that cannot be read here."""
        try:
            return pending_of(manifest, self._loaded.snapshot.part(Context))
        except FairshareError:
            return None

    def _asked(self, subject: Subject) -> list[WhyQuestion]:
        manifests = self._loaded.snapshot.manifests
        job = None if is_workload(subject.kin.key) else self._family.job_behind(subject.kin)
        if subject.workloads:
            found = [manifests[key] for key in subject.workloads]
            live = [m for m in found if not record_of(m).holds("Finished")]
            return [self._of_workload(m, None if job is None else subject.kin.key) for m in live or found[-1:]]
        assert job is not None
        return [self._of_job(subject.kin, job)]

    def _of_workload(self, manifest: Manifest, job: ObjectKey | None) -> WhyQuestion:
        accepted = Accepted([manifest])
        (stored,) = accepted.of("Workload") or (manifest,)
        if accepted.problems:
            raise FairshareError(*accepted.problems)
        pending = self._pending.get(manifest.key) or pending_of(stored, self._loaded.snapshot.part(Context))
        return WhyQuestion(pending, stored, job)

    def _of_job(self, kin: Kin, job: Kin) -> WhyQuestion:
        """A job without a Workload in the input, as Kueue would take it; raises ``FairshareError`` for no job."""
        if job.manifest is None:
            message = f"neither {job.key} nor a Workload of it is in the input"
            raise FairshareError(Problem(message, help="read the object, or its Workload, too"))
        pending = pending_of(job.manifest, self._loaded.snapshot.part(Context))
        return WhyQuestion(pending, None, kin.key, _end_of(job.manifest))


def _end_of(manifest: Manifest) -> Fact | None:
    """The condition by which a job's own status tells that it has ended."""
    status = manifest.data.get("status")
    conditions = status.get("conditions") if isinstance(status, dict) else None
    for i, condition in enumerate(conditions if isinstance(conditions, list) else ()):
        if isinstance(condition, dict) and condition.get("status") == "True" and condition.get("type") in _ENDS:
            return Fact(Place(manifest.key, ("status", "conditions", i, "type")), str(condition["type"]))
    phase = status.get("phase") if isinstance(status, dict) else None
    if manifest.key.kind == "Pod" and phase in ("Succeeded", "Failed"):
        return Fact(Place(manifest.key, ("status", "phase")), str(phase))
    return None


def _show(whys: Sequence[Why], loaded: Loaded, streams: Streams, screen: ScreenOptions) -> int:
    if screen.is_text:
        from kubectl_fairshare.schedulers.kueue.words.screens.why import why_screens

        streams.stdout.write(
            why_screens(whys, loaded.snapshot.part(KueueState), view_of(streams, screen, loaded.places))
        )
    elif screen.output == "name":
        _write_names(whys, streams)
    else:
        from kubectl_fairshare.schedulers.kueue.documents.why import why_document, why_list_document

        if len(whys) == 1:
            write_document(streams, screen, why_document(whys[0], loaded.places))
        else:
            write_document(streams, screen, why_list_document(whys, loaded.places))
    return _UNKNOWN if any(why.verdict is Verdict.UNKNOWN for why in whys) else 0


def _show_all(
    whys: Sequence[Why], loaded: Loaded, streams: Streams, screen: ScreenOptions, namespace: str | None
) -> int:
    if screen.is_text:
        from kubectl_fairshare.schedulers.kueue.words.screens.waiting import waiting_screen

        view = view_of(streams, screen, loaded.places)
        streams.stdout.write(waiting_screen(whys, loaded.snapshot.part(KueueState), view, namespace))
    elif screen.output == "name":
        _write_names(whys, streams)
    else:
        from kubectl_fairshare.schedulers.kueue.documents.waiting import waiting_document

        write_document(streams, screen, waiting_document(whys, loaded.places))
    return 0


def _write_names(whys: Sequence[Why], streams: Streams) -> None:
    """The Workloads, as kubectl names objects, with their namespaces; jobs that have none by their own names."""
    for why in whys:
        key = why.workload or why.job
        if key is not None:
            kind = f"{key.kind.lower()}.{key.group}" if key.group else key.kind.lower()
            streams.stdout.write(f"{kind}/{key.namespace}/{key.name}\n")
