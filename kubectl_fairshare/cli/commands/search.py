"""``search``: looks for a load that breaks an invariant of a policy.

Tested in ``tests/unit/policy/test_search_command.py``.
"""

import glob
import os
import re
from typing import TYPE_CHECKING, Final

import click

from kubectl_fairshare.answers.answer import Amount
from kubectl_fairshare.answers.number_text import amount
from kubectl_fairshare.answers.search import Arriving, Covered, Refutation, SearchAnswer
from kubectl_fairshare.cli.asking.answering import give_answer
from kubectl_fairshare.cli.asking.load import Loaded, is_complete, releases_of
from kubectl_fairshare.cli.asking.places import Places
from kubectl_fairshare.cli.asking.showing import show
from kubectl_fairshare.cli.options.house import HouseOptions, SectionedCommand, house_options
from kubectl_fairshare.cli.options.label_selector import refuse
from kubectl_fairshare.cli.options.shared import Inputs, ScreenOptions, input_options, screen_options
from kubectl_fairshare.cli.options.worker_options import WorkerOptions, worker_options
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.cli.writing import write_file
from kubectl_fairshare.input.text.texts import Texts
from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.report.search import SearchReport
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.question import is_given

if TYPE_CHECKING:
    from kubectl_fairshare.cli.policy.searching import PortablePolicy, Prepared
    from kubectl_fairshare.policy.search.search import Counterexample, SearchResults
    from kubectl_fairshare.schedulers.sandbox import MadeUpWork

_BUDGET: Final = re.compile(r"(\d+)(s|m|h)")
_SECONDS: Final = {"s": 1, "m": 60, "h": 3600}


@click.command("search", cls=SectionedCommand, short_help="look for a load that breaks a policy's invariant")
@click.option(
    "--never",
    multiple=True,
    required=True,
    metavar="WHAT",
    help="What no load may lead to: entitled waits, starvation, starved burst, cascade > N, endless evictions, "
    "crashes, QUEUE preempted by QUEUE, QUEUE > RESOURCE=AMOUNT. Repeatable.",
)
@click.option(
    "--resource", metavar="NAME", help="Resource that workloads ask for. [that of WHAT, otherwise the scarcest]"
)
@click.option("--sizes", metavar="AMOUNTS", help="Sizes of workloads: 1,2,8. [those at which decisions change]")
@click.option("--queue", multiple=True, metavar="NAME", help="Only workloads in this queue. Repeatable.")
@click.option(
    "--busy/--idle",
    default=False,
    help="Start next to the running and waiting work of the input, or without any work. [--idle]",
)
@click.option("--workloads", type=click.IntRange(0, 8), default=4, help="Try every load of up to N workloads. [4]")
@click.option("--random", "draws", type=click.IntRange(0, 10_000_000), default=2000, help="Then draw so many. [2000]")
@click.option("--most", type=click.IntRange(2, 256), default=12, help="Drawn loads have up to so many workloads. [12]")
@click.option("--seed", type=click.IntRange(0), default=1, help="Drawn loads follow from this number. [1]")
@click.option("--budget", metavar="TIME", default="60s", help="Stop after this time: 30s, 10m, 2h. [60s]")
@worker_options("search")
@click.option(
    "--write",
    metavar="FILE",
    type=click.Path(readable=False),
    help="Write each counterexample to a file that `test` replays.",
)
@house_options("search")
@input_options
@screen_options("text", "wide", "json", "yaml", "name", "csv")
@click.pass_obj
def command(  # noqa: PLR0913, PLR0917 -- one for each option
    streams: Streams,
    /,
    inputs: Inputs,
    screen: ScreenOptions,
    house: HouseOptions,
    never: tuple[str, ...],
    resource: str | None,
    sizes: str | None,
    queue: tuple[str, ...],
    busy: bool,
    workloads: int,
    draws: int,
    most: int,
    seed: int,
    budget: str,
    crew: WorkerOptions,
    write: str | None,
) -> int:
    """Looks for a load that breaks an invariant: all small loads, then larger drawn ones, each decided by the engine.

    What breaks an invariant is made as small as possible and printed as a file that `test` replays. The answer says
    what was covered; it proves nothing about the rest. With `--busy` the work of the input runs and waits, too; what is
    preempted of it does not come back. Exit code 1: refuted, or not decided exactly.

    \b
    kubectl fairshare search -f org/ --never "cascade > 3"
    kubectl fairshare search -f org/ --never "vision preempted by chat"
    kubectl fairshare search -f snapshot.json.gz --busy --never starvation
    """  # noqa: D301 -- click wants the character
    from kubectl_fairshare.cli.policy import searching
    from kubectl_fairshare.cli.policy.workers import workers_of
    from kubectl_fairshare.policy.search.search import SearchBounds, search

    refuse(inputs.selector, "a search, which is over all queues")
    if not workloads and not draws:
        raise UsageError(Problem("leaves nothing to try, with `--random 0`", "--workloads", "give one of the two"))
    seconds, amounts = _seconds(budget), _amounts(resource or "", sizes or "")
    workers = workers_of(crew, streams.stderr, quiet=screen.quiet)
    bounds = SearchBounds(workloads, draws, most, seed)

    def answer(loaded: Loaded, on: Streams) -> int:
        policy = _policy(loaded, inputs, house, never, resource or "", amounts, queue, busy=busy)
        over, start = searching.until(seconds), searching.moment()
        ready = searching.prepare(policy)
        with searching.everywhere(policy, ready, workers) as run:
            found = search(ready.space, bounds, ready.invariants, run, over, on.report_done)
        if not screen.quiet:
            _print_speed(on, found.states, searching.seconds_since(start))
        least = _made_small(found, ready)
        refuted = tuple(_refutation(each, ready) for each in least)
        path = _path_of(write, loaded)
        scenario = _scenario(policy, inputs, loaded, least, ready, _folder(path)) if least else None
        report = SearchReport(_answer(policy, found, (least, refuted), ready, seed, scenario))
        if path is not None and least:
            write_file(on, path, report.scenario().encode())
        return show(report, Places((), Texts()), on, screen)

    return give_answer(answer, inputs, house, streams, screen, doing="searching", keeps=True)


def _made_small(found: "SearchResults", ready: "Prepared") -> "list[Counterexample]":
    from kubectl_fairshare.policy.search.search import shrunk

    return [
        shrunk(ready.sandbox, each, ready.invariants[each.invariant], ready.space.units)
        for each in found.counterexamples
    ]


def _path_of(write: str | None, loaded: Loaded) -> str | None:
    """The file for counterexamples; where several units are searched, each has one with its name in it."""
    if write is None or loaded.of == 1:
        return write
    start, suffix = os.path.splitext(write)
    return f"{start}.{re.sub('[^A-Za-z0-9_-]+', '-', loaded.unit).strip('-')}{suffix}"


def _folder(path: str | None) -> str:
    return os.path.dirname(path or "") or os.curdir


def _print_speed(streams: Streams, states: int, seconds: float) -> None:
    speed = f"{states / max(seconds, 1e-6):,.0f} each second"
    streams.stderr.write(f"note: {states:,} states in {seconds:.1f}s, {speed}\n")


def _answer(
    policy: "PortablePolicy",
    found: "SearchResults",
    counterexamples: "tuple[list[Counterexample], tuple[Refutation, ...]]",
    ready: "Prepared",
    seed: int,
    scenario: dict[str, object] | None,
) -> SearchAnswer:
    """What the search covered and found, with the counterexamples, made small."""
    from kubectl_fairshare.answers.fidelity import merged_fidelity
    from kubectl_fairshare.policy.search.invariants import only_drawn
    from kubectl_fairshare.policy.search.search import answer_doubts

    space = found.space
    covered = Covered(
        space.resource,
        tuple(Amount(space.resource, size, amount(space.resource, size)) for size in space.sizes),
        space.queues,
        found.lengths,
        found.partly,
        found.systematic_states,
        found.states,
        found.drawn,
        seed,
    )
    texts = tuple(each.text for each in ready.invariants)
    least, refuted = counterexamples
    notes = (*ready.sandbox.notes, *only_drawn(ready.invariants, space.resource))
    doubts = answer_doubts(ready.sandbox, found, least, len(ready.invariants))
    fidelity = merged_fidelity([ready.fidelity], doubts)
    return SearchAnswer(policy.scheduler, fidelity, texts, covered, refuted, scenario, notes)


def _seconds(text: str) -> float:
    match = _BUDGET.fullmatch(text)
    if match is None or not int(match[1]):
        raise UsageError(Problem(f"`{text}` is not a time", "--budget", "write `30s`, `10m` or `2h`"))
    return float(int(match[1]) * _SECONDS[match[2]])


def _policy(  # noqa: PLR0913 -- one for each option
    loaded: Loaded,
    inputs: Inputs,
    house: HouseOptions,
    never: tuple[str, ...],
    resource: str,
    amounts: tuple[int, ...],
    queues: tuple[str, ...],
    *,
    busy: bool,
) -> "PortablePolicy":
    """The policy of a state, with what options name checked. Raises ``UsageError``."""
    from kubectl_fairshare.cli.policy.searching import PortablePolicy
    from kubectl_fairshare.cli.policy.simulating import reading_of
    from kubectl_fairshare.input.hypothetical_nodes import with_nodes
    from kubectl_fairshare.schedulers.sandbox import queue_named

    reading = with_nodes(reading_of(loaded), inputs.nodes, known_schedulers())
    sandbox = loaded.scheduler.review.sandbox(loaded.snapshot)
    for name in queues:
        queue_named(name, sandbox, "--queue")
    return PortablePolicy(
        reading.manifests,
        frozenset(reading.unread_kinds),
        is_complete(reading, inputs),
        reading.deleted,
        loaded.scheduler.name,
        dict(house.of(loaded.scheduler)),
        never,
        resource,
        amounts,
        queues,
        releases_of(reading, house),
        busy,
    )


def _amounts(resource: str, sizes: str) -> tuple[int, ...]:
    """The sizes of an option. Raises ``UsageError``."""
    amounts = tuple(_amount(resource, each.strip()) for each in sizes.split(",") if each.strip())
    if amounts and not resource:
        raise UsageError(Problem("needs `--resource`", "--sizes", "say of which resource the sizes are"))
    return amounts


def _amount(resource: str, text: str) -> int:
    try:
        size = quantity.amount(resource, text)
    except quantity.QuantityError:
        size = 0
    if size <= 0:
        raise UsageError(Problem(f"`{text}` is not a quantity above 0", "--sizes", "write `1,2,8`"))
    return size


def _refutation(found: "Counterexample", ready: "Prepared") -> Refutation:
    from kubectl_fairshare.policy.search.invariants import NoEndlessEvictions
    from kubectl_fairshare.policy.search.search import loop_after

    arrivals = (
        Arriving(work.queue, tuple(Amount(r, v, amount(r, v)) for r, v in work.total.items()), work.priority)
        for work in found.loads
    )
    broken = ready.invariants[found.invariant]
    loop = loop_after(ready.sandbox, found.loads) if isinstance(broken, NoEndlessEvictions) else None
    steps = () if loop is None else loop.steps
    return Refutation(broken.text, found.breach, tuple(arrivals), steps, "" if loop is None else loop.pace)


def _scenario(
    policy: "PortablePolicy",
    inputs: Inputs,
    loaded: Loaded,
    found: "list[Counterexample]",
    ready: "Prepared",
    folder: str,
) -> dict[str, object]:
    """A file of tests that replays each counterexample: its tests fail as long as the policy is as it is."""
    from kubectl_fairshare.policy.search.reading import as_kept

    tests = []
    for each in found:
        invariant = ready.invariants[each.invariant]
        arriving = [_arriving(work) for work in each.loads]
        name, then = f"never {invariant.text}", {"keeps": as_kept(invariant)}
        deleted = {"delete": list(inputs.overlay_delete)} if inputs.overlay_delete else {}
        when = {**deleted, "arrive": arriving}
        tests.append({"name": name, "because": each.breach, "when": when, "then": then})
    given: dict[str, object] = {"scheduler": policy.scheduler}
    for word, names in (("paths", inputs.filename), ("overlay", inputs.overlay)):
        if names:
            given[word] = [os.path.relpath(name, folder) for name in names]
    if loaded.unit:
        given["each"] = [glob.escape(os.path.relpath(loaded.unit, folder))]
    if inputs.nodes:
        given["nodes"] = list(map(str, inputs.nodes))
    if settings := {name.replace("_", "-"): value for name, value in policy.settings.items() if is_given(value)}:
        given["settings"] = settings
    if policy.complete:
        given["complete"] = True
    if not policy.busy:
        given["idle"] = True
    return {"given": given, "tests": tests}


def _arriving(work: "MadeUpWork") -> dict[str, object]:
    request = {resource: amount(resource, value) for resource, value in work.request.items()}
    found: dict[str, object] = {"queue": work.queue, "request": request}
    if work.priority:
        found["priority"] = work.priority
    return found
