"""Releases as users write them."""

import pytest

from kubectl_fairshare.model.releases import Release


@pytest.mark.parametrize("text", ["0.19", "v0.19", "0.19.2", "v0.19.12"])
def test_patches_of_a_minor_release_are_one_release(text: str) -> None:
    assert Release.parse(text) == Release(0, 19)
    assert str(Release.parse(text)) == "0.19"


def test_releases_compare_by_numbers_not_by_letters() -> None:
    assert Release.parse("0.9") < Release.parse("0.19") < Release.parse("1.0")


@pytest.mark.parametrize("text", ["", "19", "0.x", "0.19-rc.1", " 0.19", "0.19.2.1", "0.99999", "٠.١"])
def test_anything_else_is_an_error_with_the_form(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not a release; write `0\.19`"):
        Release.parse(text)
