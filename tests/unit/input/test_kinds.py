"""Kinds of Kubernetes by name."""

import pytest

from kubectl_fairshare.input.kinds import SHORT_NAMES, is_cluster_scoped, is_configuration, plural


@pytest.mark.parametrize(
    ("name", "many"),
    [("pod", "pods"), ("ingress", "ingresses"), ("policy", "policies"), ("topology", "topologies"), ("key", "keys")],
)
def test_a_plural_follows_english(name: str, many: str) -> None:
    assert plural(name) == many


def test_nodes_are_cluster_scoped_and_unknown_kinds_are_not() -> None:
    assert is_cluster_scoped("", "Node")
    assert not is_cluster_scoped("", "Pod")
    assert not is_cluster_scoped("example.com", "Node")


def test_configuration_groups_are_known_by_their_end() -> None:
    assert is_configuration("kubelet.config.k8s.io")
    assert not is_configuration("batch")


def test_short_names_are_lower_case() -> None:
    assert all(name == name.lower() for pair in SHORT_NAMES.items() for name in pair)
