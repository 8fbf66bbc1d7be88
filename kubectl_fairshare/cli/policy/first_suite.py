"""``test --init``: a first file of tests from a state, with what the scheduler decides in it now.

Only what has an exact answer is written, so each of its tests passes. Tested in
``tests/unit/policy/test_first_suite.py``.
"""

import glob
import os
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from kubectl_fairshare.answers.number_text import amount
from kubectl_fairshare.answers.outcome import Outcome
from kubectl_fairshare.cli.options.shared import Inputs
from kubectl_fairshare.cli.policy.suite_file import SuiteFile
from kubectl_fairshare.input.files.paths import KUSTOMIZATIONS
from kubectl_fairshare.input.files.paths import TESTS as NAME
from kubectl_fairshare.model import quantity
from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.policy.search.invariants import held_by_resource
from kubectl_fairshare.policy.suite.run import TestBed
from kubectl_fairshare.report.yaml_text import yaml_text
from kubectl_fairshare.schedulers.question import WhyQuestion
from kubectl_fairshare.schedulers.sandbox import MadeUpWork, Site

_Test = dict[str, Any]
_MOST_QUEUES: Final = 12
_MOST_WAITING: Final = 5
_MOST_PODS: Final = 1_000
_HEAD: Final = """\
# Written by `kubectl fairshare test --init`: what the scheduler decides now.
# Keep the tests that must stay true, and say why in `because`. docs/test.md has the form.
"""


class FirstSuite(NamedTuple):
    """A first file of tests: its path, its text, and how many tests it has."""

    path: str
    text: str
    tests: int


def first_suites(paths: Sequence[str]) -> tuple[FirstSuite, ...]:
    """The tests of a state: files, folders, or one kustomization; the file is in the folder of the first of them.

    A repository of several clusters has a file for each unit, in its folder. Raises ``UsageError`` if there is such a
    file, or if nothing in a state has an exact answer.
    """
    words = list(paths or (os.curdir,))
    folder = words[0] if os.path.isdir(words[0]) else os.path.dirname(words[0])
    given = _given([os.path.relpath(word, folder or os.curdir) for word in words], folder)
    units = SuiteFile(_path_in(folder), Inputs(), _text(given, [_NOTHING])).units
    if len(units) == 1 and not units[0]:
        return (_first_suite(folder, given, words),)
    return tuple(_of_unit(names, words) for names in units)


def _of_unit(names: tuple[str, ...], words: Sequence[str]) -> FirstSuite:
    """The tests of a unit: of its kustomization with the files that are named, or of the unit of all that is named."""
    own = names[0] if os.path.isdir(names[0]) else os.path.dirname(names[0])
    files = [os.path.relpath(word, own or os.curdir) for word in words if not os.path.isdir(word)]
    if any(os.path.isfile(os.path.join(own, name)) for name in KUSTOMIZATIONS):
        given: dict[str, Any] = {"paths": [os.curdir, *files]} if files else {"kustomize": os.curdir}
    else:
        each = [glob.escape(os.path.relpath(name, own or os.curdir)) for name in names]
        given = {"paths": [os.path.relpath(word, own or os.curdir) for word in words], "each": each}
    return _first_suite(own, given, names)


def _path_in(folder: str) -> str:
    """The new file of tests in a folder. Raises ``UsageError`` if it is there."""
    path = os.path.normpath(os.path.join(folder, NAME))
    if os.path.lexists(path):
        raise UsageError(Problem(f"`{path}` exists", "--init", "add tests to it, or name the state in another folder"))
    return path


def _first_suite(folder: str, given: dict[str, Any], names: Sequence[str]) -> FirstSuite:
    path = _path_in(folder)
    bed = SuiteFile(path, Inputs(), _text(given, [_NOTHING])).bed
    drafts = [*_of_queues(bed), *_of_waiting(bed), *_holdings(bed), *_findings(bed)]
    passing = SuiteFile(path, Inputs(), _text(given, drafts or [_NOTHING])).passing()
    tests = [draft for number, draft in enumerate(drafts) if number in passing]
    if not tests:
        raise UsageError(Problem(f"nothing in {', '.join(names)} has an exact answer", "--init", "see docs/test.md"))
    return FirstSuite(path, _HEAD + _text(given, tests).decode(), len(tests))


_NOTHING: Final[_Test] = {"name": "nothing", "then": {"findings": []}}


def _given(words: Sequence[str], folder: str) -> dict[str, Any]:
    names = [os.path.join(folder, words[0], name) for name in KUSTOMIZATIONS]
    if len(words) == 1 and any(map(os.path.isfile, names)):
        return {"kustomize": words[0]}
    return {"paths": list(words)}


def _text(given: dict[str, Any], tests: Sequence[_Test]) -> bytes:
    return yaml_text({"given": given, "tests": list(tests)}).encode()


def _of_queues(bed: TestBed) -> Iterator[_Test]:
    """The outcome of one unit of its main resource in each queue, and of all that the queue owns."""
    kind = "pod" if bed.sandbox.single_pods else "workload"
    for site in bed.sandbox.sites[:_MOST_QUEUES]:
        resource = _main_resource(site)
        if resource is None:
            continue
        unit = "1Gi" if resource == "memory" else 1
        yield from _submitted(bed, f"a {kind} of {unit} {resource} in {site.queue}", site, resource, unit, 1)
        pool, owned = max(((p, size) for (p, name), size in site.guaranteed.items() if name == resource), key=_size)
        number = owned // quantity.amount(resource, unit)
        if 1 < number <= _MOST_PODS and not bed.sandbox.single_pods:
            name = f"all that {site.queue} owns{f' in {pool}' if pool else ''}: {number} {resource}"
            yield from _submitted(bed, name, site, resource, unit, number)


def _size(owned: tuple[str, int]) -> int:
    return owned[1]


def _main_resource(site: Site) -> str | None:
    """Devices before cpu, cpu before memory."""
    order = sorted(site.resources, key=lambda name: ("/" not in name and name != "gpu", name))
    return next(iter(order), None)


def _submitted(bed: TestBed, name: str, site: Site, resource: str, unit: str | int, number: int) -> Iterator[_Test]:
    """A test of a workload with the outcome that it has, and its victims unless chance decides which."""
    answer = bed.sandbox.answer(MadeUpWork(site.queue, {resource: quantity.amount(resource, unit)}, number))
    if answer.outcome is Outcome.UNKNOWN:
        return
    submit: _Test = {"queue": site.queue, "request": {resource: unit}, **({"count": number} if number > 1 else {})}
    then: _Test = {"outcome": answer.outcome.value}
    if answer.victims and answer.fidelity.defined:
        queues = sorted({victim.counts_against for victim in answer.victims})
        then["victims"] = {"only-from": queues, "at-most": len(answer.victims)}
    yield {"name": name, "when": {"submit": submit}, "then": then}


def _of_waiting(bed: TestBed) -> Iterator[_Test]:
    """Why the first workloads of the input wait."""
    answers = bed.scheduler.why(bed.snapshot, WhyQuestion())
    for answer in answers[:_MOST_WAITING]:
        key = answer.job or answer.key
        if key is not None:
            why = {"name": f"{key.namespace}/{key.name}", "verdict": answer.verdict.value, "reason": answer.reason}
            yield {"name": f"why {key.namespace}/{key.name} waits", "then": {"why": why}}


def _holdings(bed: TestBed) -> Iterator[_Test]:
    """What queues hold, of those that hold anything."""
    held = {site.queue: held_by_resource(bed.sandbox, site.queue) for site in bed.sandbox.sites[:_MOST_QUEUES]}
    holds = {
        queue: {resource: _written(resource, size) for resource, size in sizes.items() if size}
        for queue, sizes in held.items()
        if any(sizes.values())
    }
    if holds:
        yield {"name": "what queues hold", "then": {"holds": holds}}


def _written(resource: str, size: int) -> str | int:
    text = amount(resource, size)
    return int(text) if text.isdecimal() else text


def _findings(bed: TestBed) -> Iterator[_Test]:
    """The rules of lint that find something, or that nothing is found in quotas."""
    found = sorted({each.rule for each in bed.findings()})
    if found or bed.scheduler.holds(bed.snapshot):
        yield {"name": "what lint finds", "then": {"findings": found}}
