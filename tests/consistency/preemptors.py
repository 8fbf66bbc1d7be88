"""Who may preempt running work, as ``diff`` and ``report`` compute it, against the victims of plans."""

from collections.abc import Iterator

from kubectl_fairshare.answers.preemptors import PreemptorNumbers
from kubectl_fairshare.schedulers import scheduler_named
from kubectl_fairshare.schedulers.kueue.conformance.cases import case_snapshot
from tests.consistency.asking import NOW
from tests.consistency.states import State


def unnamed(state: State, victims: list[tuple[str, str]]) -> Iterator[str]:
    """Victims of plans of Kueue whose preemptor is not among those that may preempt them."""
    if state.house != "kueue" or not victims:
        return
    objects = [each for each in state.objects if each["kind"] != "Configuration"]
    config = next(({"fairSharing": each["fairSharing"]} for each in state.objects if "fairSharing" in each), {})
    snapshot = case_snapshot({"name": "drawn", "now": NOW, "config": config, "objects": objects})
    exposures = scheduler_named("kueue").review.exposures(snapshot, PreemptorNumbers())
    takers = {f"{each.key.namespace}/{each.key.name}": {one.queue for one in each.takers} for each in exposures}
    for queue, victim in victims:
        if victim in takers and queue not in takers[victim]:
            named = ", ".join(sorted(takers[victim])) or "none"
            yield f"{victim} is preempted for {queue}; named are {named}"
