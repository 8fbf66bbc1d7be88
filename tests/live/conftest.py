"""What live tests count, printed at the end of the run."""

from collections.abc import Callable, Iterator
from typing import Final

import pytest

_COUNTED: Final = "counted"


@pytest.fixture
def count(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Keeps a line for the end of the run, from whichever process."""
    return lambda line: request.node.user_properties.append((_COUNTED, line))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for line in _counted(terminalreporter):
        terminalreporter.write_line(line)


def _counted(reporter: pytest.TerminalReporter) -> Iterator[str]:
    for reports in reporter.stats.values():
        for report in reports:
            if getattr(report, "when", "") == "call":
                yield from (line for name, line in report.user_properties if name == _COUNTED)
