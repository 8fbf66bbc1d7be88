"""Quotas as they should be get no warning and no error."""

from kubectl_fairshare.cli.linting.rule_choice import known_rules
from kubectl_fairshare.finding import Severity
from tests.unit.schedulers.elasticquota.rules.objects import deployment, node, pod, quota, resource_quota, scheduler
from tests.unit.schedulers.kueue.rules.asking import reported

MILD = (Severity.INFO,)
PLUGINS = {
    "multiPoint": {"enabled": [{"name": "CapacityScheduling"}]},
    "postFilter": {"disabled": [{"name": "*"}], "enabled": [{"name": "CapacityScheduling"}]},
}


def told(*texts: str) -> list[str]:
    """What the rules about ElasticQuotas say in the default selection that is worse than information."""
    ours = [rule for rule in known_rules() if rule.id.startswith("E") and not rule.advice]
    found = [each for rule in ours for each in reported(rule.id, *texts, complete=True)]
    return [f"{r.rule.id} {r.finding.message}" for r in found if r.severity not in MILD]


def test_the_example_of_the_enhancement_proposal() -> None:
    texts = [quota(f"quota{n}", {"cpu": 4}, {"cpu": 6}) for n in (1, 2)]
    pods = [deployment(f"quota{n}", {"cpu": 2}) for n in (1, 2)]
    assert told(*texts, *pods) == []


def test_two_teams_that_borrow_from_each_other() -> None:
    least, most = {"cpu": 6, "memory": "24Gi"}, {"cpu": 12, "memory": "48Gi"}
    quotas = [quota(team, least, most) for team in ("a", "b")]
    bounds = [resource_quota(team, {"requests.cpu": 24, "requests.memory": "96Gi"}) for team in ("a", "b")]
    nodes = node("n1"), node("n2")
    requests, mine = {"cpu": 2, "memory": "4Gi"}, {"schedulerName": "capacity"}
    running = [pod("a", f"a{n}", requests, f"n{1 + n % 2}", **mine) for n in range(5)]
    profiles = scheduler({"schedulerName": "default-scheduler"}, {"schedulerName": "capacity", "plugins": PLUGINS})
    assert told(*quotas, *bounds, *nodes, *running, pod("b", requests=requests, **mine), profiles) == []
