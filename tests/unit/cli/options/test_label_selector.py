"""``-l`` picks what is shown, by selectors as kubectl writes them."""

import json
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from kubectl_fairshare.cli.options.label_selector import label_selector
from kubectl_fairshare.model.selectors import LabelSelector
from tests.screens import Screen


def selector(text: str) -> LabelSelector:
    found = label_selector(click.Context(click.Command("x")), click.Option(["-l"]), text)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("text", "labels", "picks"),
    [
        ("team=a", {"team": "a"}, True),
        ("team==a", {"team": "b"}, False),
        ("team!=a", {}, True),
        ("team in (a, b),tier", {"team": "b", "tier": ""}, True),
        ("team in (a, b),tier", {"team": "b"}, False),
        ("team notin (a,b)", {"team": "a"}, False),
        ("!team", {"team": "a"}, False),
        ("x.io/team=", {"x.io/team": ""}, True),
    ],
)
def test_a_selector_matches_as_kubectls(text: str, labels: dict[str, str], picks: bool) -> None:
    assert selector(text).matches(labels) is picks


@pytest.mark.parametrize("text", ["", "=a", "team in a", "team=a b", "a,,b"])
def test_anything_else_is_told(text: str) -> None:
    with pytest.raises(click.BadParameter, match="is not a label selector"):
        selector(text)


@pytest.fixture
def state(tmp_path: Path) -> str:
    def queue(name: str, **labels: str) -> dict[str, object]:
        quota = [{"name": "f", "resources": [{"name": "cpu", "nominalQuota": "1"}]}]
        groups = [{"coveredResources": ["cpu"], "flavors": quota}]
        spec = {"cohortName": "all", "namespaceSelector": {}, "resourceGroups": groups}
        metadata = {"name": name, "labels": labels}
        return {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ClusterQueue", "metadata": metadata, "spec": spec}

    path = tmp_path / "state.json"
    items = [queue("ours", team="us"), queue("theirs", team="them")]
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    return str(path)


def test_shares_shows_the_queues_that_bear_the_labels(run: Callable[[str], Screen], state: str) -> None:
    screen = run(f"kubectl-fairshare shares -f {state} -l team=us -o name")
    assert screen.stdout == "clusterqueue.kueue.x-k8s.io/ours\n"


def test_lint_tells_of_the_objects_that_bear_the_labels(run: Callable[[str], Screen], state: str) -> None:
    document = json.loads(run(f"kubectl-fairshare lint --complete -f {state} -l team=them -o json").stdout)
    assert {each["place"]["object"] for each in document["findings"]} == {"ClusterQueue theirs"}


@pytest.mark.parametrize("words", ["cycle", "plan --queue a/b --request cpu=1", "snapshot"])
def test_what_is_one_whole_is_not_picked_from(run: Callable[[str], Screen], state: str, words: str) -> None:
    screen = run(f"kubectl-fairshare {words} -f {state} -l team=us")
    assert screen.code == 2
    assert "--selector: cannot select" in screen.stderr
