"""Rules: what a SchedulingShard says and KAI passes over without a word."""

from typing import Any

import pytest

from kubectl_fairshare.finding import Insert, Rename
from tests.unit.schedulers.kai.rules.objects import shard, usage
from tests.unit.schedulers.kueue.rules.asking import places, reported

READ = "relcaimerSaturationMultiplier"


def arguments(plugin: str, **given: str) -> dict[str, Any]:
    return {"plugins": {plugin: {"arguments": given}}}


@pytest.mark.parametrize("name", ["reclaimerUtilizationMultiplier", "reclaimerSaturationMultiplier"])
def test_the_multiplier_is_read_under_its_misspelt_name(name: str) -> None:
    (found,) = reported("A025", shard(**arguments("proportion", **{name: "1.5"})))
    assert (found.finding.remedy.edits, found.finding.remedy.safe) == ((Rename(found.finding.place, READ),), True)
    assert reported("A020", shard(**arguments("proportion", **{name: "1.5"}))) == ()


def test_the_multiplier_under_both_names_keeps_the_one_that_is_read() -> None:
    (found,) = reported("A025", shard(**arguments("proportion", reclaimerUtilizationMultiplier="2", **{READ: "1.5"})))
    assert found.finding.remedy.edits == ()
    assert dict(found.finding.evidence)["in force"] == "1.5"


def test_unknown_arguments_are_told_of_plugins_that_are_known() -> None:
    (found,) = reported("A020", shard(**arguments("proportion", kvalue="2")))
    assert (found.finding.remedy.edits, found.finding.remedy.safe) == ((Rename(found.finding.place, "kValue"),), True)
    assert reported("A020", shard(**arguments("nodeplacement", anything="2"))) == ()
    assert len(reported("A020", usage(extraParams={"queryResolutions": "1m"}))) == 1


@pytest.mark.parametrize(
    ("plugin", "name", "value", "taken"),
    [
        ("proportion", "kValue", "2.5", None),
        ("proportion", "kValue", "two", "1"),
        ("proportion", "kValue", "-1", "0"),
        ("proportion", READ, "1", None),
        ("proportion", READ, "0.9", "1"),
        ("minruntime", "defaultReclaimMinRuntime", "1d12h", None),
        ("minruntime", "defaultReclaimMinRuntime", "-5m", "0s"),
        ("minruntime", "defaultPreemptMinRuntime", "5", "0s"),
        ("minruntime", "reclaimResolveMethod", "queue", None),
        ("minruntime", "reclaimResolveMethod", "LCA", "lca"),
    ],
)
def test_values_out_of_range_are_told_with_what_is_taken(plugin: str, name: str, value: str, taken: str | None) -> None:
    found = reported("A026", shard(**arguments(plugin, **{name: value})))
    assert [dict(r.finding.evidence)["in force"] for r in found] == ([] if taken is None else [taken])


def test_settings_of_the_shard_itself_are_held_against_the_same_ranges() -> None:
    assert places("A026", shard(kValue=-1, minRuntime={"preemptMinRuntime": "soon"})) == [
        "warning SchedulingShard default spec.kValue",
        "warning SchedulingShard default spec.minRuntime.preemptMinRuntime",
    ]


def test_arguments_drop_what_the_shard_says() -> None:
    (found,) = reported("A027", shard(kValue=2, **arguments("proportion", **{READ: "1.5"})))
    (edit,) = found.finding.remedy.edits
    assert isinstance(edit, Insert)
    assert (edit.key, edit.value) == ("kValue", "2")


@pytest.mark.parametrize(
    "said",
    [
        {"kValue": 2},
        {"kValue": 1, **arguments("proportion")},
        {"kValue": 2, **arguments("proportion", kValue="3")},
        {"minRuntime": {"preemptMinRuntime": "0s"}, **arguments("minruntime")},
        {"minRuntime": {"preemptMinRuntime": "5m"}, **arguments("proportion")},
    ],
)
def test_nothing_is_dropped_where_nothing_changes(said: dict[str, Any]) -> None:
    assert reported("A027", shard(**said)) == ()


def test_empty_arguments_replace_as_well() -> None:
    dropped = shard(minRuntime={"reclaimMinRuntime": "5m"}, **arguments("minruntime"))
    assert places("A027", dropped) == ["warning SchedulingShard default spec.minRuntime.reclaimMinRuntime"]


def test_k_needs_usage() -> None:
    assert len(reported("A033", shard(kValue=2))) == 1
    assert reported("A033", shard(kValue=1)) == ()
