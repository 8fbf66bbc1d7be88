"""What became of the tests of a policy. Data only.

Tested in ``tests/unit/policy/test_suite.py``.
"""

from enum import StrEnum

from kubectl_fairshare.model.location import Location
from kubectl_fairshare.model.values import Value


class TestStatus(StrEnum):
    """PASSED; FAILED: the scheduler decides otherwise; UNKNOWN: there is no exact answer. Only PASSED passes."""

    PASSED = "Passed"
    FAILED = "Failed"
    UNKNOWN = "Unknown"


class Mismatch(Value, frozen=True):
    """One expectation that does not hold: what was expected, what came out, and where the expectation is written.

    ``path`` is the field below the test; ``actual_value`` is what would be written there instead, None if nothing can.
    """

    path: tuple[str | int, ...]
    expected: str
    actual: str
    at: Location | None = None
    actual_value: object = None


class Proof(Value, frozen=True):
    """What the decision rests on: the limit that binds, or the rule by which others go; and its line."""

    clause: str
    at: Location | None = None


class TestResult(Value, frozen=True):
    """One test, or one case of it. ``number`` is its place in the file, ``proofs`` say why it came out so."""

    name: str
    number: int
    at: Location
    status: TestStatus
    mismatches: tuple[Mismatch, ...] = ()
    proofs: tuple[Proof, ...] = ()
    doubts: tuple[str, ...] = ()
    because: str = ""
    notes: tuple[str, ...] = ()


class Coverage(Value, frozen=True):
    """What no test has exercised: queues, quotas that never bound, and rules by which nothing was preempted.

    ``lint`` are the rules of lint that no test expects to find something; None if no test expects any finding.
    """

    queues: tuple[str, ...]
    limits: tuple[str, ...]
    rules: tuple[str, ...]
    lint: tuple[str, ...] | None = None


class SuiteResult(Value, frozen=True):
    """All tests of one file, in its order; ``units`` are what they ran on, if a repository has several parts."""

    source: str
    scheduler: str
    results: tuple[TestResult, ...]
    coverage: Coverage
    units: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The file, and what it ran on."""
        return f"{self.source} ({', '.join(self.units)})" if self.units else self.source

    def count(self, status: TestStatus) -> int:
        """How many tests came out so."""
        return sum(result.status is status for result in self.results)
