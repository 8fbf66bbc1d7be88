"""Aliases are expanded within bounds."""

import pytest

from kubectl_fairshare.input.text.aliases import MAX_ALIASED, MAX_DEPTH, AliasError, Expansion
from kubectl_fairshare.model.json import Json


def test_a_value_is_copied_whole() -> None:
    value: Json = {"a": [1, {"b": None}]}
    copy = Expansion(10).copy(value, 0)
    assert copy == value
    assert copy is not value


def test_copies_are_counted_over_one_text() -> None:
    expansion = Expansion(0)
    wide: Json = [0] * (MAX_ALIASED // 2)
    expansion.copy(wide, 0)
    with pytest.raises(AliasError, match="expand to more than"):
        expansion.copy(wide, 0)


def test_a_longer_text_may_have_more_of_them() -> None:
    Expansion(MAX_ALIASED + 10).copy([0] * (MAX_ALIASED + 5), 0)


def test_aliases_do_not_nest_without_end() -> None:
    with pytest.raises(AliasError, match="levels deep"):
        Expansion(10).copy([[]], MAX_DEPTH)
