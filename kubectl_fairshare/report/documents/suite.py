"""The document of tests of policies, as types."""

from typing import Literal, TypedDict

from kubectl_fairshare.report.documents import parts
from kubectl_fairshare.report.documents.diff import HindrancePart, SourcePart

StatusName = Literal["Passed", "Failed", "Unknown"]


class MismatchPart(TypedDict):
    """An expectation that does not hold, by its field below the test."""

    field: str
    expected: str
    actual: str
    at: SourcePart | None


class TestResultPart(TypedDict):
    """One test, or one case of it."""

    name: str
    status: StatusName
    because: str
    at: SourcePart
    mismatches: list[MismatchPart]
    proofs: list[HindrancePart]
    doubts: list[str]
    notes: list[str]


class CoveragePart(TypedDict):
    """What no test of the file exercised; ``lint`` is null if none expects findings of lint."""

    queues: list[str]
    limits: list[str]
    rules: list[str]
    lint: list[str] | None


class SuitePart(TypedDict):
    """The tests of one file; ``units`` are the parts of a repository that they ran on, if it has several."""

    source: str
    units: list[str]
    scheduler: str
    tests: list[TestResultPart]
    neverExercised: CoveragePart


class TestReportDocument(TypedDict):
    """What became of all tests."""

    apiVersion: parts.ApiVersion
    kind: Literal["TestReport"]
    exitCode: int
    suites: list[SuitePart]
