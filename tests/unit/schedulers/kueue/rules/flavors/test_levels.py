"""Rules: the levels of a Topology."""

from kubectl_fairshare.finding import Reorder
from tests.unit.schedulers.kueue.rules.asking import document, reported


def test_hostname_is_moved_to_the_end() -> None:
    levels = "".join(f"  - nodeLabel: {name}\n" for name in ("kubernetes.io/hostname", "rack", "row"))
    (found,) = reported("K028", document("Topology", f"spec:\n  levels:\n{levels}"))
    (edit,) = found.finding.remedy.edits
    assert isinstance(edit, Reorder)
    assert edit.order == (1, 2, 0)
