"""The stages of a write, with the webhooks of an API of our own."""

from typing import Any

from kubectl_fairshare.api.causes import invalid
from kubectl_fairshare.api.golang import DecodingError
from kubectl_fairshare.api.judge import judge_write
from kubectl_fairshare.api.webhooks import RefusedWriteError, Webhooks
from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.schedulers.kueue.admission.kinds import API

OLD, NEW = "kueue.x-k8s.io/v1beta1", "kueue.x-k8s.io/v1beta2"


def flavor(version: str = NEW, **spec: Any) -> dict[str, Any]:
    return {"apiVersion": version, "kind": "ResourceFlavor", "metadata": {"name": "x"}, "spec": spec}


def no_labels(view: JsonObject, old: JsonObject | None) -> tuple[str, ...]:
    if "nodeLabels" in view["spec"]:
        raise RefusedWriteError("webhook", [invalid(("spec", "nodeLabels"), "no")], warnings=("asked",))
    return ("asked", "asked", "updated" if old is not None else "created")


def renamed(data: JsonObject, version: str) -> dict[str, Any]:
    if "topologyName" in data["spec"]:
        raise DecodingError("cannot be converted", ("spec", "topologyName"))
    return {**data, "apiVersion": f"kueue.x-k8s.io/{version}"}


def judgement(data: JsonObject, old: JsonObject | None = None, **hooks: Any) -> Any:
    return judge_write(API, {"ResourceFlavor": Webhooks(**hooks)}, data, old)


def test_without_webhooks_the_schema_decides() -> None:
    assert judge_write(API, {}, flavor(nodeLabels={"a": "?"})).accepted
    assert judge_write(API, {}, flavor(nodeTaints=[{}])).stage == "schema"


def test_the_validating_webhook_speaks_last_and_each_warning_is_given_once() -> None:
    assert judgement(flavor(), validate=no_labels).warnings == ("asked", "created")
    assert judgement(flavor(), flavor(), validate=no_labels).warnings == ("asked", "updated")
    refused = judgement(flavor(nodeLabels={"a": "b"}), validate=no_labels)
    assert (refused.stage, refused.warnings) == ("webhook", ("asked",))
    assert judgement(flavor(nodeLabels={"a": 1}), validate=no_labels).stage == "schema"


def test_a_webhook_that_writes_back_adds_its_finalizer_once() -> None:
    hooks: dict[str, Any] = {"defaulted": True, "finalizer": "a/b", "convert": renamed}
    for version in (OLD, NEW):
        stored = judgement(flavor(version, nodeTaints=[{"key": "a", "effect": "NoExecute"}]), **hooks).stored
        assert stored["metadata"]["finalizers"] == ["a/b"]
        assert stored["apiVersion"] == NEW
    again = flavor() | {"metadata": {"name": "x", "finalizers": ["a/b"]}}
    assert judgement(again, **hooks).stored["metadata"]["finalizers"] == ["a/b"]


def test_what_cannot_be_converted_ends_at_that_stage() -> None:
    broken = flavor(OLD, topologyName="t", nodeLabels={"a": "b"})
    early, late = judgement(broken, convert=renamed, defaulted=True), judgement(broken, convert=renamed)
    assert (early.stage, late.stage) == ("conversion", "conversion")
    assert early.unlisted == late.unlisted
    assert late.unlisted.path == ("spec", "topologyName")


def test_what_a_defaulting_webhook_cannot_decode_ends_there_with_the_causes_of_the_schema() -> None:
    mutated = judgement(flavor(nodeLabels={"a": 1}), convert=renamed, defaulted=True)
    assert mutated.stage == "mutating"
    assert [cause.field for cause in mutated.causes] == ["spec.nodeLabels.a"]
    assert mutated.unlisted.path == ("spec", "nodeLabels", "a")


def test_an_update_of_what_is_not_served_is_not_found() -> None:
    assert judgement(flavor(), {"kind": "Nothing"}).stage == "notFound"
