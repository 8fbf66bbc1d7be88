"""What decodes by the type of its kind has no unknown part, whatever is changed in it."""

import json
import random
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
import yaml

from kubectl_fairshare.api import known_types
from kubectl_fairshare.api.unknown import KnownParts
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.model.packed import Packed, PackedKind, packed_text
from kubectl_fairshare.schedulers.elasticquota.reading import unknown as elasticquota
from kubectl_fairshare.schedulers.kai.reading import unknown as kai
from kubectl_fairshare.schedulers.koordinator.reading import unknown as koordinator
from kubectl_fairshare.schedulers.kueue.reading import unknown as kueue
from tests.bench.organisation import Organisation, Size
from tests.screens import ROOT

KNOWN = {"kueue": kueue.KNOWN, "kai": kai.KNOWN, "elasticquota": elasticquota.KNOWN, "koordinator": koordinator.KNOWN}
VALUES: tuple[Any, ...] = (None, 0, -1, 1.5, True, "", "Newest", "NoSchedule", [], {}, [None], {"": None}, [{"x": 1}])
NAMES = ("new", "labels", "metadata", "status", "kueue.x-k8s.io/new", "kueue.x-k8s.io/queue-name", "kai.scheduler/new")


def objects() -> list[dict[str, Any]]:
    """Objects of all kinds: the demo, what rules are shown on, and a full organisation."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    texts = (path.read_bytes() for path in sorted((ROOT / "testdata" / "rules").rglob("bad*.yaml")))
    found = (each for text in texts for each in yaml.load_all(text, loader) if isinstance(each, dict))
    made = Organisation(Size(queues=6, cohorts=4, running=12, departments=1)).objects(heads=True)
    return [*made, *(json.loads(json.dumps(each, default=str)) for each in found)]


def packed(data: dict[str, Any]) -> Manifest:
    """An object of a large list."""
    version, kind = str(data.get("apiVersion", "")), str(data.get("kind", ""))
    held = Packed(packed_text(data), PackedKind(version, kind, stored=True), "", "x")
    return Manifest(ObjectKey("", kind, "", "x"), version, held, Origin("x", 1))


def places(value: Any) -> Iterator[Any]:
    """All mappings and lists in a value."""
    if isinstance(value, dict | list):
        yield value
        for each in value.values() if isinstance(value, dict) else value:
            yield from places(each)


def change(data: dict[str, Any], chance: random.Random) -> None:
    """Adds, replaces or removes something somewhere; never what names the kind."""
    place = chance.choice([*places(data)])
    if isinstance(place, list):
        place[chance.randrange(len(place) + 1) :] = [deepcopy(chance.choice(VALUES))]
        return
    names = [name for name in place if name not in ("apiVersion", "kind")]
    name = chance.choice([*names, *NAMES])
    if name in place and chance.random() < 0.2:
        del place[name]
    else:
        place[name] = deepcopy(chance.choice(VALUES))


@pytest.mark.parametrize("name", KNOWN)
def test_the_places_are_those_that_are_found_without_types(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_types, "_MANY", 0)
    of = KNOWN[name]
    known = KnownParts(of.apis, of.marks, of.recorded, of.unmarked)
    chance = random.Random(name)
    clean = unclean = 0
    for data in objects():
        for _ in range(3):
            manifest = packed(data)
            assert [place.path for place in known.places(manifest)] == known.paths(data)
            clean, unclean = clean + (not known.paths(data)), unclean + bool(known.paths(data))
            change(data, chance)
    assert min(clean, unclean) > 50


def test_what_holds_nothing_new_is_not_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    known = KnownParts(kueue.KNOWN.apis, kueue.KNOWN.marks, kueue.KNOWN.recorded, kueue.KNOWN.unmarked)
    made = Organisation(Size(queues=6, cohorts=4, running=600, departments=1)).objects()
    looked: list[object] = []

    def paths(data: object) -> list[object]:
        looked.append(data)
        return []

    monkeypatch.setattr(known, "paths", paths)
    for data in made:
        if data["kind"] == "Workload":
            known.places(packed(data))
    assert len(looked) < 600
