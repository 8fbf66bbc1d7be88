"""What a name on the command line means."""

import pytest

from kubectl_fairshare.model.errors import UsageError
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.schedulers.subjects import Nameable, Subjects

TRAIN = ObjectKey("batch", "Job", "a", "train")
ELSEWHERE = ObjectKey("batch", "Job", "b", "train")
POD = ObjectKey("", "Pod", "a", "train-1")
KINDS = frozenset({("batch", "Job"), ("", "Pod")})


def subjects(*keys: ObjectKey) -> Subjects:
    return Subjects(keys, KINDS, (("", "Node"),), lambda key: (POD,) if key in (TRAIN, POD) else ())


@pytest.mark.parametrize("text", ["train", "job/train", "a/job/train", "job.batch/a/train", "a/train", "jobs/train"])
def test_one_object_has_several_names(text: str) -> None:
    assert subjects(TRAIN, POD).named([text], "a", anywhere=False) == [Nameable(TRAIN, (POD,))]


def test_a_kind_before_names_is_the_kind_of_each() -> None:
    of = subjects(TRAIN, POD)
    assert of.spelled(["job", "train", "x"]) == ["job/train", "job/x"]
    assert of.spelled(["job/train", "x"]) == ["job/train", "x"]
    with pytest.raises(UsageError, match="`job` is a kind"):
        of.spelled(["job"])


def test_a_job_and_its_pod_are_one_answer_but_two_jobs_are_not() -> None:
    with pytest.raises(UsageError, match="`train` may mean 2 objects") as caught:
        subjects(TRAIN, ELSEWHERE).named(["train"], "a", anywhere=True)
    assert "`a/job/train`" in str(caught.value.problems[0].help)


@pytest.mark.parametrize(
    ("text", "message", "remedy"),
    [
        ("a/b/c/d", "`a/b/c/d` is not the name of an object", "KIND/NAME"),
        ("node/n", "a Node does not wait for quota", "for queues"),
        ("job/trian", "no job `trian` in namespace `a` in the input", "did you mean `a/job/train`?"),
        ("c/other", "no job or workload `other` in namespace `c` in the input", "namespaces that have one: `a`"),
        ("b/train", "no job or workload `train` in namespace `b` in the input", "the input has `a/job/train`"),
    ],
)
def test_what_is_not_found_gets_the_nearest(text: str, message: str, remedy: str) -> None:
    with pytest.raises(UsageError) as caught:
        subjects(TRAIN).named([text], "a", anywhere=False)
    (problem,) = caught.value.problems
    assert problem.message == message
    assert remedy in str(problem.help)
