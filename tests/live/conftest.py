"""What live tests count, printed at the end of the run."""

from collections.abc import Callable

import pytest

COUNTED = pytest.StashKey[list[str]]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[COUNTED] = []


@pytest.fixture
def count(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Keeps a line for the end of the run."""
    return request.config.stash[COUNTED].append


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    for line in config.stash.get(COUNTED, []):
        terminalreporter.write_line(line)
