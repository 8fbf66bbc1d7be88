"""Gangs: what is placed next, and what makes a job ready."""

from kubectl_fairshare.schedulers.kai.model.objects import Phase, PodGroup, SubGroup
from kubectl_fairshare.schedulers.kai.session.jobs import Job
from tests.unit.schedulers.kai.build import group, pod, queue, session


def job(one: PodGroup, running: dict[str, int], pending: dict[str, int]) -> Job:
    pods = [pod(one.name, i, sub_group=name) for name, count in running.items() for i in range(count)]
    waiting = [
        pod(one.name, 100 + 10 * n + i, sub_group=name, phase=Phase.PENDING)
        for n, (name, count) in enumerate(pending.items())
        for i in range(count)
    ]
    for i, p in enumerate(pods):
        p.uid = f"{p.uid}-{i}"
    return session([queue("q")], [one], [*pods, *waiting]).jobs[one.name]


def test_below_its_minimum_a_job_gets_all_that_are_missing() -> None:
    assert len(job(group("j", "q", minimum=3), {"": 1}, {"": 4}).next) == 2


def test_at_its_minimum_a_job_gets_one_pod_at_a_time() -> None:
    assert len(job(group("j", "q", minimum=3), {"": 3}, {"": 4}).next) == 1


def test_a_job_without_a_minimum_needs_one_pod() -> None:
    found = job(group("j", "q"), {}, {"": 2})
    assert (len(found.next), found.ready, found.elastic) == (1, True, True)


def test_a_job_with_too_few_pods_is_not_ready() -> None:
    assert not job(group("j", "q", minimum=3), {"": 1}, {"": 1}).ready


SUB_GROUPS = (SubGroup("a", None, 1, None), SubGroup("b", None, 2, None))


def test_every_sub_group_gets_its_minimum() -> None:
    found = job(group("j", "q", sub_groups=SUB_GROUPS), {}, {"a": 2, "b": 2})
    assert [task.pod.sub_group for task in found.next] == ["a", "b", "b"]


def test_as_many_sub_groups_as_are_needed_get_theirs_the_unsatisfied_first() -> None:
    found = job(group("j", "q", sub_groups=SUB_GROUPS, min_sub_group=1), {}, {"a": 1, "b": 2})
    assert [task.pod.sub_group for task in found.next] == ["a"]


def test_a_satisfied_job_gives_to_the_sub_group_that_is_least_above_its_minimum() -> None:
    found = job(group("j", "q", sub_groups=SUB_GROUPS), {"a": 2, "b": 2}, {"a": 1, "b": 1})
    assert [task.pod.sub_group for task in found.next] == ["b"]


def test_nested_sub_groups_are_found_by_their_parent_in_small_letters() -> None:
    nested = (SubGroup("outer", None, None, None), SubGroup("inner", "OUTER", 1, None))
    assert list(job(group("j", "q", sub_groups=nested), {}, {"inner": 1}).pod_sets) == ["inner"]


def test_a_tree_that_makes_no_sense_is_one_pod_set() -> None:
    broken = (SubGroup("a", "missing", 1, None),)
    assert list(job(group("j", "q", sub_groups=broken), {}, {"": 1}).pod_sets) == ["default"]


def test_a_circle_of_sub_groups_is_one_pod_set_with_the_jobs_minimum() -> None:
    circle = (SubGroup("a", "b", None, None), SubGroup("b", "a", None, None))
    found = job(group("j", "q", minimum=4, sub_groups=circle), {}, {"": 1})
    assert {name: s.minimum for name, s in found.pod_sets.items()} == {"default": 4}


def test_a_pod_of_a_sub_group_that_does_not_exist_is_lost() -> None:
    assert job(group("j", "q"), {}, {"nowhere": 1}).tasks == ()
