"""``test --update``: what came out, written in place of what was expected."""

from pathlib import Path

from kubectl_fairshare.answers.suite import SuiteResult
from kubectl_fairshare.editing.expected import with_values
from kubectl_fairshare.editing.replacing import replace_files
from kubectl_fairshare.model.json import FieldPath, Json


def updated(path: str, suite: SuiteResult) -> int:
    """Writes the file; returns how many values changed. A test with cases is left alone: its rows share one value."""
    values: list[tuple[FieldPath, Json]] = []
    numbers = [result.number for result in suite.results]
    for result in suite.results:
        if numbers.count(result.number) > 1:
            continue
        at: FieldPath = ("tests", result.number)
        values.extend(((*at, *m.path), m.actual_value) for m in result.mismatches if m.actual_value is not None)
    if values:
        replace_files({path: with_values(Path(path).read_text("utf-8"), values).encode()})
    return len(values)
