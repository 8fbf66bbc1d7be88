"""From options to a state: overlays, overrides, and what is told about the input."""

import csv
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest

from kubectl_fairshare.cli.asking.load import Loaded, load
from kubectl_fairshare.cli.options.house import HouseOptions
from kubectl_fairshare.cli.options.shared import Inputs, ScreenOptions
from kubectl_fairshare.cli.streams import Streams
from kubectl_fairshare.model.errors import FairshareError, UsageError
from kubectl_fairshare.model.location import Location, Place
from kubectl_fairshare.schedulers.kueue.model.objects import FINAL_SHARE, INITIAL_SHARE, cluster_key
from kubectl_fairshare.schedulers.kueue.model.state import KueueState
from kubectl_fairshare.schedulers.question import Settings
from tests.screens import Screen, stream, written

QUEUE = """\
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata:
  name: {name}
spec:
  cohort: typo
  cohortName: all
  resourceGroups:
    - coveredResources: [cpu]
      flavors:
        - name: any
          resources: [{{name: cpu, nominalQuota: {nominal}}}]
"""


def loading(inputs: Inputs, settings: Settings | None = None, *, quiet: bool = False) -> tuple[str, Loaded]:
    """What is told on standard error, and what was loaded."""
    told = stream(b"")
    house = HouseOptions(None, (("kueue", settings or {}),))
    loaded = load(inputs, house, Streams(stream(b""), stream(b""), told), ScreenOptions(quiet=quiet))
    return written(told), loaded


@pytest.fixture
def base(tmp_path: Path) -> Path:
    folder = tmp_path / "base"
    folder.mkdir()
    for name in ("one", "two"):
        (folder / f"{name}.yaml").write_text(QUEUE.format(name=name, nominal=4))
    return folder


def test_an_unknown_field_is_told_at_its_line(base: Path) -> None:
    told, _ = loading(Inputs((str(base / "one.yaml"),)))
    place = f"{base}/one.yaml:6:11"
    assert told == (
        f"note: {place}: unknown field `spec.cohort` in ClusterQueue one: ignored, as the API server would drop it\n"
    )


def test_quiet_is_quiet(base: Path) -> None:
    told, _ = loading(Inputs((str(base),)), quiet=True)
    assert told == ""


def test_other_kinds_are_counted(tmp_path: Path) -> None:
    pods = [{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": f"p{i}"}} for i in range(3)]
    (tmp_path / "pods.json").write_bytes(orjson.dumps({"apiVersion": "v1", "kind": "List", "items": pods}))
    told, _ = loading(Inputs((str(tmp_path),)))
    assert told == "note: not used by this answer: 3 v1 Pod\n"


def nominals(run: Callable[[str], Screen], options: str) -> dict[str, str]:
    rows = csv.DictReader(run(f"kubectl-fairshare shares -q -o csv {options}").stdout.splitlines())
    return {row["name"]: row["nominal"] for row in rows if row["kind"] == "ClusterQueue"}


def test_an_overlay_changes_adds_and_takes_away(run: Callable[[str], Screen], base: Path, tmp_path: Path) -> None:
    change = tmp_path / "change"
    change.mkdir()
    (change / "all.yaml").write_text("---\n".join(QUEUE.format(name=n, nominal=9) for n in ("two", "three")))
    assert nominals(run, f"-f {base}") == {"one": "4", "two": "4"}
    assert nominals(run, f"-f {base} --overlay {change}") == {"one": "4", "two": "9", "three": "9"}
    assert nominals(run, f"-f {base} --overlay {change} --overlay-delete cq/one") == {"two": "9", "three": "9"}


def test_a_place_in_an_overlay_is_found_there(base: Path, tmp_path: Path) -> None:
    (tmp_path / "two.yaml").write_text("\n" + QUEUE.format(name="two", nominal=9))
    _, loaded = loading(Inputs((str(base),), overlay=(str(tmp_path / "two.yaml"),)))
    place = Place(cluster_key("ClusterQueue", "two"), ("spec", "cohortName"))
    assert loaded.places[place] == Location(f"{tmp_path}/two.yaml", 8, 15)


@pytest.mark.parametrize(
    ("options", "strategies"),
    [
        ({}, (FINAL_SHARE, INITIAL_SHARE)),
        ({"fair_sharing": False}, None),
        ({"fair_sharing": True}, (FINAL_SHARE, INITIAL_SHARE)),
        ({"preemption_strategy": (INITIAL_SHARE,)}, (INITIAL_SHARE,)),
        ({"preemption_strategy": (FINAL_SHARE, INITIAL_SHARE, FINAL_SHARE)}, (FINAL_SHARE, INITIAL_SHARE)),
    ],
)
def test_options_go_before_the_configuration(root: Path, options: Settings, strategies: tuple[str, ...] | None) -> None:
    _, loaded = loading(Inputs((str(root / "testdata/demo/org"),)), options)
    assert loaded.snapshot.part(KueueState).configuration.strategies == strategies


def test_fair_sharing_without_configuration_takes_both_strategies(base: Path) -> None:
    _, loaded = loading(Inputs((str(base),)), {"fair_sharing": True})
    assert loaded.snapshot.part(KueueState).configuration.strategies == (FINAL_SHARE, INITIAL_SHARE)


@pytest.mark.parametrize(
    "options",
    [
        {"preemption_strategy": (FINAL_SHARE,), "fair_sharing": False},
        {"preemption_strategy": (INITIAL_SHARE, FINAL_SHARE)},
    ],
)
def test_contradicting_options_are_refused(base: Path, options: Settings) -> None:
    with pytest.raises(UsageError):
        loading(Inputs((str(base),)), options)


def test_what_the_server_would_refuse_is_told_at_its_line(base: Path) -> None:
    (base / "two.yaml").write_text(QUEUE.format(name="two", nominal=-4))
    with pytest.raises(FairshareError) as raised:
        loading(Inputs((str(base),)))
    (problem,) = raised.value.problems
    assert problem.place == Location(f"{base}/two.yaml", 12, 49)


def test_a_version_that_kueue_does_not_serve_is_told_as_such(base: Path) -> None:
    path = base / "one.yaml"
    path.write_text(QUEUE.format(name="one", nominal=4).replace("v1beta2", "v1alpha1"))
    with pytest.raises(FairshareError) as caught:
        loading(Inputs((str(path),)))
    (problem,) = caught.value.problems
    assert problem.message == "Kueue v0.19 does not serve `kueue.x-k8s.io/v1alpha1`"
    assert problem.place == Location(str(path), 1, 13)
    assert problem.help == "write ClusterQueue one in `kueue.x-k8s.io/v1beta2`, or in `kueue.x-k8s.io/v1beta1`"


def test_problems_of_all_kinds_come_in_the_order_of_the_text_each_with_a_remedy(tmp_path: Path) -> None:
    space = "apiVersion: v1\nkind: Namespace\nmetadata: {name: ns, labels: {team: 1}}\n---\n"
    path = tmp_path / "all.yaml"
    path.write_text(space + QUEUE.format(name="z", nominal=-1) + "---\n" + QUEUE.format(name="a", nominal="x"))
    with pytest.raises(FairshareError) as caught:
        loading(Inputs((str(path),)))
    assert [str(p.place).rpartition("all.yaml:")[2] for p in caught.value.problems] == ["3:37", "16:49", "29:49"]
    assert all(p.help for p in caught.value.problems)
