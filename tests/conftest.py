"""What every test may use: the program in this process, and screens that were kept."""

import gc
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.screens import ROOT, Screen, compare, shown

IN_CI = os.environ.get("CI", "").lower() not in ("", "0", "false")

EXAMPLES = int(os.environ.get("FAIRSHARE_EXAMPLES", "20"))
"""Cases for a property that names no number of its own."""

_SLOW = [HealthCheck.too_slow]
"""The first text that a process draws loads tables of characters: a second on a busy machine, no fault of a test."""
settings.register_profile("here", deadline=None, max_examples=EXAMPLES, suppress_health_check=_SLOW)
settings.register_profile(
    "ci", deadline=None, max_examples=EXAMPLES, derandomize=True, print_blob=True, suppress_health_check=_SLOW
)
settings.load_profile("ci" if IN_CI else "here")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rewrite-goldens",
        action="store_true",
        help="write what the program prints now into tests/golden instead of comparing with it",
    )


def pytest_configure(config: pytest.Config) -> None:
    keep_compiled_modules(config)
    if IN_CI and config.getoption("--rewrite-goldens"):
        raise pytest.UsageError("--rewrite-goldens is refused where CI is set: look at the change, then commit it")


def keep_compiled_modules(config: pytest.Config) -> None:
    """Keeps compiled modules in pytest's cache where PYTHONDONTWRITEBYTECODE keeps them out of the checkout.

    Otherwise each of some hundred programs that the tests start compiles itself and its dependencies again.
    """
    cache = getattr(config, "cache", None)
    if sys.dont_write_bytecode and isinstance(cache, pytest.Cache):
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = str(cache.mkdir("bytecode"))
        sys.dont_write_bytecode = False


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Several processes for the whole suite; none for a named path, where their start costs more than it saves."""
    whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    return min(4, os.cpu_count() or 1) if whole else 0


def pytest_collection() -> None:
    """Tests are collected without the garbage collector: it would walk over their syntax trees and find nothing."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Takes the collected tests out of the garbage collector's sight: they stay, and a collection looks at all else.

    A program that watches collects after each answer, and would walk over 16,000 tests each time.
    """
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def no_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test finds a cluster unless it names one, nor leaves names of one behind."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
        patch.delenv("FAIRSHARE_PAGER", raising=False)
        patch.setenv("KUBECONFIG", str(ROOT / "no-such-kubeconfig"))
        patch.delenv("KUBERNETES_SERVICE_HOST", raising=False)
        yield


@pytest.fixture(autouse=True)
def same_folder() -> Iterator[None]:
    """A test that leaves the process in another folder fails itself, not those after it: settings are found there."""
    before = os.getcwd()
    yield
    after = os.getcwd()
    os.chdir(before)
    assert after == before, "this test changed the folder: take monkeypatch.chdir"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Screen]:
    """Runs a command line (``kubectl-fairshare shares -f x.yaml < y``) in this process, at the repository's root."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "80")
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE"):
        monkeypatch.delenv(name, raising=False)
    return shown


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compares a text with ``tests/golden/NAME``, or writes it there under ``--rewrite-goldens``."""
    rewrite = bool(request.config.getoption("--rewrite-goldens"))

    def check(name: str, text: str) -> None:
        compare(ROOT / "tests" / "golden" / name, text, rewrite=rewrite)

    return check


@pytest.fixture(scope="session")
def root() -> Path:
    """The top of the repository."""
    return ROOT
