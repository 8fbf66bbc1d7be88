"""The program installed in both ways, once for all tests of a group; tests that read the syntax trees of all files.

These are one group, so that one process reads the files, once.
"""

from pathlib import Path

import pytest

from tests.meta.installation import Installation, installed


@pytest.fixture(scope="session", params=["wheel", "editable"])
def installation(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    kind = str(request.param)
    return installed(kind, tmp_path_factory.mktemp(kind))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here) and item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group("repository"))
