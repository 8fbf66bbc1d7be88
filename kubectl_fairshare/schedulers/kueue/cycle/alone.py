"""The outcome of one workload that is considered alone, cycle after cycle.

Why one cycle is not enough: with ``whenCanPreempt: Preempt`` the scan stops at on-demand, finds no victims there, and
spot would have fitted. The next cycle goes on after on-demand.
Source: ``NextFlavorToTryForPodSetResource`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/workload/workload.go, ``lastAssignmentOutdated`` in
https://github.com/kubernetes-sigs/kueue/blob/v0.19.2/pkg/scheduler/scheduler.go; "flavors" in ``docs/laws.md``.
"""

from kubectl_fairshare.schedulers.kueue.cycle.nominate import Nomination, nominate
from kubectl_fairshare.schedulers.kueue.cycle.nominations import Nominations
from kubectl_fairshare.schedulers.kueue.cycle.second_look import second_look
from kubectl_fairshare.schedulers.kueue.flavors.assignment import Mode, Tried
from kubectl_fairshare.schedulers.kueue.model.workload import Pending
from kubectl_fairshare.schedulers.kueue.preemption.replay import Replay
from kubectl_fairshare.schedulers.kueue.tree.state import State


def scan(
    state: State, workload: Pending, replay: Replay | None = None, nominations: Nominations | None = None
) -> tuple[Nomination, ...]:
    """The nominations of the workload, cycle after cycle, until it is admitted or all its flavors were tried.

    There are several if the queue's fungibility stops the scan at a flavor in which preemption then finds no victims:
    Kueue continues after that flavor in the next cycle. ``replay`` has earlier searches of the queue on this state,
    ``nominations`` those that are known of it.
    """
    first = nominate(state, workload, replay=replay) if nominations is None else nominations.of(workload)
    found = [second_look(state, first)]
    seen: list[Tried] = []
    while (came_to := found[-1].tried) not in seen and _goes_on(
        state, found[-1]
    ):  # Kueue itself may repeat this for ever
        seen.append(came_to)
        found.append(second_look(state, nominate(state, workload, came_to, replay)))
    return tuple(found)


def _goes_on(state: State, nomination: Nomination) -> bool:
    """Whether the next cycle tries the flavors after those that were tried.

    Of a workload that was skipped, not every release keeps how far its scan came.
    """
    skipped = nomination.mode is Mode.FIT or bool(nomination.leaving)
    return nomination.goes_on and (state.configuration.release.keeps_scan or not skipped)
