"""The parts of a request have the fields that state them; that they add up is tested in ``test_requests.py``."""

import pytest

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.jobs.request_parts import ranger_additions
from kubectl_fairshare.model.json import Json
from kubectl_fairshare.model.location import ObjectKey

INIT = "init container"
SET = "LimitRanger plugin set"
POD = ObjectKey("", "Pod", "ns", "p")


# LimitRanger, mergeContainerResources: requests and limits of a container, containers before init containers.
@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            f"{SET}: cpu, memory request for container a; cpu limit for container a; memory request for {INIT} a",
            [("containers", 0, "cpu"), ("containers", 0, "memory"), ("initContainers", 0, "memory")],
        ),
        (f"{SET}: cpu request for container b", [("containers", 1, "cpu")]),
        (f"{SET}: cpu request for container gone; nonsense", []),
        ("", []),
        (7, []),
    ],
)
def test_the_annotation_of_a_stored_pod_says_which_requests_are_defaults(text: Json, found: list[object]) -> None:
    spec: Json = {"containers": [{"name": "a"}, {"name": "b"}], "initContainers": [{"name": "a"}]}
    pod: Json = {"metadata": {"annotations": {"kubernetes.io/limit-ranger": text}}, "spec": spec}
    assert list(ranger_additions(Field(POD, (), pod))) == found
