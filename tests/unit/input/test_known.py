"""What known schedulers tell of kinds, and a scheduler that input has never heard of."""

import io
from typing import Any, NoReturn

import pytest

from kubectl_fairshare.input.assemble import assemble
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.input.known import Home, KnownSchedulers, Reads
from kubectl_fairshare.input.parts import Material, Part
from kubectl_fairshare.model.values import Value
from kubectl_fairshare.schedulers import known_schedulers


class Lanes(Value, frozen=True):
    """The state of a scheduler of our own making."""

    names: tuple[str, ...] = ()


def _part(material: Material) -> Part:
    names = tuple(m.key.name for m in material.manifests if m.key.kind == "Lane")
    return Part((Lanes(names),), frozenset({("lanes.example", "Lane")}))


def _cluster() -> NoReturn:
    raise AssertionError("no cluster is read")


LANES = Reads(
    "lanes",
    "Lanes",
    {"lanes.example": frozenset({"Ticket"})},
    Home("lanes-system"),
    _part,
    _cluster,
    configurations=frozenset({("config.lanes.example", "Configuration")}),
    short_names={"ln": "lane"},
)


@pytest.mark.parametrize(
    ("group", "kind", "lies_in_one"),
    [
        ("lanes.example", "Lane", False),
        ("lanes.example", "Ticket", True),
        ("config.lanes.example", "Configuration", False),
        ("kubescheduler.config.k8s.io", "KubeSchedulerConfiguration", False),
        ("", "Node", False),
        ("batch", "Job", True),
        ("unknown.example", "Thing", True),
    ],
)
def test_a_kind_lies_in_a_namespace(group: str, kind: str, lies_in_one: bool) -> None:
    assert KnownSchedulers((LANES,)).has_namespace(group, kind) is lies_in_one


@pytest.mark.parametrize("word", ["lane", "lanes", "Lane", "ln", "lane.lanes.example"])
def test_a_kind_is_called_by_its_names(word: str) -> None:
    assert KnownSchedulers((LANES,)).is_called("lanes.example", "Lane", word)
    assert not KnownSchedulers(()).is_called("lanes.example", "Lane", "ln")


def test_a_scheduler_that_is_added_reads_its_part_and_nothing_else_changes() -> None:
    schedulers = KnownSchedulers((*known_schedulers(), LANES))
    text = b"apiVersion: lanes.example/v1\nkind: Lane\nmetadata: {name: fast}\n"
    manifests = read(["-"], schedulers, stdin=io.BytesIO(text)).manifests
    snapshot = assemble(manifests, schedulers).snapshot
    assert snapshot.part(Lanes).names == ("fast",)
    assert snapshot.skipped == {}
    assert assemble(manifests, known_schedulers()).snapshot.skipped == {"lanes.example/v1 Lane": 1}


@pytest.mark.parametrize("option", ["--kueue-namespace", "--scheduler-namespace"])
def test_options_name_the_namespaces_of_schedulers(option: str) -> None:
    homes: dict[str, Any] = {each.home.option: each.home.parameter for each in known_schedulers()}
    assert homes[option] == option.removeprefix("--").replace("-", "_")
