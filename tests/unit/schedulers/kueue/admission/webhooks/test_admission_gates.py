"""The annotation that holds a Workload back."""

import pytest

from kubectl_fairshare.schedulers.kueue.admission.webhooks.workload import gate_causes
from kubectl_fairshare.schedulers.kueue.model.gates import GATED_BY


def types(new: str, old: str | None = None) -> list[str]:
    before = {GATED_BY: old} if old is not None else None
    return [cause.type.removeprefix("FieldValue") for cause in gate_causes({GATED_BY: new}, before)]


@pytest.mark.parametrize(
    ("gates", "complaints"),
    [
        ("", []),
        ("a.b/c, a.b/d", []),
        ("a.b/c,", ["Invalid"]),
        ("a.b/c,a.b/c", ["Invalid"]),
        ("gate", ["Invalid"]),
        ("a.b/" + "c" * 60, ["TooLong"]),
    ],
)
def test_the_syntax(gates: str, complaints: list[str]) -> None:
    assert types(gates) == complaints


def test_gates_can_only_be_removed_later() -> None:
    assert types("a.b/d", "a.b/c,a.b/d") == []
    assert types("", "a.b/c") == []
    assert types("a.b/c,a.b/d", "a.b/d") == ["Forbidden"]
    assert types("a.b/c", "") == ["Forbidden"]
