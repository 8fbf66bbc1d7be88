"""Bars of a simulation."""

from kubectl_fairshare.schedulers.kai.words.timelines import bars


def test_bars_are_means_of_stretches() -> None:
    assert bars([0, 0, 4, 4], 4, 2) == " █"
    assert bars([4, 0, 4, 0], 4, 2) == "▄▄"
    assert bars([], 4, 2) == ""
