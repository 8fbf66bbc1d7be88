"""The recordings by name."""

import pytest

from kubectl_fairshare.conformance.replays import REPLAYS, recording_named
from kubectl_fairshare.model.errors import UsageError
from kubectl_fairshare.schedulers import every_scheduler


def test_every_scheduler_has_recordings_of_its_name() -> None:
    for scheduler in every_scheduler():
        assert scheduler.name in scheduler.recordings
        for name, recording in scheduler.recordings.items():
            assert recording_named(name) is recording
            assert callable(recording.replay)
    assert sum(len(scheduler.recordings) for scheduler in every_scheduler()) == len(REPLAYS), "no name is taken twice"


def test_an_unknown_name_gets_the_nearest() -> None:
    name = next(iter(REPLAYS))
    with pytest.raises(UsageError, match=f"no recording is called `{name}x`") as caught:
        recording_named(f"{name}x")
    assert name in str(caught.value.problems[0].help)
