"""What a stranger wrote makes no program of the reader's take all memory, and no ring of owners all time."""

import json
import os
import sys
from functools import partial
from pathlib import Path

import pytest

from kubectl_fairshare.input.files import charts, kustomize, programs
from kubectl_fairshare.input.files.raw_bytes import Budget
from kubectl_fairshare.model.errors import FairshareError, Problem
from tests.screens import shown
from tests.unit.cli.why_state import job, queue, surroundings

linux = pytest.mark.skipif(sys.platform != "linux", reason="no other system bounds a program that runs")
MANY = 600
"""Objects that own each other in a ring: each of them looked at for each other would take a minute."""


@linux
def test_a_program_that_takes_more_memory_than_it_may_is_said_to() -> None:
    grows = "import time; time.sleep(0.2); held = bytearray(1 << 30)"
    with pytest.raises(FairshareError) as raised:
        programs.output_of([sys.executable, "-c", grows], "x", Budget(100), "", Problem, memory=1 << 28)
    assert raised.value.problems[0].message == "it needs more than 0.3 GB of memory"


@linux
@pytest.mark.parametrize("of", ["kustomization", "chart"])
def test_what_builds_for_a_stranger_has_a_bound(of: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("kubectl", "helm"):
        path = tmp_path / name
        path.write_text("#!/bin/sh\nsleep 0.3\necho bound $(ulimit -d) >&2\nexit 1\n")
        path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    (tmp_path / "Chart.yaml").write_text("apiVersion: v2\nname: x\nversion: 1.0.0\n")
    (tmp_path / "templates").mkdir()
    build = charts.render if of == "chart" else partial(kustomize.build, found=True)
    with pytest.raises(FairshareError) as raised:
        build(str(tmp_path), Budget(100))
    assert f"bound {programs.STRANGERS_MEMORY // 1024}" in str(raised.value.problems)


@pytest.mark.parametrize("names", ["ring", "chain", "fan"])
def test_jobs_that_own_each_other_hold_up_no_list(names: str, tmp_path: Path) -> None:
    def owners(i: int) -> list[int]:
        each = {"ring": [(i + 1) % MANY], "chain": [i + 1], "fan": [*range(MANY)] if i < 9 else []}
        return each[names]

    jobs = [job(f"j{i}") for i in range(MANY)]
    for i, each in enumerate(jobs):
        refs = [{"apiVersion": "batch/v1", "kind": "Job", "name": f"j{k}", "uid": f"u{k}"} for k in owners(i)]
        each["metadata"] |= {"uid": f"u{i}", "ownerReferences": refs}
    path = tmp_path / "state.json"
    items = [*surroundings(), *queue("q"), *jobs]
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    assert shown(f"kubectl-fairshare why -A --limit 2 -f {path}").code in (0, 3, 5)
