"""The commands after an answer, with the options that reach the same input again."""

from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.report.next_steps import HERE, GivenOptions, typed


def test_without_options_a_command_stays_as_it_is() -> None:
    assert HERE.repeated("kubectl fairshare shares --queue a") == "kubectl fairshare shares --queue a"


def test_only_this_program_gets_the_files_and_both_get_the_cluster() -> None:
    origin = GivenOptions(("-f", "a b.yaml"), ("--context", "prod"))
    assert origin.repeated("kubectl fairshare why x") == "kubectl fairshare why x -f 'a b.yaml' --context prod"
    assert origin.repeated("kubectl describe x") == "kubectl describe x --context prod"


def test_an_object_is_typed_with_its_group_and_namespace() -> None:
    assert typed(ObjectKey("batch", "Job", "team", "train")) == "job.batch/train -n team"
    assert typed(ObjectKey("", "Node", "", "n1")) == "node/n1"
