"""KAI's own options, applied to the state.

Tested in ``tests/unit/schedulers/kai/reading/test_past_usage.py``.
"""

import math

from kubectl_fairshare.model.errors import Problem, UsageError
from kubectl_fairshare.model.moments import nanoseconds
from kubectl_fairshare.model.releases import Release
from kubectl_fairshare.model.snapshot import Snapshot
from kubectl_fairshare.model.values import replace
from kubectl_fairshare.schedulers.kai.model.objects import KaiState, Shard, TimeAware
from kubectl_fairshare.schedulers.kai.model.scenario import SimulationScenario
from kubectl_fairshare.schedulers.kai.reading.past_usage import usage_sources, with_usage
from kubectl_fairshare.schedulers.kai.release import MODELLED, is_modelled
from kubectl_fairshare.schedulers.question import Settings, is_given
from kubectl_fairshare.schedulers.scheduler import Adjusted, Sources


def adjusted(snapshot: Snapshot, settings: Settings, sources: Sources) -> Adjusted:
    """The snapshot with KAI's options applied: release, shard, formula, moment, past usage.

    Raises ``UsageError`` for invalid options, ``FairshareError`` for sources that cannot be read or queried.
    """
    given = {name for name, value in settings.items() if is_given(value)}
    named = usage_sources(settings)
    state = in_shard(snapshot.part(KaiState), settings.get("shard"))
    if given & {"k_value", "time_aware"}:
        state = replace(state, shards=tuple(counting(one, settings) for one in state.every_shard))
    if (now := settings.get("now")) is not None:
        state = replace(state, now=_moment(str(now)))
    if (release := settings.get("release")) is not None:
        _check_release(str(release))  # it was read with the objects
    key = state.shard.key
    reading = with_usage(state, None if key is None else snapshot.manifests.get(key), named, sources)
    return Adjusted(
        snapshot.with_part(reading.state), reading.notes, tuple((file.manifest, file.text) for file in reading.files)
    )


def in_shard(state: KaiState, name: object) -> KaiState:
    """The same state for a question about the shard of this name. Raises ``UsageError`` for an unknown name."""
    if name is None:
        return state
    names = sorted(shard.name for shard in state.shards)
    if name not in names:
        remedy = f"write one of {', '.join(names)}" if names else "the input has no SchedulingShard: remove `--shard`"
        raise UsageError(Problem(f"no shard is called `{str(name)[:64]}`", "--shard", remedy))
    return replace(state, asked=str(name))


def counting(shard: Shard, settings: Settings) -> Shard:
    """The shard with the options' settings of past usage. Raises ``UsageError`` for an invalid k."""
    k, kind = formula_settings(settings)
    return replace(shard, k=shard.k if k is None else k, time_aware=kind or shard.time_aware)


def formula_settings(settings: Settings) -> tuple[float | None, TimeAware | None]:
    """The k and the formula of the options, None if they name none.

    Raises ``UsageError`` for a k out of range, or with a formula without k.
    """
    k, kind = settings.get("k_value"), settings.get("time_aware")
    if k is None:
        return None, None if kind is None else TimeAware(str(kind))
    assert isinstance(k, (int, float))
    if kind == TimeAware.PROPOSAL.value:
        raise UsageError(Problem("the proposal's formula has no k", "--k-value", "remove one of the two options"))
    if not 0 <= k < math.inf:
        remedy = "0 means plain weights; `--time-aware proposal` is the limit for large k"
        raise UsageError(Problem("must be 0 or more, and finite", "--k-value", remedy))
    return float(k), None if kind is None else TimeAware(str(kind))


def adjusted_scenario(scenario: SimulationScenario, cycles: int | None, settings: Settings) -> SimulationScenario:
    """The scenario with this number of cycles and the options' settings of past usage."""
    k, kind = formula_settings(settings)
    return replace(
        scenario,
        cycles=scenario.cycles if cycles is None else cycles,
        k=scenario.k if k is None else k,
        time_aware=kind or scenario.time_aware,
    )


def _check_release(text: str) -> None:
    """Raises ``UsageError`` for a text that names no release, and for a release that is not modelled."""
    try:
        Release.parse(text)
    except ValueError:
        raise UsageError(Problem(f"`{text}` is not a release", "--release", f"write `{MODELLED}`")) from None
    if not is_modelled(text):
        remedy = f"write `{MODELLED}`, or leave it out: answers about another release are not exact"
        raise UsageError(Problem(f"KAI {text} is not modelled, only {MODELLED} is", "--release", remedy))


def _moment(text: str) -> int:
    try:
        return nanoseconds(text)
    except ValueError:
        raise UsageError(Problem(f"`{text}` is not a moment", "--now", "write `2026-08-01T12:00:00Z`")) from None
