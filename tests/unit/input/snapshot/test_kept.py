import pytest

from kubectl_fairshare.input.known import Unredacted
from kubectl_fairshare.input.snapshot.embedded import joined_text, opened
from kubectl_fairshare.input.snapshot.kept import ReadWords, is_plain, only_read, parts_of, read_words, said_of
from kubectl_fairshare.input.snapshot.redaction import Pseudonyms
from kubectl_fairshare.schedulers import known_schedulers

READ = ReadWords(
    frozenset({"spec", "queueName", "labels", "strategy", "StrictFIFO"}), frozenset({"pending", "in", "queue"})
)


def test_a_field_that_no_code_names_goes() -> None:
    data = {"spec": {"queueName": "q", "redisPassword": "x", "labels": {"any": "thing"}}}
    assert only_read(data, READ) == {"spec": {"queueName": "q", "labels": {"any": "thing"}}}


def test_names_of_resources_stay_and_items_of_a_list_do_not() -> None:
    read = ReadWords(frozenset({"flavors", "name", "requests"}))
    assert only_read({"requests": {"cpu": 1}, "flavors": [{"name": "x", "y": "z"}]}, read) == {
        "requests": {"cpu": 1},
        "flavors": [{"name": "x"}],
    }


@pytest.mark.parametrize("text", ["StrictFIFO", "4Gi", "500m", "1h30m", "2026-01-01T00:00:00Z", "0.5", "50%", ""])
def test_amounts_moments_and_words_of_the_code_are_plain(text: str) -> None:
    assert is_plain(text, READ)


@pytest.mark.parametrize("text", ["hunter2", "s3://bucket", "10.0.0.1", "FREDDY"])
def test_any_other_text_is_not(text: str) -> None:
    assert not is_plain(text, READ)


def test_a_name_with_its_namespace_has_two_parts() -> None:
    assert parts_of("team/train") == ["team", "train"]
    assert parts_of("https://x/y") == ["https://x/y"]


def test_a_message_keeps_what_schedulers_say() -> None:
    said = said_of("pending in queue vision: secret Token-1 of 4Gi", {"vision": "n-1"}, READ)
    assert said == "pending in queue n-1: … … of 4Gi"


def test_the_lists_of_all_schedulers_are_installed() -> None:
    read = read_words(known_schedulers().read_words, Unredacted())
    assert {"nominalQuota", "overQuotaWeight", "StrictFIFO"} <= read.words
    assert "redisPassword" not in read.words


def test_json_in_an_annotation_is_redacted_as_an_object_is() -> None:
    text = '[{"topology": "cloud.provider.com/topology-block", "other": 1}]'
    value = opened({"annotations": {"x": text, "y": '{"example.com/gpu": 4}', "z": "{broken"}})
    read = ReadWords(frozenset({"topology", "annotations"}))
    kept = only_read(value, read)
    assert kept == {
        "annotations": {
            "x": [[{"topology": "cloud.provider.com/topology-block"}]],
            "y": [{"example.com/gpu": 4}],
            "z": "{broken",
        }
    }
    hidden = Pseudonyms([kept], Unredacted(), read, labels=False).hide(kept)
    assert hidden["annotations"] == {"x": '[{"topology":"a-0.x/n-1"}]', "y": '{"example.com/gpu":4}', "z": "n-2!"}


def test_other_json_in_an_annotation_loses_what_no_code_reads() -> None:
    value = opened({"annotations": {"x": '{"token": "hunter2", "pin": 1234}'}})
    assert only_read(value, ReadWords(frozenset({"annotations"}))) == {"annotations": {"x": [{}]}}


def test_a_configuration_in_a_config_map_is_redacted_as_an_object_is() -> None:
    value = opened({"kind": "ConfigMap", "data": {"a.yaml": "kind: A\n---\nsecret: x\n", "b.yaml": "{"}})
    assert value["data"] == {"a.yaml": [{"kind": "A"}, {"secret": "x"}], "b.yaml": "{"}
    assert only_read(value, ReadWords(frozenset({"kind", "data"})))["data"]["a.yaml"] == [{"kind": "A"}, {}]
    assert joined_text(value["data"]["a.yaml"]) == '{"kind":"A"}\n---\n{"secret":"x"}'


def test_keys_of_labels_stay_though_an_object_is_called_so() -> None:
    node = {"metadata": {"name": "team", "labels": {"team": "vision"}}}
    selector = {"spec": {"matchExpressions": [{"key": "team", "values": ["vision"]}], "queueName": "team"}}
    hide = Pseudonyms([node, selector], Unredacted(), ReadWords(), labels=True).hide
    assert hide(selector)["spec"] == {"matchExpressions": [{"key": "team", "values": ["n-1"]}], "queueName": "n-0"}
    assert hide(node)["metadata"] == {"name": "n-0", "labels": {"team": "n-1"}}


def test_an_unknown_field_leaves_a_sign_where_it_is_an_error() -> None:
    read = ReadWords(frozenset({"apiVersion", "kind", "spec", "data"}), strict=frozenset({("x", "Settings")}))
    settings = {"apiVersion": "x/v1", "kind": "Settings", "spec": {"pasword": "hunter2"}}
    assert only_read(settings, read) == {"apiVersion": "x/v1", "kind": "Settings", "spec": {"…": None}}
    assert only_read({**settings, "kind": "Other"}, read) == {"apiVersion": "x/v1", "kind": "Other", "spec": {}}
    wrapped = opened({"kind": "ConfigMap", "data": {"a": "{apiVersion: x/v1, kind: Settings, other: 1}"}})
    (kept,) = only_read(wrapped, read)["data"]["a"]
    assert kept == {"apiVersion": "x/v1", "kind": "Settings", "…": None}


def test_a_broken_configuration_keeps_its_signs_and_the_words_of_the_code() -> None:
    read = ReadWords(frozenset({"kind", "data", "Settings"}))
    value = only_read(opened({"kind": "ConfigMap", "data": {"a": "kind: Settings\nsecret: [hunter2"}}), read)
    hidden = Pseudonyms([value], Unredacted(), read, labels=True)
    assert hidden.hide(value)["data"] == {"a": "kind: Settings\n…: […"}
    assert not hidden.of
