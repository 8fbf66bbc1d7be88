"""How the records of one job become its line: each happening once, in order, and nothing that may be missing."""

from kubectl_fairshare.jobs.history import Happening, JobEvent, dated, in_order, lacking_notes, with_events
from kubectl_fairshare.model.job_trace import TracedJob, TracedPods
from kubectl_fairshare.model.values import replace

S = 10**9
JOB = TracedJob("a", "n", "q", 0, (TracedPods("main", 1, {}),))
ADMITTED, EVICTED, FINISHED = Happening.ADMITTED, Happening.EVICTED, Happening.FINISHED


def test_an_event_is_more_exact_than_the_condition_of_the_same_second() -> None:
    events = [JobEvent(5 * S, EVICTED, "Preempted"), JobEvent(5 * S + 7, EVICTED, "")]
    assert in_order(events) == (JobEvent(5 * S + 7, EVICTED, "Preempted"),)


def test_happenings_that_are_further_apart_stay_apart() -> None:
    events = [JobEvent(5 * S, ADMITTED), JobEvent(8 * S, EVICTED), JobEvent(9 * S, ADMITTED)]
    assert in_order(events) == tuple(events)


def test_the_duration_is_that_of_the_last_run() -> None:
    events = [JobEvent(S, ADMITTED), JobEvent(3 * S, EVICTED), JobEvent(10 * S, ADMITTED), JobEvent(15 * S, FINISHED)]
    job = with_events(JOB, events)
    assert (job.admitted, job.duration, job.finished) == (S, 5 * S, 15 * S)
    assert job.readmitted == (10 * S,)


def test_a_first_admission_after_an_eviction_is_not_the_first() -> None:
    job = with_events(JOB, [JobEvent(3 * S, EVICTED), JobEvent(10 * S, ADMITTED), JobEvent(15 * S, FINISHED)])
    assert (job.admitted, job.duration) == (None, 5 * S)
    assert with_events(JOB, [JobEvent(S, ADMITTED)], missing=1).admitted is None


def test_a_start_is_cut_to_seconds_where_the_end_is() -> None:
    job = with_events(JOB, [JobEvent(S + 700, ADMITTED), JobEvent(15 * S, FINISHED)])
    assert (job.admitted, job.duration) == (S + 700, 14 * S)
    exact = with_events(JOB, [JobEvent(S + 700, ADMITTED), JobEvent(15 * S + 900, FINISHED)])
    assert exact.duration == 14 * S + 200


def test_two_exact_moments_are_two_happenings() -> None:
    events = [JobEvent(S + 100, EVICTED), JobEvent(S + 900, EVICTED)]
    assert in_order(events) == tuple(events)


def test_an_event_long_after_its_condition_is_the_same_eviction() -> None:
    events = [JobEvent(5 * S, EVICTED, "Preempted", last=True), JobEvent(9 * S + 7, EVICTED, "Preempted")]
    assert in_order(events) == (JobEvent(9 * S + 7, EVICTED, "Preempted"),)


def test_an_event_long_before_the_condition_is_an_earlier_eviction() -> None:
    events = [JobEvent(5 * S, EVICTED, "Preempted"), JobEvent(9 * S, EVICTED, "Preempted", last=True)]
    assert len(in_order(events)) == 2


def test_jobs_that_a_trace_holds_only_in_part_are_counted_with_what_it_lacks() -> None:
    whole = TracedJob("a", "ml", "main", 0, ())
    jobs = [whole, replace(whole, name="b", lacks=("affinity",)), replace(whole, name="c", lacks=("host ports",))]
    (note,) = lacking_notes(jobs)
    assert note == "jobs with affinity, host ports, which a trace does not hold: 2, ml/b, ml/c"
    assert list(lacking_notes([whole])) == []


def test_a_job_without_a_creation_comes_with_its_first_record_and_is_not_exact() -> None:
    known = replace(JOB, name="k", created=7 * S)
    ran = replace(JOB, name="r", admitted=9 * S, finished=12 * S)
    nothing = replace(JOB, name="z")
    jobs = dated([nothing, ran, known])
    assert [(job.name, job.created // S) for job in jobs] == [("k", 7), ("z", 7), ("r", 9)]
    assert [job.lacks for job in jobs] == [(), ("the moment of creation",), ("the moment of creation",)]
    (note,) = lacking_notes(jobs)
    assert note == "jobs without a creationTimestamp, taken as created at their first recorded moment: 2, n/z, n/r"
