"""Calls that workers carry out: their order, what is missing, and what is lost."""

import io
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from kubectl_fairshare.cli.policy import workers
from kubectl_fairshare.cli.policy.workers import Workers, worker_losses
from kubectl_fairshare.input.install_command import install_command
from kubectl_fairshare.model.errors import UsageError


def squared(shared: bytes, number: int) -> int:
    return int(shared) * number * number


class Rays:
    """A cluster of Ray whose calls end in reverse order; ``cpus`` are its nodes' cores."""

    def __init__(self, cpus: float) -> None:
        self.cpus, self.sent, self.most, self.closed = cpus, 0, 0, False

    def init(self, **_: object) -> None:
        self.closed = False

    def shutdown(self) -> None:
        self.closed = True

    def put(self, shared: bytes) -> bytes:
        return shared

    def remote(self, **_: object) -> Any:
        return lambda call: SimpleNamespace(remote=lambda *given: self.later(call, given))

    def later(self, call: Any, given: tuple[Any, ...]) -> Any:
        self.sent += 1
        self.most = max(self.most, self.sent)
        return SimpleNamespace(value=call(*given))

    def wait(self, calls: list[Any], **_: object) -> tuple[list[Any], list[Any]]:
        self.sent -= bool(self.cpus)
        return ([calls[-1]], calls[:-1]) if self.cpus else ([], calls)

    def get(self, call: Any) -> Any:
        return call.value

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": self.cpus}


@pytest.mark.parametrize(("ordered", "expected"), [(True, [0, 2, 8, 18, 32]), (False, [2, 8, 18, 32, 0])])
def test_results_come_in_order_if_that_is_asked(
    monkeypatch: pytest.MonkeyPatch, ordered: bool, expected: list[int]
) -> None:
    ray = Rays(2)
    monkeypatch.setitem(sys.modules, "ray", ray)
    with Workers(2, "ray").running(ordered=ordered) as run:
        assert list(run(squared, b"2", range(5))) == expected
    assert ray.closed
    assert ray.most == (5 if ordered else 2), "no more are sent than workers can take"


def test_a_cluster_without_a_node_is_a_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", Rays(0))
    with Workers(1, "ray").running(ordered=True) as run, pytest.raises(worker_losses()):
        list(run(squared, b"2", range(5)))


def test_one_worker_here_needs_no_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "import_module", None)
    Workers(1, "loky").check()
    with Workers(1, "loky").running(ordered=False) as run:
        assert list(run(squared, b"3", range(3))) == [0, 3, 12]


@pytest.mark.parametrize(
    ("backend", "missing", "packages"),
    [("loky", "joblib", "joblib"), ("dask", "distributed", "joblib dask distributed"), ("ray", "ray", "ray")],
)
def test_a_missing_package_is_named_with_its_remedy(
    monkeypatch: pytest.MonkeyPatch, backend: str, missing: str, packages: str
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(UsageError, match=f"`{missing}` is not installed") as caught:
        Workers(2, backend).check()
    assert f"`{install_command(*packages.split())}`" in str(caught.value.problems[0].help)


def test_without_the_package_one_process_works_and_a_note_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "find_spec", lambda _: None)
    monkeypatch.setattr("os.cpu_count", lambda: 8)
    said = io.StringIO()
    assert workers.jobs_for(None, "loky", said, quiet=False) == 1
    assert "note: one process works, as `joblib` is not installed" in said.getvalue()
    assert workers.jobs_for(2, "loky", said, quiet=True) == 1
    assert workers.jobs_for(2, "dask", said, quiet=True) == 2
    monkeypatch.setattr(workers, "find_spec", lambda name: name)
    assert workers.jobs_for(None, "loky", said, quiet=True) == 8
