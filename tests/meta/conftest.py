"""The program installed in both ways, once for all tests of a group."""

import pytest

from tests.meta.installation import Installation, installed


@pytest.fixture(scope="session", params=["wheel", "editable"])
def installation(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    kind = str(request.param)
    return installed(kind, tmp_path_factory.mktemp(kind))
