"""``plan``: the outcome for workloads that are given as manifests or described by options."""

import os
from collections import Counter
from collections.abc import Sequence
from typing import Any

import click

from kubectl_fairshare.cli.asking.answering import give_answer
from kubectl_fairshare.cli.asking.load import Loaded, placing_problems
from kubectl_fairshare.cli.asking.reading import print_notes
from kubectl_fairshare.cli.asking.showing import show
from kubectl_fairshare.cli.options.house import HouseOptions, SectionedCommand, house_options
from kubectl_fairshare.cli.options.label_selector import refuse
from kubectl_fairshare.cli.options.origin import origin_of
from kubectl_fairshare.cli.options.shared import Inputs, ScreenOptions, input_options, screen_options
from kubectl_fairshare.cli.options.watch_options import check_watched
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.input.files.files import read_what_can_be
from kubectl_fairshare.input.files.paths import STDIN
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.jobs.makers import jobs_among, makes_pods
from kubectl_fairshare.model.errors import FairshareError, NoWorkloadError, Problem, UsageError
from kubectl_fairshare.model.phrases import counted_kinds
from kubectl_fairshare.model.values import fields, replace
from kubectl_fairshare.report.plan import Plans
from kubectl_fairshare.report.printable import Printable
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.asked_objects import plan_each
from kubectl_fairshare.schedulers.question import PlanQuestion, Wishes


@click.command("plan", cls=SectionedCommand)
@click.option(
    "-w",
    "--workload",
    multiple=True,
    type=click.Path(readable=False),
    help="Workload, Job, CronJob, JobSet, Pod or another pod owner: file, directory, glob or -. Repeatable.",
)
@click.option(
    "--queue", metavar="NS/NAME", help="Queue, or LocalQueue, of the workload that the options below describe."
)
@click.option("--request", multiple=True, metavar="R=Q,…", help="Requests per pod: cpu=4,nvidia.com/gpu=8.")
@click.option("--count", type=int, help="Number of pods. [1]")
@click.option("--min-count", type=int, help="Smallest number of pods that it may start with (partial admission).")
@click.option("--priority", type=int, help="Priority of the workload. [0, or the default PriorityClass]")
@click.option("--priority-class", metavar="NAME", help="WorkloadPriorityClass or PriorityClass of the workload.")
@click.option("--node-selector", multiple=True, metavar="K=V", help="Required node label. Repeatable.")
@click.option("--toleration", multiple=True, metavar="K=V:EFFECT", help="Toleration; also K:EFFECT or K. Repeatable.")
@click.option(
    "--together",
    is_flag=True,
    help="Play cycles for all until nothing changes; without -w: for all that wait.",
)
@house_options("plan")
@input_options
@screen_options("text", "wide", "json", "yaml", "name", "csv", "svg", "markdown", watched=True, brief=True, graded=True)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    inputs: Inputs,
    screen: ScreenOptions,
    house: HouseOptions,
    workload: tuple[str, ...],
    together: bool,
    **chosen: Any,
) -> int:
    """Predicts whether a workload is admitted: now, after preempting others, later, or never.

    Shows which workloads are preempted and by which rule, which are not and why, the limit that binds, and
    what would help. Where each pod of an object is decided by itself, the answer is about one of them.
    -o name prints the victims. Exit code 0: admitted, 4: not admitted, 5: no exact answer.

    \b
    kubectl fairshare plan -f org/ -w train.yaml
    kubectl fairshare plan -f org/ -w train.yaml --overlay pull-request/ -o json
    kubectl fairshare plan -f dump.json --together
    """  # noqa: D301 -- click wants the character
    streams = ctx.find_object(Streams)
    if streams is None:
        raise LookupError("streams")
    wishes = Wishes(**{field.name: chosen[field.name] for field in fields(Wishes)})
    _check_call(inputs, workload, wishes, house, together=together)
    refuse(inputs.selector, "workloads that you name")
    check_watched(screen.interval, *workload, *house.files)

    def answer(loaded: Loaded, on: Streams) -> int:
        given, beside = _read_workloads(inputs, workload, on) if workload else (None, ())
        places = loaded.places if given is None else loaded.places.under(given.manifests, given.texts)
        question = PlanQuestion(given, wishes, inputs.namespace)
        report: Printable
        refused: tuple[Problem, ...] = ()
        with placing_problems(places):
            if together:
                asked = question if workload or wishes.given() else None
                report, notes = _together(loaded, asked)
            else:
                plans = _plans(loaded, question, folders=any(map(os.path.isdir, workload)))
                plans = replace(plans, origin=origin_of(ctx, loaded.unit))
                report, notes, refused = plans, plans.notes, plans.refused
        if not screen.quiet:
            print_notes([places.problem(note) for note in (*beside, *notes)], on, screen)
        print_notes([places.problem(problem) for problem in refused], on, screen, "error")
        return show(report, places, on, screen)

    reading = "forecast" if together else "plan" if workload else ""
    return give_answer(answer, inputs, house, streams, screen, also_read_for=reading)


def _together(loaded: Loaded, asked: PlanQuestion | None) -> tuple[Printable, tuple[Problem, ...]]:
    """The outcome of the workloads together, and notes. It does not rest on the moment: nothing ends."""
    from kubectl_fairshare.cli.asking.as_of import as_of
    from kubectl_fairshare.policy.together import together
    from kubectl_fairshare.report.together import TogetherReport

    now = as_of(None, loaded.snapshot.manifests.values()).moment
    found = together(loaded.scheduler, loaded.snapshot, asked, now or 0)
    return TogetherReport(found), found.notes


def _check_call(
    inputs: Inputs, workload: Sequence[str], wishes: Wishes, house: HouseOptions, *, together: bool
) -> None:
    """Raises ``UsageError`` if the options name no workload, or name it in two ways."""
    given = wishes.given()
    if workload and given:
        raise UsageError(
            Problem(f"cannot be used with `{given[0]}`", "--workload", "use a file or the options, not both")
        )
    if not workload and not given and not together:
        remedy = "pass a file, `-w FILE`, or describe it: `--queue NAMESPACE/NAME --request cpu=4 --count 2`"
        raise UsageError(Problem("no workload to plan", help=remedy))
    if not workload and wishes.queue is not None and not wishes.request:
        raise UsageError(
            Problem("the workload asks for nothing", given[0], "say what each pod needs: `--request cpu=4`")
        )
    if [*workload, *inputs.filename, *inputs.overlay, *house.files].count(STDIN) > 1:
        raise UsageError(Problem("standard input can be read only once", help="pass one of the two as a file"))


def _plans(loaded: Loaded, question: PlanQuestion, *, folders: bool) -> Plans:
    """The plans, and what is refused. Raises ``UsageError`` for ``folders`` in which no object makes a workload."""
    try:
        return Plans(*plan_each(loaded.scheduler, loaded.snapshot, question))
    except NoWorkloadError as error:
        raise UsageError(*error.problems) if folders else error from None


def _read_workloads(inputs: Inputs, workload: Sequence[str], streams: Streams) -> tuple[Reading, tuple[Problem, ...]]:
    """The workloads of the files, with notes on the objects next to them. Raises ``FairshareError`` for unread ones."""
    found, problems = read_what_can_be(
        workload,
        known_schedulers(),
        stdin=streams.bytes_in,
        max_input=inputs.max_input,
        namespace=inputs.namespace,
        allow_generate_name=True,
        among_others=True,
        divided=any(os.path.isdir(name) for name in workload),
        helm=inputs.helm,
    )
    if problems:
        raise FairshareError(*problems)
    jobs, others = jobs_among(found.manifests)
    counts = Counter(f"{m.api_version} {m.key.kind}" for m in others or jobs)
    skipped = counted_kinds(counts)
    if any(os.path.isdir(name) for name in workload) and not any(map(makes_pods, jobs)):
        message = f"no workload among {len(jobs)} objects: {skipped}"
        raise UsageError(Problem(message, ", ".join(workload), "name the file of the job"))
    notes = (Problem(f"no workloads, so they are skipped: {skipped}"),) if others else ()
    return replace(found, manifests=tuple(jobs)), notes
