"""The releases of Kueue that are reproduced: a release is a value that chooses laws, and this is where it does.

Each law that a release changed is a field of ``KueueRelease``; modules that hold laws read the field, never a number.
``changed_features`` are those that a release changed and that are not reproduced for it.
Source: the release notes of Kueue, and its own code at v0.19.2 and at ff69552, on the way to v0.20.0.
"""

import re
from typing import Final

from kubectl_fairshare.model.values import Value, replace
from kubectl_fairshare.schedulers.kueue.release.decisions import DECISIONS
from kubectl_fairshare.schedulers.kueue.release.gates import GateChanges, gate_changes
from kubectl_fairshare.schedulers.kueue.release.law import Number, values_at
from kubectl_fairshare.schedulers.kueue.release.patch import EVERY, OFTEN_CHANGED
from kubectl_fairshare.schedulers.kueue.release.patches import MEASURED, later_changes, later_features, rules_of
from kubectl_fairshare.schedulers.kueue.release.unreproduced import UNREPRODUCED

NAME: Final = "kueue"
SCHEDULER: Final = "Kueue"
_FORM: Final = r"v?([0-9]{1,4})\.([0-9]{1,4})(?:\.([0-9]{1,4}))?([-+].*)?"


class KueueRelease(Value, frozen=True):
    """A release of Kueue, and the laws that hold in it.

    - ``deduced``: nothing names it; it is the newest one that knows all names of the input
    - ``sign``: what leaves open which of several releases it is; ``text`` has words for these
    - ``assumed``: nothing names the release, so that it is the usual one
    - ``measured``: decisions of this release, or of the code that it is made of, were compared
    - ``rules_of``: the measured release by whose rules another one is answered, and ``later`` are the known changes
      between the two
    - ``gates``: feature gates that differ from those of 0.19
    - ``changed_features``: features whose decisions the release changed in a way that is not reproduced
    - ``later_features``: features that differ, or may differ, from the release of ``rules_of``

    Each other field is a law: ``decisions.py`` has its sentence, its source and its value by release. Defaults are
    those of 0.19.2.
    """

    text: str
    number: Number = (0, 19, 2)
    deduced: bool = False
    sign: str = ""
    assumed: bool = False
    measured: bool = True
    rules_of: str = ""
    later: tuple[str, ...] = ()
    later_features: frozenset[str] = frozenset()
    gates: GateChanges = GateChanges()
    limits_first: bool = False
    uncovered_counts: bool = False
    exact_amounts: bool = False
    pod_level_at_least: bool = False
    pods_are_freed: bool = False
    own_label_keys: bool = True
    hopeless_last: bool = True
    every_misfit: bool = True
    reason_tokens: bool = True
    namespace_words: bool = True
    negative_requests: bool = False
    waits_for_pods: bool = True
    second_passes_wait: bool = False
    most_pod_sets: int = 18
    replicas_bounded: bool = True
    trainer: str = "2.2"
    per_node_merges: bool = False
    keeps_scan: bool = True
    submitter_beside_head: bool = True
    redis_cleanup_counts: bool = True
    autoscaler_counts: bool = True
    pod_level_defaults: bool = True
    crashes_without_cohort: bool = False
    wrapping_amounts: bool = False
    wrapping_requests: bool = False
    sums_saturate: bool = True
    transformations_apart: bool = True
    whole_inputs: bool = False
    zero_counts: bool = False
    borrowing_by_share: bool = False
    reclaims_clamped: bool = True
    milli_usage: bool = False
    weight_divides: bool = False
    starts_as_admitted: bool = False
    penalty_sums: bool = False
    needs_local_queues: bool = False
    preferences_swapped: bool = False
    sure_leaders: bool = True
    groups_share_flavors: bool = True
    zeros_need_no_room: bool = True
    books_replacements: bool = True
    search_replaces: bool = True
    slice_constraints: bool = True
    charges_on_nodes: bool = False
    topology_errors_refuse: bool = True
    absent_first: bool = False
    whole_domains: bool = True
    domains_apart: bool = True
    topology_label: bool = False
    frameworks_gone: frozenset[str] = frozenset()
    settings_gone: frozenset[str] = frozenset()
    serves_v1beta1: bool = True
    serves_v1alpha1: bool = False
    changed_features: frozenset[str] = frozenset()

    def __str__(self) -> str:
        return self.text

    @property
    def knows_names(self) -> bool:
        """Whether its gates, frameworks and fields of the Configuration are known; a later one may have more."""
        return self.measured or (bool(self.rules_of) and self.number < DEFAULT.number)

    def may_be(self, last: tuple[int, int] | None) -> bool:
        """Whether it is ``last`` or an older minor release; no release is older than None."""
        return last is not None and self.number[:2] <= last


_FIRST_MEASURED: Final = {16: 9, 17: 8, 18: 6, 19: 2, 20: 0}
"""By minor release, the patch level that is meant where none is named: the first that was measured in whole."""


def release_named(text: str) -> KueueRelease:
    """The release that ``0.19``, ``0.20`` or ``v0.19.7`` names; without a patch level the first that is measured.

    One before the oldest measured one is taken as that, one after 0.20 as 0.20, and neither as measured. What follows
    the number, as in ``v0.18.0-rc.0`` or a vendor's ``v0.17.8-gke.3``, makes it another build: it is answered by the
    rules of the release. Raises ``ValueError``.
    """
    match = re.fullmatch(_FORM, text)
    if match is None:
        raise ValueError(f"`{text}` is not a release; write `0.16`, `0.20` or `0.20.1`")
    major, minor = int(match[1]), int(match[2])
    first = _FIRST_MEASURED.get(minor, 0) if major == 0 else 0
    number = (major, minor, first if match[3] is None else int(match[3]))
    plain = match[3] is None or (minor in _FIRST_MEASURED and number[2] == first)
    release = _release(number, f"v{major}.{minor}" if plain else f"v{major}.{minor}.{number[2]}")
    return release if match[4] is None else _by_rules(release, "what this build changes is not known", match[4])


def of_line(minor: str, sign: str) -> KueueRelease:
    """A release of a line whose patch level is not known; ``sign`` is what names the line.

    It is answered by the rules of the patch level that was measured.
    """
    found = _by_rules(release_named(minor), f"{sign}; its patch level is not known")
    return replace(found, later_features=EVERY)


def undecided(lines: str, sign: str) -> KueueRelease:
    """What is said where ``sign`` leaves open which release it is: no answer is exact. ``lines`` are words for it.

    The laws are those of the newest release that it may be.
    """
    newest = release_named(re.findall(r"[0-9]+[.][0-9]+", lines)[-1])
    return replace(newest, text=lines, measured=False, rules_of="", later=(), sign=sign)


def _by_rules(release: KueueRelease, why: str, ending: str = "") -> KueueRelease:
    """Another build of a release, answered by its rules: the word for it ends with ``ending``."""
    number = f"v{'.'.join(map(str, release.number))}"
    text, clause = (f"{number}{ending}", f"{number}{ending}: {why}") if ending else (release.text, why)
    rules = release.rules_of or (number if release.measured else "")
    features = release.later_features | OFTEN_CHANGED
    later = (*release.later, clause)
    return replace(release, text=text, measured=False, rules_of=rules, later=later, later_features=features)


def _release(number: Number, text: str) -> KueueRelease:
    minor = number[1] if number[0] == 0 else max(20, number[1])
    release = KueueRelease(
        text,
        number,
        measured=number[0] == 0 and number[2] in MEASURED.get(minor, ()),
        rules_of=rules_of(number),
        later=later_changes(number),
        later_features=later_features(number),
        gates=gate_changes(minor, number[2]),
        changed_features=frozenset(law.field for law in UNREPRODUCED if law.at(number)),
    )
    return replace(release, **values_at(DECISIONS, number))


DEFAULT: Final = _release((0, 19, 2), "v0.19")
"""The newest release that was measured in whole."""
NEWEST: Final = _release((0, 20, 0), "v0.20")
