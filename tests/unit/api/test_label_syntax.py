"""Names, labels and owners by Kubernetes' rules."""

from typing import Any

import pytest

from kubectl_fairshare.api.label_syntax import (
    is_domain_prefixed_path,
    is_label_key,
    is_label_value,
    is_subdomain,
    naming_causes,
    object_meta_causes,
)


@pytest.mark.parametrize(
    ("key", "sound"),
    [
        *((key, True) for key in ("a", "A_b.c", "x.io/a", "k" * 63)),
        *((key, False) for key in ("", "/a", "X.io/a", "a/b/c", "k" * 64, "x.io/", "-a", "ä", "a\n")),
    ],
)
def test_label_keys(key: str, sound: bool) -> None:
    assert is_label_key(key) is sound


def test_label_values_and_names() -> None:
    assert [is_label_value(v) for v in ("", "A.b", "-", "v" * 64)] == [True, True, False, False]
    assert [is_subdomain(n) for n in ("a.b", "a..b", "A", "n" * 254)] == [True, False, False, False]
    assert [is_domain_prefixed_path(p) for p in ("a.b/c/d", "a.b", "a.b/", "A/b")] == [True, False, False, False]


@pytest.mark.parametrize(
    ("meta", "fields"),
    [
        ({"name": "a"}, set()),
        ({}, {"metadata.name"}),
        ({"generateName": "a-"}, set()),
        ({"name": "a", "finalizers": ["a b"]}, {"metadata.finalizers"}),
        ({"name": "a", "annotations": {"X.io/A": "?", "a b": ""}}, {"metadata.annotations"}),
        (
            {"name": "a", "ownerReferences": [{"kind": "k"}]},
            {f"metadata.ownerReferences.{f}" for f in ("apiVersion", "name", "uid")},
        ),
    ],
)
def test_metadata(meta: dict[str, Any], fields: set[str]) -> None:
    assert {c.field for c in (*naming_causes(meta, False), *object_meta_causes(meta))} == fields
