"""``test --update``: what came out, written in place of what was expected."""

from kubectl_fairshare.answers.suite import SuiteResult
from kubectl_fairshare.editing.expected import with_values
from kubectl_fairshare.editing.replacing import replace_files
from kubectl_fairshare.input.files.files import MAX_INPUT
from kubectl_fairshare.input.files.raw_bytes import Budget, of_file
from kubectl_fairshare.model.json import FieldPath, Json


def updated(path: str, suite: SuiteResult) -> tuple[int, int]:
    """Writes the file; returns how many values changed, and how many failed tests have none that can be written.

    A test with cases is left alone: its rows share one value.
    """
    values: list[tuple[FieldPath, Json]] = []
    numbers = [result.number for result in suite.results]
    left = 0
    for result in suite.results:
        at: FieldPath = ("tests", result.number)
        alone = numbers.count(result.number) == 1
        known = [m for m in result.mismatches if m.actual_value is not None and alone]
        values.extend(((*at, *m.path), m.actual_value) for m in known)
        left += bool(result.mismatches) and not known
    if values:
        replace_files({path: with_values(of_file(path, Budget(MAX_INPUT)).decode(), values).encode()})
    return len(values), left
