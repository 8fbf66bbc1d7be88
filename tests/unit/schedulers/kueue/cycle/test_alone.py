"""A workload alone in its cycle gets the cycle's second look: ``plan`` and ``cycle`` say the same of it.

Kueue v0.19.2 decides ``testdata/topology/second-look.yaml`` as the first test says.
"""

import json
from collections.abc import Callable
from typing import Any

from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.kueue.cycle.alone import scan
from kubectl_fairshare.schedulers.kueue.cycle.nominate import nominate
from kubectl_fairshare.schedulers.kueue.flavors.assignment import Mode
from kubectl_fairshare.schedulers.kueue.tree.state import state_of
from tests.screens import ROOT, Screen

Run = Callable[[str], Screen]
FILE = ROOT / "testdata" / "topology" / "second-look.yaml"


def test_fewer_pods_go_where_the_first_nomination_was() -> None:
    """With fewer pods the first flavor has quota, but no room; the second look leaves it out."""
    schedulers = known_schedulers()
    state = state_of(assemble(read((str(FILE),), schedulers=schedulers).manifests, schedulers).snapshot)
    first = nominate(state, state.kueue.pending[0])
    (last,) = scan(state, state.kueue.pending[0])
    assert (first.mode, first.admits) == (Mode.PREEMPT, False)
    assert last.assignment is not None
    assert (last.mode, last.assignment.pod_sets[0].count) == (Mode.FIT, 2)


def test_plan_and_cycle_say_the_same(run: Run) -> None:
    def document(command: str) -> Any:
        return json.loads(run(f"kubectl-fairshare {command} -o json").stdout)

    cycle = document(f"cycle -f {FILE}")
    assert [(e["workload"]["name"], e["status"]) for e in cycle["entries"]] == [("shrinks", "assumed")]
    assert document(f"why -f {FILE} -n ml shrinks")["byWhatIsModelled"] == "Admitted"
