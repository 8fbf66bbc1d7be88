import pytest

from kubectl_fairshare.model.selectors import LabelSelector, Requirement, Taint, Toleration

LABELS = {"team": "blue", "cores": "8", "odd": "x"}


@pytest.mark.parametrize(
    ("operator", "key", "values", "holds"),
    [
        ("In", "team", ("red", "blue"), True),
        ("In", "team", ("red",), False),
        ("In", "absent", ("",), False),
        ("NotIn", "team", ("red",), True),
        ("NotIn", "team", ("blue",), False),
        ("NotIn", "absent", ("blue",), True),
        ("Exists", "team", (), True),
        ("Exists", "absent", (), False),
        ("DoesNotExist", "team", (), False),
        ("DoesNotExist", "absent", (), True),
        ("Gt", "cores", ("7",), True),
        ("Gt", "cores", ("8",), False),
        ("Gt", "absent", ("7",), False),
        ("Gt", "odd", ("7",), False),
        ("Gt", "cores", ("x",), False),
        ("Gt", "cores", ("1", "2"), False),
        ("Lt", "cores", ("9",), True),
        ("Lt", "cores", ("8",), False),
        ("Lt", "cores", ("10",), True),
        ("Gt", "cores", ("-1_0",), False),
        ("Gt", "cores", ("99999999999999999999",), False),
        ("Lt", "cores", ("9999999999999999999",), False),
    ],
)
def test_requirement(operator: str, key: str, values: tuple[str, ...], *, holds: bool) -> None:
    assert Requirement(key, operator, values).matches(LABELS) is holds


@pytest.mark.parametrize(
    ("requirements", "holds"),
    [
        ((), True),
        ((Requirement("team", "Exists"),), True),
        ((Requirement("team", "Exists"), Requirement("absent", "Exists")), False),
    ],
)
def test_a_selector_wants_all(requirements: tuple[Requirement, ...], *, holds: bool) -> None:
    assert LabelSelector(requirements).matches(LABELS) is holds


@pytest.mark.parametrize(
    ("toleration", "tolerates"),
    [
        (Toleration("gpu", "Equal", "yes", "NoSchedule"), True),
        (Toleration("gpu", "Equal", "yes"), True),
        (Toleration("gpu", "", "yes"), True),
        (Toleration("gpu", "Equal", "no"), False),
        (Toleration("gpu", "Exists"), True),
        (Toleration("gpu", "Exists", effect="NoExecute"), False),
        (Toleration("cpu", "Exists"), False),
        (Toleration("", "Exists"), True),
        (Toleration("", "Exists", effect="NoExecute"), False),
        (Toleration("gpu", "Odd", "yes"), False),
    ],
)
def test_toleration(toleration: Toleration, *, tolerates: bool) -> None:
    assert toleration.tolerates(Taint("gpu", "yes", "NoSchedule")) is tolerates


@pytest.mark.parametrize(
    ("operator", "value", "tolerates"),
    [
        ("Gt", "7", True),
        ("Gt", "8", False),
        ("Lt", "9", True),
        ("Lt", "-9", False),
        ("Lt", "09", False),
        ("Lt", "+9", False),
        ("Lt", "nine", False),
        ("Lt", "9223372036854775808", False),
        ("Lt", "9223372036854775807", True),
    ],
)
def test_tolerations_compare_numbers_where_the_scheduler_does(operator: str, value: str, *, tolerates: bool) -> None:
    taint = Taint("sla", "8", "NoSchedule")
    assert Toleration("sla", operator, value).tolerates(taint, numeric=True) is tolerates
    assert not Toleration("sla", operator, value).tolerates(taint)
    assert not Toleration("sla", operator, value).tolerates(Taint("sla", "gold", "NoSchedule"), numeric=True)
