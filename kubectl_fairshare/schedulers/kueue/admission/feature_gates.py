"""The feature gates of Kueue v0.19: which exist, which are on, which are locked, and which need another.

``feature_gates.json`` lists them: alpha gates are off by default, beta gates on but for a few (``betaOff``), deprecated
ones off. Source: Kueue v0.19, the manager's feature gates and their checks at start.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from msgspec.json import decode

from kubectl_fairshare import shipped
from kubectl_fairshare.model.phrases import quoted
from kubectl_fairshare.schedulers.kueue.release import DEFAULT, KueueRelease
from kubectl_fairshare.schedulers.kueue.release.gates import GateChanges


class _Gates(NamedTuple):
    """The gates that are on or off by default, those that are locked, the groups, and what a gate needs to be on."""

    on: frozenset[str]
    off: frozenset[str]
    locked_on: frozenset[str]
    locked_off: frozenset[str]
    groups: dict[str, frozenset[str]]
    needs: dict[str, list[str]]


@cache
def _gates() -> _Gates:
    listed = decode(shipped.content("schedulers/kueue/admission/feature_gates.json"))
    alpha, beta, beta_off, deprecated, locked_on, locked_off = (
        frozenset(listed[name]) for name in ("alpha", "beta", "betaOff", "deprecated", "lockedOn", "lockedOff")
    )
    groups = {"AllAlpha": alpha, "AllBeta": beta}
    return _Gates(beta - beta_off, alpha | beta_off | deprecated, locked_on, locked_off, groups, listed["needs"])


def is_known(gate: str, release: KueueRelease = DEFAULT) -> bool:
    """Whether there is such a gate, or such a group of gates."""
    changes = release.gates
    if gate in changes.gone:
        return False
    return gate in changes.on or gate in changes.off or any(gate in names for names in _gates()[:5])


def known_gates(release: KueueRelease) -> frozenset[str]:
    """All gates of a release, without the groups."""
    gates = _gates()
    named = gates.on | gates.off | gates.locked_on | gates.locked_off | release.gates.on | release.gates.off
    return frozenset(gate for gate in named if is_known(gate, release))


def locked_gates(release: KueueRelease) -> frozenset[str]:
    """The gates that cannot be set otherwise."""
    gates = _gates()
    of_19 = (gates.locked_on | gates.locked_off) - release.gates.free
    return (of_19 | release.gates.locked) & known_gates(release)


def enabled_gates(overrides: Mapping[str, bool], release: KueueRelease = DEFAULT) -> frozenset[str]:
    """The gates that are on; a gate's own setting overrides that of its group."""
    gates = _gates()
    state = dict.fromkeys(gates.off | gates.locked_off, False)
    state |= dict.fromkeys(gates.on | gates.locked_on, True)
    state |= dict.fromkeys(release.gates.off, False)
    state |= dict.fromkeys(release.gates.on, True)
    state = {gate: on for gate, on in state.items() if gate not in release.gates.gone}
    for group, members in gates.groups.items():
        if group in overrides:
            state.update(dict.fromkeys(members & state.keys(), overrides[group]))
    state.update({gate: on for gate, on in overrides.items() if gate in state})
    return frozenset(gate for gate, on in state.items() if on)


def _is_locked(gate: str, on: bool, changes: GateChanges) -> bool:
    """Whether the gate cannot be set so: it is locked to the other value."""
    gates = _gates()
    locked = gate in changes.locked or (gate in gates.locked_on | gates.locked_off and gate not in changes.free)
    return locked and on is not (gate in changes.on or gate in gates.locked_on)


def complaints(overrides: Mapping[str, bool], release: KueueRelease = DEFAULT) -> Iterator[tuple[str, str]]:
    """What prevents the manager from starting: the gate and the reason."""
    gates = _gates()
    for gate, on in sorted(overrides.items()):
        if not is_known(gate, release):
            yield gate, f"Kueue {release} knows no feature gate `{gate}`"
        elif _is_locked(gate, on, release.gates):
            yield gate, f"feature gate `{gate}` is locked and cannot be changed"
    running = enabled_gates(overrides, release)
    lacking: dict[str, list[str]] = {}
    for gate, needed in gates.needs.items():
        for other in needed if gate in running else ():
            if other not in running and gate in overrides:
                yield gate, f"feature gate `{gate}` needs `{other}`"
            elif other not in running:
                lacking.setdefault(other, []).append(gate)
    for other, needing in lacking.items():
        if len(needing) == 1:
            yield other, f"feature gate `{needing[0]}` needs `{other}`"
        else:
            yield other, f"feature gates that are on need `{other}`: {quoted(sorted(needing))}"
