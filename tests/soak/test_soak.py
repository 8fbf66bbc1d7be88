"""A property that fails for some seed is found, kept and asked again."""

from itertools import islice
from pathlib import Path
from textwrap import dedent

import pytest

from tests.soak.campaign import FOUND_NOTHING, Case, cases, files, kept, main

_FAULTY = """
    from hypothesis import given
    from hypothesis.strategies import integers

    @given(integers(0, 30))
    def test_numbers_are_small(number):
        assert number < 20

    @given(integers(0, 30))
    def test_numbers_are_not_negative(number):
        assert number >= 0
"""


@pytest.mark.parametrize("case", kept(), ids=lambda case: f"{case.test}-{case.seed}")
def test_what_once_failed_passes(case: Case) -> None:
    done = case.run()
    assert done.returncode in FOUND_NOTHING, done.stdout


@pytest.mark.slow
def test_a_failing_property_is_kept_and_fails_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    module, keep = tmp_path / "test_numbers.py", tmp_path / "kept.jsonl"
    module.write_text(dedent(_FAULTY), encoding="utf-8")
    assert main(["--minutes", "0.001", "--seed", "7", "--keep", str(keep), str(module)]) == 1
    [case] = kept(keep)
    assert case.test.endswith("test_numbers.py::test_numbers_are_small")
    assert f"kept: {case}" in capsys.readouterr().out
    assert "number=20" in case.run().stdout


@pytest.mark.slow
def test_a_file_of_which_no_property_was_asked_is_no_success(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="pytest ended with 4"):
        main(["--minutes", "0.001", "--keep", str(tmp_path / "kept.jsonl"), str(tmp_path / "test_absent.py")])


def test_the_same_seed_asks_the_same_cases_of_each_file_in_turn() -> None:
    paths = files()
    first = list(islice(cases(5, 10, paths), 2 * len(paths)))
    assert first == list(islice(cases(5, 10, paths), 2 * len(paths)))
    assert {each.test for each in first[: len(paths)]} == {str(each) for each in paths}
    assert first != list(islice(cases(6, 10, paths), 2 * len(paths)))


def test_files_of_properties_are_found() -> None:
    assert Path("tests/property/test_shares.py") in files()
    assert Path("tests/soak/test_soak.py") not in files()
