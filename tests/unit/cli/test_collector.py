"""The collector comes back after loading, and keeps nothing that somebody else may want to see gone."""

import gc
import subprocess
import sys
from collections.abc import Iterator

import pytest

from kubectl_fairshare.cli.collector import ONE_ANSWER, without_collector
from tests.screens import ROOT, shown

FROZEN = (
    "import gc, sys; from kubectl_fairshare.cli.main import console; sys.argv[1:] = ['rule', 'K027'];"
    "console(); print(gc.get_freeze_count() > 0, gc.get_threshold()[0] > 2000)"
)


@pytest.fixture(autouse=True)
def _thawed() -> Iterator[None]:
    gc.unfreeze()
    yield
    gc.unfreeze()


def test_the_collector_rests_while_something_is_loaded() -> None:
    with without_collector():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_it_stays_off_where_it_was_off() -> None:
    gc.disable()
    try:
        with without_collector():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


@pytest.mark.parametrize("alone", [True, False])
def test_what_was_loaded_is_left_alone_only_in_a_process_of_one_answer(alone: bool) -> None:
    before = ONE_ANSWER.set(alone)
    try:
        with without_collector():
            pass
    finally:
        ONE_ANSWER.reset(before)
    assert (gc.get_freeze_count() > 0) is alone


def test_a_call_within_a_process_freezes_nothing() -> None:
    assert shown("kubectl-fairshare lint testdata/rules/K027/good.yaml").code == 0
    assert gc.get_freeze_count() == 0


def test_the_program_does_and_looks_for_cycles_less_often() -> None:
    done = subprocess.run([sys.executable, "-c", FROZEN], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.endswith("True True\n")
