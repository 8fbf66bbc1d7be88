"""``--require exact``: answers by the rules of another release, and answers that are not exact, exit with 5."""

import pytest

from tests.sampling import sampled
from tests.screens import shown

ORG = "-f testdata/demo/org"
JOB = "-w testdata/demo/jobs/finetune.yaml"


@pytest.mark.parametrize(
    ("call", "code", "required"),
    sampled(
        [
            (f"shares {ORG}", 0, 0),
            (f"shares {ORG} --release 0.20.3", 0, 5),
            (f"shares {ORG} --release 0.20.9", 0, 5),
            (f"plan {ORG} {JOB}", 0, 0),
            (f"plan {ORG} {JOB} --release 0.20.3", 0, 5),
            (f"plan {ORG} {JOB} --release 0.20.9", 5, 5),
            (f"cycle {ORG} --release 0.20.3", 0, 5),
            (f"why -A {ORG} --release 0.20.3", 0, 5),
            (f"why -A {ORG}", 0, 0),
            (f"capacity {ORG} --release 0.20.3", 0, 5),
            ("diff testdata/demo/org testdata/demo/org", 0, 0),
            ("diff testdata/demo/org testdata/demo/org --release 0.20.3", 0, 5),
            ("diff testdata/demo/org testdata/demo/org --release 0.20.3 -o markdown", 0, 5),
            (f"shares {ORG} --release 0.20.3 -o json", 0, 5),
            (f"shares {ORG} --release 0.20.3 -o csv", 0, 5),
        ],
        4,
    ),
)
def test_only_what_was_measured_passes(call: str, code: int, required: int) -> None:
    assert shown(f"kubectl-fairshare {call}").code == code
    assert shown(f"kubectl-fairshare {call} --require exact").code == required
