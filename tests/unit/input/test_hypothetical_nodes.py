"""Hypothetical Nodes are manifests with a text of their own, beside those that were read."""

import pytest

from kubectl_fairshare.input.hypothetical_nodes import with_nodes
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.model.errors import UsageError
from kubectl_fairshare.model.nodes import NodeGroup, is_hypothetical
from kubectl_fairshare.schedulers import known_schedulers
from tests.unit.input.text.texts import read_text

POD = "{{apiVersion: v1, kind: Pod, metadata: {{name: a}}, spec: {{nodeName: {}}}, status: {{phase: {}}}}}"
NODE = "{{apiVersion: v1, kind: Node, metadata: {{name: {}}}}}"
NONE = "{apiVersion: v1, kind: Namespace, metadata: {name: a}}"


def added(text: str, *groups: NodeGroup) -> Reading:
    return with_nodes(read_text(text), groups or (NodeGroup(2, {"cpu": "96", "memory": "1Ti"}),), known_schedulers())


def test_each_node_is_on_a_line_of_the_option() -> None:
    found = added(NONE)
    nodes = [m for m in found.manifests if m.key.kind == "Node"]
    assert [str(found.texts.locate(m.origin)) for m in nodes] == ["--nodes:2:1", "--nodes:3:1"]
    assert [m.key.name for m in nodes] == ["node-1", "node-2"]
    assert all(map(is_hypothetical, nodes))


def test_a_node_has_what_is_given_and_room_for_110_pods() -> None:
    found = added(NONE, NodeGroup(1, {"cpu": "4"}, {"a": "b"}, "new"), NodeGroup(1, {"pods": "9"}, {}, "new"))
    first, second = (m.data for m in found.manifests if m.key.kind == "Node")
    assert first["status"]["allocatable"] == {"cpu": "4", "pods": "110"}
    assert first["metadata"]["labels"] == {"kubernetes.io/hostname": "new-1", "a": "b"}
    assert (second["metadata"]["name"], second["status"]["allocatable"]["pods"]) == ("new-2", "9")


def test_nodes_of_other_names_are_kept() -> None:
    found = added(NODE.format("gpu-1"))
    assert [m.key.name for m in found.manifests] == ["gpu-1", "node-1", "node-2"]


def test_a_name_that_was_read_is_refused() -> None:
    with pytest.raises(UsageError, match="the input has Nodes of these names: node-2"):
        added(NODE.format("node-2"))


def test_a_pod_on_a_node_that_was_not_read_is_refused() -> None:
    with pytest.raises(UsageError, match="runs on Node `gpu-7`, which is not in the input"):
        added(POD.format("gpu-7", "Running"))
    added(POD.format("gpu-7", "Succeeded"))
    added(POD.format("node-1", "Running"))


def test_notes_name_the_nodes_and_what_they_lack() -> None:
    assert [note.message for note in added(NONE).notes] == ["hypothetical Nodes are added: node-1 to node-2"]
    lacking = added(NONE, NodeGroup(1, {"cpu": "4"}))
    assert "hypothetical Nodes have no memory" in [note.message for note in lacking.notes]


def test_without_groups_nothing_changes() -> None:
    base = read_text(NONE)
    assert with_nodes(base, (), known_schedulers()) is base
