"""Units of two versions are paired: by path below what was named, and moved ones by what they hold."""

from typing import Any

from kubectl_fairshare.cli.asking.pairing import Side, paired_units
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.input.text.texts import Texts
from kubectl_fairshare.input.units.unit import RepositoryUnit
from kubectl_fairshare.input.units.unit_readings import UnitReading
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest


def unit(name: str, *objects: str, agrees: bool = False) -> UnitReading:
    manifests = []
    for each in objects:
        called, _, content = each.partition("=")
        data: dict[str, Any] = {"metadata": {"name": called}, "spec": content}
        key = ObjectKey("kueue.x-k8s.io", "ClusterQueue", "", called)
        manifests.append(Manifest(key, "v1beta2", data, Origin(f"{name}/q.yaml", 0)))
    own = frozenset(manifest.key for manifest in manifests)
    reading = Reading(tuple(manifests), Texts())
    return UnitReading(RepositoryUnit(name, "kustomization", ()), reading, own, agrees=agrees)


def names(before: Side, after: Side) -> list[tuple[tuple[str, ...], bool, bool]]:
    found = paired_units(before, after)
    return [(pair.names, pair.before is not None, pair.after is not None) for pair in found]


def test_units_of_one_path_are_one_and_others_are_new_or_gone() -> None:
    before = Side([unit("eu", "q=1"), unit("us", "q=2")], ".")
    after = Side([unit("asia", "q=7"), unit("eu", "q=3")], ".")
    assert names(before, after) == [(("asia",), False, True), (("eu",), True, True), (("us",), True, False)]


def test_paths_count_from_what_was_named() -> None:
    before = Side([unit("old/eu", "q=1"), unit("old/us", "q=2")], "old")
    after = Side([unit("new/eu", "q=1"), unit("new/us", "q=3")], "new/")
    assert names(before, after) == [(("new/eu",), True, True), (("new/us",), True, True)]


def test_a_unit_that_moved_is_known_by_what_it_holds() -> None:
    before = Side([unit("eu", "q=1", "r=1"), unit("us", "q=2", "r=2")], ".")
    after = Side([unit("europe", "q=1", "r=9"), unit("us", "q=2", "r=2")], ".")
    assert names(before, after) == [(("eu → europe",), True, True), (("us",), True, True)]


def test_units_that_agree_in_both_versions_have_one_comparison() -> None:
    before = Side([unit("a", "q=1", agrees=True), unit("b", "r=1", agrees=True), unit("c", "q=2")], ".")
    after = Side([unit("a", "q=1", agrees=True), unit("b", "r=2"), unit("d", "s=1", agrees=True)], ".")
    assert names(before, after) == [
        (("a", "d"), True, True),
        (("b",), True, True),
        (("c",), True, False),
    ]
