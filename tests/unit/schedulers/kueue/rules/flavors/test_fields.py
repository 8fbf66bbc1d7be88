"""Rules: labels, taints and tolerations of ResourceFlavors as Kubernetes must be able to read them."""

import pytest

from kubectl_fairshare.finding import Insert, Remove, Replace
from tests.unit.schedulers.kueue.rules.asking import V1BETA1, document, places, reported


def flavor(spec: str) -> str:
    return document("ResourceFlavor", f"spec:\n{spec}")


@pytest.mark.parametrize(
    ("toleration", "field"),
    [
        ("{key: a, operator: Exists}", None),
        ("{key: a, value: b}", None),
        ("{key: '', operator: Equal}", None),
        ("{operator: Exists}", None),
        ("{operator: Equal, value: b}", "operator"),
        ("{key: a, operator: Exists, value: ''}", "value"),
        ("{key: a, operator: Lt, value: '1'}", "operator"),
        ("{key: a, operator: Exists, tolerationSeconds: 5}", "tolerationSeconds"),
        ("{key: a, operator: Exists, effect: NoExecute, tolerationSeconds: 5}", None),
        ("{key: a, operator: Exists, effect: ''}", "effect"),
    ],
)
def test_tolerations_are_held_against_each_condition(toleration: str, field: str | None) -> None:
    found = [each.finding.place.path[-1] for each in reported("K025", flavor(f"  tolerations:\n  - {toleration}\n"))]
    assert found == ([] if field is None else [field])


def test_a_misspelt_effect_is_guessed() -> None:
    (found,) = reported("K024", flavor("  nodeTaints:\n  - {key: a, effect: noSchedule}\n"))
    assert found.finding.remedy.edits == (Replace(found.finding.place, "NoSchedule"),)


def test_a_taint_twice_tells_where_it_is_first() -> None:
    (found,) = reported(
        "K024", flavor("  nodeTaints:\n  - {key: a, effect: NoSchedule}\n" * 1 + "  - {key: a, effect: NoSchedule}\n")
    )
    assert found.finding.related[0].place.path == ("spec", "nodeTaints", 0)
    assert [type(edit) for edit in found.finding.remedy.edits] == [Remove]


def test_a_bad_label_is_found_at_the_label() -> None:
    assert places("K023", flavor("  nodeLabels:\n    good: a\n    pool/: a\n")) == [
        "error ResourceFlavor x spec.nodeLabels[pool/]"
    ]


def test_a_value_under_the_spec_of_a_priority_class_goes_to_the_top_and_nothing_else_is_said() -> None:
    text = document("WorkloadPriorityClass", "spec:\n  value: 5\n")
    (found,) = reported("M008", text)
    assert [type(edit) for edit in found.finding.remedy.edits] == [Remove, Insert]
    assert reported("M004", text) == ()


@pytest.mark.parametrize("status", ["null", "[null]", "5", "{flavorUsage: 5}"])
@pytest.mark.parametrize("kind", ["LocalQueue", "MultiKueueConfig"])
def test_a_status_that_says_nothing_is_in_nobodys_way(kind: str, status: str) -> None:
    spec = "spec:\n  clusters: [a]\n" if kind == "MultiKueueConfig" else ""
    assert reported("M009", document(kind, f"{spec}status: {status}\n", V1BETA1, namespace="team")) == ()
