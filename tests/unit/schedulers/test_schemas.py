"""The schemas of all documents: each has a path of its own."""

from kubectl_fairshare.schedulers import ALL
from kubectl_fairshare.schedulers.schemas import documents


def test_every_document_and_every_scheduler_has_schemas() -> None:
    paths = [path for path, _ in documents()]
    assert len(paths) == len(set(paths))
    assert {path.partition("/")[0] for path in paths} == {*ALL, "fairshare"}
    assert all(path.endswith(".json") for path in paths)
