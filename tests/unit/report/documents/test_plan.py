"""The parts of a plan that all schedulers share, in a document."""

from typing import get_args, get_type_hints

from kubectl_fairshare.answers.holds import HoldKind
from kubectl_fairshare.model.location import ObjectKey
from kubectl_fairshare.report.documents.plan import HoldPart, object_part


def test_an_object_is_named_by_all_its_names() -> None:
    found = object_part(ObjectKey("batch", "Job", "vision", "train"))
    assert found == {"group": "batch", "kind": "Job", "namespace": "vision", "name": "train"}


def test_the_schema_knows_all_that_holds_a_workload_besides_quotas() -> None:
    assert {*get_args(get_type_hints(HoldPart)["kind"])} == {kind.value for kind in HoldKind}
