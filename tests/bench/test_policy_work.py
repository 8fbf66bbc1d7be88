"""How long questions about a policy take, next to reading what they are about.

``python -m pytest tests/bench/test_policy_work.py -m bench -s`` prints the ratios and the states per second.
"""

import gc
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from kubectl_fairshare.cli.options.shared import Inputs
from kubectl_fairshare.cli.policy.suite_file import SuiteFile
from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.policy.capacity.rooms import ScaledShape, capacity
from kubectl_fairshare.policy.diff.difference import Scope, difference
from kubectl_fairshare.policy.search.invariants import Entitled
from kubectl_fairshare.policy.search.loads import space_of
from kubectl_fairshare.policy.search.search import carried_out, systematic_tasks
from kubectl_fairshare.policy.version import Version
from kubectl_fairshare.schedulers import known_schedulers, scheduler_named
from tests.bench.organisation import LARGE, Organisation, listed

pytestmark = pytest.mark.bench
QUEUES = 6
CASES = 200
_WHEN = "{running: [{queue: queue-0, request: {cpu: 8}}], submit: {queue: '${queue}', request: {cpu: '${cpu}'}}}"


def seconds(work: Callable[[], object]) -> float:
    """Processor time; what was made before is not collected meanwhile."""
    gc.collect()
    gc.freeze()
    start = time.process_time()
    work()
    return time.process_time() - start


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """1,000 queues, 10,000 running workloads and 1,000 that wait."""
    path = tmp_path_factory.mktemp("bench") / "state.json"
    path.write_bytes(listed(Organisation(LARGE).objects(heads=True)))
    return path


def parsed(path: Path) -> Snapshot:
    manifests = read([str(path)], known_schedulers()).manifests
    return assemble(manifests, known_schedulers()).snapshot


def test_diff_takes_less_than_eight_parses_of_both(state: Path) -> None:
    parse = 2 * seconds(lambda: parsed(state))
    one, other = (Version(name, parsed(state), {}) for name in ("one", "other"))

    found = seconds(lambda: difference(scheduler_named("kueue"), one, other, Scope(saturated=False)))

    print(f"diff: {found / parse:.2f} parses of both")
    assert found < 8 * parse


def test_capacity_of_all_queues_takes_less_than_ten_parses(state: Path) -> None:
    parse = seconds(lambda: parsed(state))
    snapshot, shape = parsed(state), ScaledShape({}, preempting=False)

    found = seconds(lambda: capacity(scheduler_named("kueue"), snapshot, shape, (), ()))

    print(f"capacity, now, ever and copies: {found / parse:.2f} parses")
    assert found < 10 * parse


def test_capacity_after_preemption_is_measured_for_each_row(state: Path) -> None:
    parse = seconds(lambda: parsed(state))
    snapshot, queues = parsed(state), ["queue-00000", "queue-00500", "research"]
    rows = 0

    def run() -> None:
        nonlocal rows
        rows = len(capacity(scheduler_named("kueue"), snapshot, ScaledShape({}), queues, ()).rows)

    spent = seconds(run)
    print(f"capacity, after preemption: {spent / parse / rows:.2f} parses for a queue's flavor and resource")
    assert spent < parse * rows


def test_a_search_decides_thousands_of_states_each_second(tmp_path: Path) -> None:
    policy = tmp_path / "six.yaml"
    flavor = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: default}\n"
    policy.write_text("---\n".join([flavor, *(_queue(f"queue-{number}") for number in range(QUEUES))]))
    sandbox = scheduler_named("kueue").review.sandbox(parsed(policy)).idle()
    space, states = space_of(sandbox, "cpu", (1000, 4000, 12000)), 0

    def run() -> None:
        nonlocal states
        for task in systematic_tasks(space, 3):
            states += carried_out(task, sandbox, space, [Entitled()]).states

    spent = seconds(run)
    print(f"search: {states:,} states, {states / spent:,.0f} each second")
    assert states > 2000 * spent


def test_a_case_of_a_suite_takes_less_than_five_milliseconds(tmp_path: Path) -> None:
    flavor = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: default}\n"
    (tmp_path / "six.yaml").write_text("---\n".join([flavor, *(_queue(f"queue-{n}") for n in range(QUEUES))]))
    spent = {}
    for number in (1, CASES + 1):
        rows = "".join(f"  - {{queue: queue-{n % QUEUES}, cpu: {n % 4 + 1}}}\n" for n in range(number))
        test = f"- name: a\n  cases:\n{rows}  when: {_WHEN}\n  then: {{outcome: [Admitted, Preempts]}}\n"
        path = tmp_path / f"fairshare-{number}.yaml"
        path.write_text(f"given: {{paths: [six.yaml]}}\ntests:\n{test}")
        spent[number] = min(seconds(lambda path=path: _all_pass(path)) for _ in range(3))  # type: ignore[misc]

    each = (spent[CASES + 1] - spent[1]) / CASES
    print(f"test: {1000 * each:.2f} ms a case, over {CASES} cases")
    assert each < 0.005


def _all_pass(path: Path) -> None:
    (suite,) = SuiteFile(str(path), Inputs(filename=(str(path),))).run()
    assert {result.status for result in suite.results} == {"Passed"}


def _queue(name: str) -> str:
    return f"""apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {{name: {name}}}
spec:
  cohortName: all
  namespaceSelector: {{}}
  preemption: {{reclaimWithinCohort: Any}}
  resourceGroups:
  - coveredResources: [cpu]
    flavors: [{{name: default, resources: [{{name: cpu, nominalQuota: 4}}]}}]
"""
