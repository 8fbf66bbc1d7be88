"""Which cases of a test the default suite asks about; the slow tests, or the nightly run, ask about the others."""

from collections.abc import Iterable

import pytest
from _pytest.mark.structures import MarkDecorator, ParameterSet


def sampled(cases: Iterable[object], every: int, first: int = 0) -> list[ParameterSet]:
    """The cases for ``pytest.mark.parametrize``: all but every so manieth have the mark ``slow``.

    A tuple is a case of several arguments. ``first`` is the number of the first case that the default suite asks about.
    """
    return [
        each if number % every == first else _marked(each, pytest.mark.slow)
        for number, each in enumerate(map(_case, cases))
    ]


def nightly(cases: Iterable[object]) -> list[ParameterSet]:
    """Cases that take minutes, of a test of which others run sooner."""
    return [_marked(_case(each), pytest.mark.nightly) for each in cases]


def _case(values: object) -> ParameterSet:
    if isinstance(values, ParameterSet):
        return values
    return pytest.param(*values) if isinstance(values, tuple) else pytest.param(values)


def _marked(case: ParameterSet, mark: MarkDecorator) -> ParameterSet:
    return pytest.param(*case.values, id=case.id, marks=[*case.marks, mark])
