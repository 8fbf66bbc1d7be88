"""Replays recorded writes to Kueue's API through the admission rules."""

from kubectl_fairshare.model.json import JsonObject
from kubectl_fairshare.schedulers.kueue.admission.feature_gates import enabled_gates
from kubectl_fairshare.schedulers.kueue.admission.judge import judge
from kubectl_fairshare.schedulers.kueue.release import DEFAULT, release_named
from kubectl_fairshare.schedulers.kueue.release.writes import write_laws


def replay(case: JsonObject) -> JsonObject:
    """The answer to a recorded write, in the form in which answers are recorded."""
    release = release_named(case["release"]) if "release" in case else DEFAULT
    laws = write_laws(release, enabled_gates({}, release))
    return judge(case["object"], case.get("old"), case.get("subresource"), laws).answer
