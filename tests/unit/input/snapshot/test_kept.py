import pytest

from kubectl_fairshare.input.snapshot.kept import (
    ReadWords,
    is_plain,
    label_keys,
    only_read,
    other_texts,
    parts_of,
    read_words,
    said_of,
)
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


def test_values_of_labels_need_a_pseudonym_only_if_they_are_hidden_or_names() -> None:
    data = {"labels": {"team": "vision", "kueue.x-k8s.io/queue-name": "research"}, "queueName": "speech"}
    named = ("kueue.x-k8s.io",)
    assert sorted(other_texts(data, READ, named, frozenset(), labels=False)) == ["research", "speech"]
    assert sorted(other_texts(data, READ, named, frozenset(), labels=True)) == ["research", "speech", "vision"]


def test_a_name_with_its_namespace_has_two_parts() -> None:
    assert parts_of("team/train") == ["team", "train"]
    assert parts_of("https://x/y") == ["https://x/y"]


def test_a_message_keeps_what_schedulers_say() -> None:
    said = said_of("pending in queue vision: secret Token-1 of 4Gi", {"vision": "n-1"}, READ)
    assert said == "pending in queue n-1: … … of 4Gi"


def test_the_lists_of_all_schedulers_are_installed() -> None:
    read = read_words(known_schedulers().read_words)
    assert {"nominalQuota", "overQuotaWeight", "StrictFIFO"} <= read.words
    assert "redisPassword" not in read.words


def test_levels_of_a_topology_stay_as_the_keys_of_labels_that_they_are() -> None:
    key = "cloud.provider.com/topology-block"
    node = {"metadata": {"labels": {key: "b17-of-hall-3"}}}
    asked = {"required": key, "annotations": {"x/slice-required-topology-constraints": f'[{{"topology": "{key}"}}]'}}
    keys = frozenset(label_keys([node, {"nodeLabel": "example.com/rack"}]))
    assert keys == {key, "example.com/rack"}
    assert list(other_texts(asked, ReadWords(), (), keys, labels=False)) == []
    assert list(other_texts(asked["required"], ReadWords(), (), frozenset(), labels=False)) == key.split("/")
