"""Shapes whose work once grew with the square of the input, counted in calls, or in time as a ratio in one run."""

import io
import re
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import orjson
import pytest

from kubectl_fairshare.cli.main import main
from kubectl_fairshare.editing.changed_lines import changed_lines
from kubectl_fairshare.editing.fixing import Fix, apply_fixes
from kubectl_fairshare.editing.pieces import SourceDocument
from kubectl_fairshare.editing.splice import EditStep, Splice, spliced_text
from kubectl_fairshare.finding import Remove, Rename
from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.input.text.texts import Text, Texts
from kubectl_fairshare.lint.formats.diff import ChangedText, unified_diff
from kubectl_fairshare.model.location import ObjectKey, Place
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.report.text.view import View
from kubectl_fairshare.schedulers import known_schedulers, scheduler_named
from kubectl_fairshare.schedulers.kueue.cycle.nominate import nominate
from kubectl_fairshare.schedulers.kueue.explain.position import queue_position
from tests.bench.inside import timed
from tests.bench.organisation import Organisation, Size
from tests.bench.scaling import LIMIT, Cost, Growth, arguments, lay_out
from tests.bench.shapes import SHAPES
from tests.bench.test_work import Calls
from tests.sampling import sampled
from tests.unit.schedulers.kueue.build import pending, queue, state

SIZES = (100, 400)


def calls(name: str, command: str, form: str, size: int, folder: Path) -> int:
    folder.mkdir()
    shape = next(each for each in SHAPES if each.name == name)
    lay_out(shape, size, folder)
    args = arguments(command, form, folder)
    main(args, None, io.StringIO(), io.StringIO())  # what is loaded and cached once does not count
    with Calls() as counted:
        main(args, None, io.StringIO(), io.StringIO())
    return counted.all


@pytest.mark.parametrize(
    ("shape", "command"),
    sampled(
        [
            ("suppressions", "lint"),
            ("unknown settings in a config map", "lint"),
            ("unknown settings in a config map", "shares"),
            ("unknown fields", "lint --diff"),
            ("comments with a fix", "lint --diff"),
            ("suppressed documents", "lint"),
            ("fixes in one mapping", "lint --diff"),
            ("workloads of many queues", "diff"),
            ("koordinator quotas", "diff"),
            ("jobs that a resource quota keeps from pods", "why -A"),
            ("jobs that a resource quota keeps from pods", "lint"),
        ],
        6,
    ),
)
def test_work_grows_with_the_input(shape: str, command: str, tmp_path: Path) -> None:
    small, large = (calls(shape, command, "text", size, tmp_path / str(size)) for size in SIZES)
    assert large < small * LIMIT**2  # doubled twice


def test_a_patch_takes_work_with_its_lines() -> None:
    small, large = (steps(partial(unified_diff, [patched_text(size)], View())) for size in (100, 400))
    assert large < small * LIMIT**2


def patched_text(size: int) -> ChangedText:
    """Blocks with a change each, of which most lines are alike."""
    blocks = [[f"name: {n}", f"cohort: {n % 8}", *(f"field{k}: 1" for k in range(12)), "---"] for n in range(size)]
    before = "".join(f"{line}\n" for block in blocks for line in block)
    splices = [Splice(each.start(), each.end(), "cohortName:") for each in re.finditer("cohort:", before)]
    return ChangedText("a", before, spliced_text(before, splices), changed_lines(before, splices))


@pytest.mark.slow
def test_fixes_of_many_files_take_work_with_the_files() -> None:
    fix_files(1)  # what is loaded once does not count
    small, large = (steps(partial(fix_files, size)) for size in (50, 800))
    assert large < 1.2 * 16 * small


def fix_files(size: int) -> None:
    sources = [f"{n}.yaml" for n in range(size)]
    step = EditStep(("a",), Remove(Place(ObjectKey("", "", "", ""), ("a",))))
    fixes = [Fix({SourceDocument(source, 0): (step,)}) for source in sources]
    found = apply_fixes(Texts(Text(source, b"a: 1\nb: 2\n", "yaml", (0,)) for source in sources), fixes)
    assert set(found.texts.values()) == {b"b: 2\n"}


def test_fixes_inside_a_text_take_work_with_its_lines() -> None:
    fix_inside(1)  # what is loaded once does not count
    small, large = (steps(partial(fix_inside, size)) for size in (25, 200))
    assert large < 1.2 * 8 * small


def fix_inside(size: int) -> None:
    lines = "".join(f"    a{n}:\n      old: {n % 8}\n" for n in range(size))
    names = [("data", f"a{n}", "old") for n in range(size)]
    part = SourceDocument("a", 0)
    fixes = [Fix({part: (EditStep(name, Rename(Place(ObjectKey("", "", "", ""), name), "new")),)}) for name in names]
    found = apply_fixes(Texts([Text("a", f"data: |\n{lines}".encode(), "yaml", (0,))]), fixes)
    assert found.texts["a"].decode() == f"data: |\n{lines.replace('old', 'new')}"


def steps(work: Callable[[], object]) -> int:
    """How many lines of Python run."""
    found = 0

    def count(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal found
        del frame, argument
        found += event == "line"
        return count

    held = sys.gettrace()
    sys.settrace(count)
    try:
        work()
    finally:
        sys.settrace(held)
    return found


@pytest.mark.parametrize(
    "shape",
    sampled(
        [
            "wide cohort",
            "elastic quotas",
            "koordinator quotas",
            "koordinator quotas that claim differently",
            "koordinator quotas of a later release",
            "pods of many koordinator quotas",
            "deep koordinator quotas",
        ],
        7,
    ),
)
def test_room_of_all_queues_grows_with_the_queues(shape: str, tmp_path: Path) -> None:
    small, large = (calls(shape, "capacity --no-preempting", "text", size, tmp_path / str(size)) for size in (12, 48))
    assert large < small * LIMIT**2


def test_there_are_shapes_enough_and_each_can_be_asked_about(tmp_path: Path) -> None:
    assert len(SHAPES) >= 25
    assert len({shape.name for shape in SHAPES}) == len(SHAPES)
    for shape in SHAPES:
        (tmp_path / shape.name).mkdir()
        assert lay_out(shape, 3, tmp_path / shape.name) > 0


def test_a_run_that_a_signal_ended_is_a_verdict_of_its_own() -> None:
    ended = Growth("wide", "capacity", "text", (Cost(2, 0, 0), Cost(4, 0, 0), Cost(10.2, 0, -24)), 96_000)
    assert ended.worst == 2
    assert ended.fault(LIMIT) == "ENDED by SIGXCPU after 10 s at 96 KB"
    whole = ended._replace(costs=ended.costs[:2])
    assert whole.fault(LIMIT) == ""
    assert whole.fault(1.9) == "TOO FAST"


def test_a_bound_that_refuses_larger_inputs_is_no_growth() -> None:
    costs = (Cost(0.02, 0, 1), Cost(0.2, 0, 3), Cost(0.2, 0, 3))
    refused = Growth("aliases", "shares", "text", costs, 62_000)
    assert refused.worst > LIMIT
    assert refused.fault(LIMIT) == ""
    assert refused._replace(costs=(*costs[:2], Cost(0.6, 0, 3))).fault(LIMIT) == "TOO FAST"


@pytest.mark.slow
def test_ways_are_as_many_as_their_pods_allow(tmp_path: Path) -> None:
    shape = "pods with elastic quotas"
    small, large = (calls(shape, "plan", "text", size, tmp_path / str(size)) for size in (70, 280))
    assert large < small * LIMIT**2


def test_rights_of_elastic_quotas_are_found_without_looking_at_all_for_each(tmp_path: Path) -> None:
    counted = []
    for size in (40, 160):
        (tmp_path / str(size)).mkdir()
        lay_out(next(each for each in SHAPES if each.name == "elastic quotas"), size, tmp_path / str(size))
        manifests = read([str(tmp_path / str(size) / "in")], known_schedulers()).manifests
        snapshot = assemble(manifests, known_schedulers()).snapshot
        review = scheduler_named("elasticquota").review
        review.entitlements(snapshot)  # what is loaded and cached once does not count
        with Calls() as calls_of_one:
            review.entitlements(snapshot)
        counted.append(calls_of_one.all)
    assert counted[1] < counted[0] * LIMIT**2


def test_a_place_among_workloads_without_an_order_takes_time_with_the_queue() -> None:
    def seconds(size: int) -> float:
        waiting = [replace(pending(f"w{n}", "q"), uid="") for n in range(size)]
        found = state(queue("q"), *waiting)
        lines = {"q": list(found.kueue.pending)}
        return min(timed(lambda: queue_position(found, waiting[-1], "q", lines))[0] for _ in range(5))

    small, large = seconds(250), seconds(1000)
    assert large < 10 * small  # each workload compared with each: 16 times


@pytest.mark.slow
def test_the_list_of_a_full_tree_takes_work_with_its_heads(tmp_path: Path) -> None:
    """Every head waits for victims, in one tree: what follows once they have left is played for none of them."""

    def listed(queues: int) -> Calls:
        path = tmp_path / f"{queues}.json"
        organisation = Organisation(Size(queues=queues, cohorts=20, running=10 * queues, departments=2))
        path.write_bytes(orjson.dumps({"apiVersion": "v1", "kind": "List", "items": organisation.objects(heads=True)}))
        with Calls() as counted:
            main(["why", "-A", "-f", str(path)], None, io.StringIO(), io.StringIO())
        return counted

    listed(4)  # what is loaded and cached once does not count
    small, large = listed(20), listed(80)
    assert large.all < small.all * LIMIT**2  # doubled twice
    assert large.by_name[nominate.__qualname__] < 4 * 80
