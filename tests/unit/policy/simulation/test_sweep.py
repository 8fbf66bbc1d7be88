"""Grids, and what a cell changes."""

import pytest

from kubectl_fairshare.model.errors import UsageError
from kubectl_fairshare.model.location import ObjectKey, Origin
from kubectl_fairshare.model.manifest import Manifest
from kubectl_fairshare.policy.simulation.sweep import Axis, axis, grid, scaled_arrivals, varied
from tests.unit.policy.simulation.made_up import S, job

QUEUE = Manifest(
    ObjectKey("g", "Queue", "", "a"), "v1", {"spec": {"parts": [{"weight": 1}, {"weight": 2}]}}, Origin("x", 0)
)


def test_an_axis_has_values_divided_by_commas_or_bars() -> None:
    assert axis("arrivals=1,1.5,1") == Axis("arrivals", ("1", "1.5"))
    assert axis('Queue:spec.list=["a","b"]|["b"]') == Axis("Queue:spec.list", ('["a","b"]', '["b"]'))


@pytest.mark.parametrize("text", ["arrivals", "arrivals=", "arrivals=0", "arrivals=fast", "weight=1,2", "Queue/a=1"])
def test_a_wrong_axis_says_what_to_write(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        axis(text)
    assert caught.value.problems[0].help


def test_a_grid_has_every_combination_with_every_seed() -> None:
    cells = list(grid([Axis("arrivals", ("1", "2")), Axis("option.k", ("1", "4"))], (0, 1)))
    assert len(cells) == len({cell.name for cell in cells}) == 8
    assert cells[0].settings == (("arrivals", "1"), ("option.k", "1"))
    assert [cell.seed for cell in cells[:2]] == [0, 1]


def test_a_cell_has_the_same_name_whenever_the_sweep_is_run() -> None:
    one, again = (next(iter(grid([Axis("arrivals", ("1",))], (7,)))) for _ in range(2))
    assert one.name == again.name == f"{one.name.partition('-')[0]}-7"


def test_fields_are_changed_and_nothing_else() -> None:
    (changed,) = varied([QUEUE], [("Queue/a:spec.parts[1].weight", "5"), ("Queue:spec.new.field", "x")])
    assert changed.data == {"spec": {"parts": [{"weight": 1}, {"weight": 5}], "new": {"field": "x"}}}
    assert QUEUE.data == {"spec": {"parts": [{"weight": 1}, {"weight": 2}]}}


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("Queue/b:spec.x", "the input has no Queue `b`"),
        ("Other:spec.x", "the input has no Other"),
        ("Queue:spec.parts[9].weight", "has no field for"),
        ("Queue:spec.parts.weight", "has no field for"),
        ("Queue:spec..x", "is not a path of fields"),
    ],
)
def test_a_field_that_is_not_there_is_an_error(key: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        varied([QUEUE], [(key, "1")])


def test_scaled_arrivals_keep_order_and_work() -> None:
    jobs = [job(str(n), "a", 100 + 10 * n, 0).job for n in range(3)]
    scaled = scaled_arrivals(jobs, 2.0)
    assert [each.created // S for each in scaled] == [100, 105, 110]
    assert [each.duration for each in scaled] == [each.duration for each in jobs]
