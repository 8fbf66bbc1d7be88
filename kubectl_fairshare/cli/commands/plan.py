"""``plan``: what becomes of workloads that are given as manifests or described by options."""

from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from typing import Any

import click

from kubectl_fairshare.cli.asking.answering import answered
from kubectl_fairshare.cli.asking.load import Loaded, placed, tell, unknown_fields
from kubectl_fairshare.cli.asking.places import Places
from kubectl_fairshare.cli.options.kai_usage import OverTime, check_over_time, in_time, over_time_options
from kubectl_fairshare.cli.options.label_selector import refuse
from kubectl_fairshare.cli.options.requested import Wishes, requested
from kubectl_fairshare.cli.options.scheduler import scheduler_of, scheduler_option
from kubectl_fairshare.cli.options.shared import Inputs, ScreenOptions, input_options, screen_options
from kubectl_fairshare.cli.options.watch_options import check_watched
from kubectl_fairshare.cli.output import view_of, write_document
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.jobs.fields import root_of
from kubectl_fairshare.jobs.kinds.trainjob import RUNTIMES
from kubectl_fairshare.model.errors import FairshareError, Problem, UsageError
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import dataclass
from kubectl_fairshare.schedulers import ELASTICQUOTA, KAI, for_snapshot
from kubectl_fairshare.schedulers.elasticquota.quotas.semantics import Semantics
from kubectl_fairshare.schedulers.kueue.cycle.cycle import CycleEntry, Status
from kubectl_fairshare.schedulers.kueue.cycle.placing import with_pending as placed_in
from kubectl_fairshare.schedulers.kueue.explain.cycle import CycleReport
from kubectl_fairshare.schedulers.kueue.jobs import Context, pending_of, with_asked
from kubectl_fairshare.schedulers.kueue.jobs.grouping import group_name
from kubectl_fairshare.schedulers.kueue.jobs.ownership import workloads_of
from kubectl_fairshare.schedulers.kueue.model.objects import GROUP
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.kueue.model.workload import Holder, Pending
from kubectl_fairshare.schedulers.kueue.reading.accepted import Accepted

STDIN = "-"


@dataclass(frozen=True, slots=True)
class Question:
    """One workload to plan, and the Workloads of the state that are the same one."""

    workload: Pending
    replaced: tuple[ObjectKey, ...] = ()


@click.command("plan")
@click.option(
    "-w",
    "--workload",
    multiple=True,
    type=click.Path(readable=False),
    help="Workload, Job, CronJob, JobSet, Pod or what makes pods: file, directory, glob or -; may be repeated.",
)
@click.option("--queue", metavar="NS/NAME", help="LocalQueue of a workload that the next options describe.")
@click.option("--request", multiple=True, metavar="R=Q,…", help="Requests of each pod: cpu=4,nvidia.com/gpu=8.")
@click.option("--count", type=int, help="How many pods. [1]")
@click.option("--min-count", type=int, help="With how few pods it may start (partial admission).")
@click.option("--priority", type=int, help="Its priority. [0, or that of the default PriorityClass]")
@click.option("--priority-class", metavar="NAME", help="Its WorkloadPriorityClass or PriorityClass.")
@click.option("--node-selector", multiple=True, metavar="K=V", help="Node label it insists on; may be repeated.")
@click.option("--toleration", multiple=True, metavar="K=V:EFFECT", help="Also K:EFFECT, K; may be repeated.")
@click.option(
    "--kubernetes",
    type=click.Choice([version.value for version in Semantics]),
    default=Semantics.K8S_1_35.value,
    help=f"Version of Kubernetes below CapacityScheduling. [{Semantics.K8S_1_35}]",
)
@over_time_options
@scheduler_option
@click.option("--together", is_flag=True, help="All workloads in one scheduling cycle, instead of each alone.")
@input_options
@screen_options("text", "wide", "json", "yaml", "name", watched=True)
@click.pass_obj
def command(
    streams: Streams, /, inputs: Inputs, screen: ScreenOptions, workload: tuple[str, ...], together: bool, **chosen: Any
) -> int:
    """Tells what would become of a workload, if it were the head of its queue now.

    Who gives way and by which rule, who does not and why, the limit that binds, and what would help.
    Where the input holds ElasticQuotas instead of queues: what would become of a pod, and on which node.
    -o name prints the workloads that give way. Exit code 0: admitted, 4: not admitted, 5: no exact answer.

    \b
    kubectl fairshare plan -f org/ -w train.yaml
    kubectl fairshare plan -f org/ --queue team-b/main \\
        --request cpu=4,nvidia.com/gpu=8 --count 4
    kubectl fairshare plan -f quotas/ -n team-b --request nvidia.com/gpu=2
    kubectl fairshare plan -f kai/ -w train.yaml --usage usage.yaml
    """  # noqa: D301 -- click wants the character
    described = Wishes(**{field.name: chosen[field.name] for field in fields(Wishes)})
    over_time: OverTime = chosen["over_time"]
    _check_call(inputs, workload, described)
    refuse(inputs.selector, "the workloads that are named")
    check_over_time(over_time, *workload, *inputs.filename, *inputs.overlay)
    check_watched(screen.interval, *workload, *over_time.files)

    def answer(loaded: Loaded, on: Streams) -> int:
        asked = _read_workloads(inputs, workload, on) if workload else None
        scheduler = scheduler_of(loaded, chosen["scheduler"])
        loaded = _in_time(loaded, scheduler, over_time, inputs, on, screen)
        places = loaded.places if asked is None else loaded.places.under(asked.manifests, asked.texts)
        if scheduler == KAI:
            from kubectl_fairshare.cli.asking import kai_plan

            question = kai_plan.KaiQuestion(asked, described, inputs.namespace, together)
            return kai_plan.answer(loaded, question, places, on, screen)
        if scheduler == ELASTICQUOTA:
            from kubectl_fairshare.cli.asking import elasticquota_plan

            semantics = Semantics(chosen["kubernetes"])
            pods = elasticquota_plan.Asked(asked, described, inputs.namespace, together, semantics)
            return elasticquota_plan.answer(loaded, pods, places, on, screen)
        _check_queue(described)
        questions, notes = _questions(loaded, asked, described, inputs.namespace, places)
        if not screen.quiet:
            tell(notes, on, screen)
        if together:
            return _answer_together(on, screen, places, loaded.snapshot, questions)
        return _answer(on, screen, places, loaded.snapshot, questions)

    read_for_jobs = frozenset(kind for _, kind in RUNTIMES) if workload else frozenset()
    return answered(answer, inputs, streams, screen, also_read=read_for_jobs)


def _in_time(
    loaded: Loaded, scheduler: str, over: OverTime, inputs: Inputs, streams: Streams, screen: ScreenOptions
) -> Loaded:
    """What was loaded, with past usage where KAI is asked. Raises ``UsageError`` where another scheduler is."""
    if scheduler == KAI:
        return in_time(loaded, over, inputs, streams, screen)
    if over.given():
        raise UsageError(Problem(f"`{over.given()[0]}` asks about KAI's queues, and the input holds none"))
    return loaded


def _check_call(inputs: Inputs, workload: Sequence[str], wishes: Wishes) -> None:
    """Raises ``UsageError`` where the options ask for nothing, or for two things."""
    given = wishes.given()
    if workload and given:
        raise UsageError(Problem(f"excludes `{given[0]}`", "--workload", "describe the workload in one way"))
    if not workload and not given:
        remedy = "name it with `-w FILE`, or describe it: `--queue NAMESPACE/NAME --request cpu=4 --count 2`"
        raise UsageError(Problem("no workload to plan", help=remedy))
    if workload.count(STDIN) + inputs.filename.count(STDIN) + inputs.overlay.count(STDIN) > 1:
        raise UsageError(Problem("standard input can be read once only", help="give one of the two as a file"))


def _check_queue(wishes: Wishes) -> None:
    """Raises ``UsageError`` where options describe a workload of no queue."""
    given = wishes.given()
    if given and wishes.queue is None:
        raise UsageError(Problem("needs `--queue`", given[0], "name the LocalQueue: `--queue NAMESPACE/NAME`"))


def _read_workloads(inputs: Inputs, workload: Sequence[str], streams: Streams) -> Reading:
    return read(
        workload,
        stdin=streams.bytes_in,
        max_input=inputs.max_input,
        namespace=inputs.namespace,
        allow_generate_name=True,
    )


def _questions(
    loaded: Loaded, asked: Reading | None, wishes: Wishes, namespace: str, places: Places
) -> tuple[list[Question], list[Problem]]:
    """The workloads to plan, with notes. Raises ``FairshareError`` with every manifest that cannot be one."""
    if asked is None:
        manifest = requested(wishes, namespace, loaded.snapshot)
        return [Question(replace(pending_of(manifest, loaded.snapshot.part(Context)), source=None))], []
    accepted = Accepted(asked.manifests)
    with placed(places):
        questions = _distinct(_of_manifests(loaded, asked, accepted))
    manifests = {m.key: m for m in asked.manifests}
    return questions, list(unknown_fields(accepted.unknown_fields, manifests, asked.texts))


def _of_manifests(loaded: Loaded, asked: Reading, accepted: Accepted) -> list[Question]:
    """Each manifest as a question, in the order in which they were given."""
    workloads = accepted.of("Workload")
    others = [m for m in asked.manifests if (m.key.group, m.key.kind) != (GROUP, "Workload")]
    context = with_asked(loaded.snapshot.part(Context), others)
    others = [m for m in others if (m.key.group, m.key.kind) not in RUNTIMES] or others
    problems = list(accepted.problems)
    found: list[Question] = []
    for manifest in asked.as_given([*workloads, *others]):
        try:
            question = _question(loaded, manifest, context)
        except FairshareError as error:
            problems += error.problems
        else:
            if not (group_name(root_of(manifest)) and question.workload.key in [each.workload.key for each in found]):
                found.append(question)
    if problems:
        raise FairshareError(*problems)
    return found


def _question(loaded: Loaded, manifest: Manifest, context: Context) -> Question:
    pending = pending_of(manifest, context)
    if manifest.key.group == GROUP:
        return Question(_as_known(pending, [pending.key], loaded.snapshot, written=_has_moment(manifest)))
    owned = workloads_of(manifest, loaded.snapshot.manifests.values())
    return Question(_as_known(pending, owned, loaded.snapshot, written=False), owned)


def _has_moment(manifest: Manifest) -> bool:
    return bool(manifest.data["metadata"].get("creationTimestamp"))


def _is_stopped(workload: Manifest) -> bool:
    return workload.key.group == GROUP and workload.data.get("spec", {}).get("active") is False


def _as_known(pending: Pending, same: Sequence[ObjectKey], snapshot: Snapshot, *, written: bool) -> Pending:
    """The workload under the name, UID and age that it has in the state; its own age where that is ``written``.

    One that somebody deactivated there stays so: that is no matter of the job.
    """
    keys = {*same}
    stopped = [key for key in same if key in snapshot.manifests and _is_stopped(snapshot.manifests[key])]
    if stopped and not written:
        return replace(pending, key=stopped[0], active=False)
    everyone: tuple[Pending | Holder, ...] = (*snapshot.part(KueueState).pending, *snapshot.part(KueueState).holders)
    known = [w for w in everyone if w.key in keys]
    if len(known) != 1:
        return pending
    (one,) = known
    preempting = isinstance(one, Pending) and one.preempting
    pending = replace(pending, key=one.key, uid=one.uid, preempting=preempting)
    return pending if written else replace(pending, created=one.created, queued=one.queued)


def _distinct(questions: list[Question]) -> list[Question]:
    """The questions with a name each: workloads whose names the API server will choose may seem the same."""
    seen: set[ObjectKey] = set()
    found = []
    for question in questions:
        key, number = question.workload.key, 1
        while key in seen:
            number += 1
            key = key._replace(name=f"{question.workload.key.name}-{number}")
        seen.add(key)
        found.append(replace(question, workload=replace(question.workload, key=key)))
    return found


def _answer(
    streams: Streams, screen: ScreenOptions, places: Places, snapshot: Snapshot, questions: Sequence[Question]
) -> int:
    from kubectl_fairshare.schedulers.kueue.documents.plan import exit_code, plan_document, plan_list_document

    engine = for_snapshot(snapshot)
    plans, cited = [], []
    for question in questions:
        asked = placed_in(snapshot, [question.workload], question.replaced)
        plans.append(engine.plan(asked, question.workload))
        cited.append(() if screen.is_text else engine.cited(asked, plans[-1]))
    if screen.is_text:
        from kubectl_fairshare.schedulers.kueue.words.screens.plan import plan_screens

        streams.stdout.write(plan_screens(plans, snapshot.part(KueueState), view_of(streams, screen, places)))
    elif screen.output == "name":
        _write_names(streams, (t.holder for plan in plans for t in plan.targets))
    elif len(plans) == 1:
        write_document(streams, screen, plan_document(plans[0], snapshot.part(KueueState), places, cited[0]))
    else:
        write_document(streams, screen, plan_list_document(plans, snapshot.part(KueueState), places, cited))
    return exit_code(plans)


def _answer_together(
    streams: Streams, screen: ScreenOptions, places: Places, snapshot: Snapshot, questions: Sequence[Question]
) -> int:
    workloads = [q.workload for q in questions]
    engine = for_snapshot(snapshot)
    report = engine.together(placed_in(snapshot, workloads, [k for q in questions for k in q.replaced]), workloads)
    if screen.is_text:
        from kubectl_fairshare.schedulers.kueue.words.screens.cycle import cycle_screen

        streams.stdout.write(cycle_screen(report, view_of(streams, screen, places)))
    elif screen.output == "name":
        _write_names(streams, (t.holder for e in report.round.entries if e.preempts for t in e.targets))
    else:
        from kubectl_fairshare.schedulers.kueue.documents.cycle import cycle_document

        write_document(streams, screen, cycle_document(report, places))
    return _together_code(report, len(workloads))


def _write_names(streams: Streams, holders: Iterator[Holder]) -> None:
    """The workloads that give way, each once, as kubectl names objects, with their namespaces."""
    for name in dict.fromkeys(holder.name for holder in holders):
        streams.stdout.write(f"workload.{GROUP}/{name}\n")


def _together_code(report: CycleReport, asked: int) -> int:
    """0 when the cycle admits every workload that was asked about, 4 when not, 5 when it cannot be told exactly."""
    admitted = [entry for entry in report.round.entries if _is_admitted(entry)]
    if len(admitted) < asked:
        return 4
    return 0 if report.fidelity.exact else 5


def _is_admitted(entry: CycleEntry) -> bool:
    return entry.status is Status.ASSUMED or entry.preempts
