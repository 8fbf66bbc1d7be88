"""What commands ask a cluster for: each list once, and none that another holds in whole."""

import pytest

from kubectl_fairshare.input.cluster.resources import COMMANDS, needs
from kubectl_fairshare.schedulers import known_schedulers

READS = {each.name: each.cluster() for each in known_schedulers()}


@pytest.mark.parametrize("command", COMMANDS)
def test_no_list_is_asked_for_twice(command: str) -> None:
    wanted = needs(command, READS.values())
    assert len(wanted) == len(set(wanted))
    whole = {each.name for each in wanted if each.is_whole}
    assert not [each for each in wanted if not each.is_whole and each.name in whole]


def test_pods_that_a_selector_picks_are_asked_for_where_no_scheduler_lists_all() -> None:
    alone = [each for each in needs("why", [READS["kueue"]]) if each.plural == "pods"]
    together = [each for each in needs("why", READS.values()) if each.plural == "pods"]
    assert (len(alone), [each.is_whole for each in together]) == (3, [True])


def test_a_snapshot_holds_what_any_command_reads() -> None:
    names = {each.name for each in needs("snapshot", READS.values())}
    assert all({each.name for each in needs(command, READS.values())} <= names for command in COMMANDS)


def test_an_unknown_command_reads_what_a_snapshot_does() -> None:
    assert needs("simulate", READS.values()) == needs("snapshot", READS.values())
