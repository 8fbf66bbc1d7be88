"""What became of the tests of a policy. Data only.

Tested in ``tests/unit/policy/test_suite.py``.
"""

from enum import StrEnum

from kubectl_fairshare.answers.documents import AnswerPart
from kubectl_fairshare.model.location import Location
from kubectl_fairshare.model.values import field


class TestStatus(StrEnum):
    """PASSED; FAILED: the scheduler decides otherwise; UNKNOWN: there is no exact answer. Only PASSED passes."""

    PASSED = "Passed"
    FAILED = "Failed"
    UNKNOWN = "Unknown"


class Mismatch(AnswerPart, frozen=True):
    """One expectation that does not hold: what was expected, what came out, and where the expectation is written.

    ``field`` is the field below the test.
    """

    DOCUMENT = ("field", "expected", "actual", "at")
    path: tuple[str | int, ...]
    expected: str
    actual: str
    at: Location | None = None
    actual_value: object = None  # what would be written there instead, if anything can

    @property
    def field(self) -> str:
        """The path as a text."""
        return ".".join(map(str, self.path))


class Proof(AnswerPart, frozen=True):
    """What the decision rests on: the limit that binds, or the rule by which others go; and its line."""

    clause: str
    at: Location | None = None


class TestResult(AnswerPart, frozen=True):
    """One test, or one case of it; ``proofs`` say why it came out so."""

    DOCUMENT = ("name", "status", "because", "at", "mismatches", "proofs", "doubts", "notes")
    name: str
    number: int  # its place in the file
    at: Location
    status: TestStatus
    mismatches: tuple[Mismatch, ...] = ()
    proofs: tuple[Proof, ...] = ()
    doubts: tuple[str, ...] = ()
    because: str = ""
    notes: tuple[str, ...] = ()


class Coverage(AnswerPart, frozen=True):
    """What no test has exercised: queues, quotas that never bound, and rules by which nothing was preempted.

    ``lint`` are the rules of lint that no test expects to find something; null if no test expects any finding.
    """

    queues: tuple[str, ...]
    limits: tuple[str, ...]
    rules: tuple[str, ...]
    lint: tuple[str, ...] | None = None


class SuiteResult(AnswerPart, frozen=True):
    """All tests of one file, in its order; ``units`` are what they ran on, if a repository has several parts."""

    DOCUMENT = ("source", "units", "scheduler", "results", "coverage")
    source: str
    scheduler: str
    results: tuple[TestResult, ...] = field(name="tests")
    coverage: Coverage = field(name="neverExercised")
    units: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The file, and what it ran on."""
        return f"{self.source} ({', '.join(self.units)})" if self.units else self.source

    def count(self, status: TestStatus) -> int:
        """How many tests came out so."""
        return sum(result.status is status for result in self.results)


class TestReport(AnswerPart, frozen=True):
    """What became of all tests."""

    DOCUMENT = ("exit_code", "suites")
    suites: tuple[SuiteResult, ...]

    @property
    def exit_code(self) -> int:
        """0 if every test passed, otherwise 1: what is not decided does not pass."""
        return int(any(each.status is not TestStatus.PASSED for suite in self.suites for each in suite.results))
