"""The moments of pods, and what those of a gang say of its job."""

from kubectl_fairshare.jobs.history import Happening, JobEvent
from kubectl_fairshare.jobs.pod_times import PodTimes, gang_events


def test_a_gang_is_admitted_with_its_first_pod_and_ends_with_its_last() -> None:
    pods = [PodTimes(0, 5, None, 20, "Succeeded"), PodTimes(0, 3, None, 30, "Failed")]
    assert gang_events(pods) == [JobEvent(3, Happening.ADMITTED), JobEvent(30, Happening.FINISHED, "Failed")]


def test_a_gang_with_a_pod_that_runs_has_not_ended() -> None:
    pods = [PodTimes(0, 5, None, 20, "Succeeded"), PodTimes(0, 3)]
    assert gang_events(pods) == [JobEvent(3, Happening.ADMITTED)]


def test_a_preempted_pod_is_an_eviction() -> None:
    events = gang_events([PodTimes(0, 5, 9, None, "Failed"), PodTimes(10, 12, None, 20, "Succeeded")])
    assert JobEvent(9, Happening.EVICTED, "Preempted") in events
    assert JobEvent(20, Happening.FINISHED, "Succeeded") in events
