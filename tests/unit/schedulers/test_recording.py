"""Recorded objects as manifests, and the part of an answer that counts."""

from typing import Any

import pytest

from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.model.location import Origin
from kubectl_fairshare.schedulers.recording import Recording, accepted_form, fields_of_causes, manifest_of, manifests_of

POD: dict[str, Any] = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "namespace": "a"}}
JOB: dict[str, Any] = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "j"}}


def test_an_object_keeps_its_fields_and_its_place() -> None:
    pod, job = manifests_of([POD, JOB], "case")
    assert (str(pod.key), pod.version, dict(pod.data)) == ("Pod a/p", "v1", POD)
    assert (job.key.group, job.version, job.origin.source) == ("batch", "v1", "case")


def test_an_object_without_metadata_is_an_error() -> None:
    with pytest.raises(FairshareError, match="an object has no metadata"):
        manifest_of({"kind": "Pod"}, Origin("case", 0))


def test_the_scheduler_had_an_object_that_is_taken() -> None:
    assert accepted_form(POD)["metadata"] == {"resourceVersion": "1", "name": "p", "namespace": "a"}
    assert accepted_form({**POD, "metadata": {"resourceVersion": "7"}})["metadata"] == {"resourceVersion": "7"}
    assert accepted_form({"kind": "Pod"}) == {"kind": "Pod"}


@pytest.mark.parametrize(
    ("causes", "fields"),
    [([{"field": "b"}, {"field": "a"}, {"field": "b"}], ["a", "b"]), (["x"], ["x"]), (None, [])],
)
def test_each_field_of_the_causes_counts_once(causes: Any, fields: list[str]) -> None:
    assert fields_of_causes({"accepted": False, "causes": causes}) == {"accepted": False, "causes": fields}


def test_causes_of_another_form_are_left_for_the_comparison() -> None:
    assert fields_of_causes({"causes": "x"}) == {"causes": "x"}


def test_a_recording_imports_its_module_when_it_is_asked() -> None:
    with pytest.raises(ModuleNotFoundError):
        _ = Recording("kubectl_fairshare.no_such_module", ()).replay
