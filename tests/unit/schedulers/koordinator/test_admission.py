"""The webhook's answers that no recording in the suite pins, and Go's words for bad JSON."""

import pytest

from kubectl_fairshare.schedulers.koordinator.admission import webhook
from kubectl_fairshare.schedulers.koordinator.admission.filling import PlaceInTree, filled_trees
from kubectl_fairshare.schedulers.koordinator.admission.go_json import (
    GoJsonError,
    decoded,
    decoded_amounts,
    decoded_names,
)
from kubectl_fairshare.schedulers.koordinator.admission.judge import schema_judgement
from kubectl_fairshare.schedulers.koordinator.admission.topology import WebhookTopology, topology_of, webhook_quota
from kubectl_fairshare.schedulers.koordinator.model.names import ROOT
from kubectl_fairshare.schedulers.koordinator.model.objects import Gates
from tests.unit.schedulers.koordinator.build import Object, manifests, quota

ORG = quota("org", {"cpu": 10}, {"cpu": 20}, is_parent="true")


def known(*objects: Object, gates: Gates | None = None) -> WebhookTopology:
    return topology_of([webhook_quota(m.key, m.data) for m in manifests(*objects)], (), gates or Gates())


def created(new: Object, *others: Object) -> str:
    (manifest,) = manifests(new)
    return webhook.created(webhook_quota(manifest.key, manifest.data), known(*others)).message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "unexpected end of JSON input"),
        ("x", "invalid character 'x' looking for beginning of value"),
        ('{"a" 1}', "invalid character '1' after object key"),
        ("{1}", "invalid character '1' looking for beginning of object key string"),
        ("{} {}", "invalid character '{' after top-level value"),
        ("NaN", "invalid character 'N' looking for beginning of value"),
    ],
)
def test_bad_json_gets_the_words_of_go(text: str, message: str) -> None:
    with pytest.raises(GoJsonError, match="^" + message.replace("{", r"\{") + "$"):
        decoded(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[]", "array into Go value of type v1.ResourceList"),
        ('{"cpu":"x"}', "regular expression"),
        ('{"cpu":"1Q"}', "quantit"),
    ],
)
def test_a_resource_list_wants_an_object_of_quantities(text: str, words: str) -> None:
    with pytest.raises(GoJsonError, match=words):
        decoded_amounts(text)


def test_null_is_an_empty_list() -> None:
    assert (decoded_amounts("null"), decoded_names("null")) == (None, ())
    with pytest.raises(GoJsonError, match="string"):
        decoded_names('"cpu"')


def test_the_sum_of_siblings_is_compared_with_the_parents_min() -> None:
    sibling = quota("a", {"cpu": 6}, {"cpu": 20}, "org")
    message = created(quota("b", {"cpu": 5}, {"cpu": 20}, "org"), ORG, sibling)
    assert message == "checkMinQuotaSum all brothers' MinQuota > parent MinQuota, parent: org"
    assert created(quota("b", {"cpu": 4}, {"cpu": 20}, "org"), ORG, sibling) == ""
    assert created(quota("b", {"cpu": 5}, {"cpu": 20}, "org", allow_force_update="true"), ORG, sibling) == ""


def test_an_update_that_closes_a_cycle_is_accepted() -> None:
    a, b = (
        quota("a", {"cpu": 1}, {"cpu": 2}, is_parent="true"),
        quota("b", {"cpu": 1}, {"cpu": 2}, "a", is_parent="true"),
    )
    (new, old) = manifests(quota("a", {"cpu": 1}, {"cpu": 2}, "b", is_parent="true"), a)
    answer = webhook.updated(webhook_quota(new.key, new.data), webhook_quota(old.key, old.data), known(a, b))
    assert answer.accepted


def test_an_update_of_the_status_alone_is_not_checked() -> None:
    (same,) = manifests(quota("a", {"cpu": -1}, {"cpu": 2}))
    found = webhook_quota(same.key, same.data)
    assert webhook.updated(found, found, known()).accepted


def test_the_schema_refuses_what_is_no_quantity() -> None:
    judgement = schema_judgement({**quota("a", {"cpu": "x"}, {"cpu": 1})})
    assert [cause.path for cause in judgement.causes] == [("spec", "min", "cpu")]


def test_a_new_quota_takes_the_tree_of_its_parent() -> None:
    at = PlaceInTree
    org = {"org": at(ROOT, "t"), "a": at("org", ""), "b": at("a", ""), "c": at("b", "u")}
    assert filled_trees(org, {"org", "a", "b", "c"}) == {"a": "t", "b": "t"}
    assert filled_trees(org, {"b"}) == {"b": ""}  # its parent was stored without one
    lost = {"a": at("gone", ""), "b": at("a", ""), "c": at(ROOT, ""), "d": at("d", "")}
    assert filled_trees(lost, set(lost)) == {"a": None, "b": None, "c": "", "d": ""}
