"""A remedy is accepted by the webhook, helps, and needs each of its changes; a report and random trees."""

import random
from collections.abc import Iterator

import pytest

from kubectl_fairshare.schedulers.koordinator.admission.topology import topology_of, webhook_quota
from kubectl_fairshare.schedulers.koordinator.admission.webhook import updated
from kubectl_fairshare.schedulers.koordinator.explain.decision import Plan
from kubectl_fairshare.schedulers.koordinator.explain.planning import plan
from kubectl_fairshare.schedulers.koordinator.explain.trying import helps
from kubectl_fairshare.schedulers.koordinator.model.objects import Gates
from kubectl_fairshare.schedulers.koordinator.preemption.scheduling import schedule
from kubectl_fairshare.schedulers.kubescheduler.decision import ChangeKind, RemedyChange
from tests.unit.schedulers.koordinator.build import Object, manifests, node, pod, quota, state

QUOTAS = (ChangeKind.MIN, ChangeKind.MAX)
FIRM = {"quota.scheduling.koordinator.sh/preemptible": "false"}


def report() -> list[Object]:
    """Two quotas below one whose min has no room for what one of them needs."""
    return [
        node(cpu="8"),
        quota("both", {"cpu": "10m"}, {"cpu": "500m"}, is_parent="true"),
        quota("first", {"cpu": "1m"}, {"cpu": "500m"}, "both"),
        quota("second", {"cpu": "1m"}, {"cpu": "500m"}, "both"),
        pod("old", "first", {"cpu": "400m"}, node="n1"),
        pod("asked", "second", {"cpu": "400m"}),
    ]


FORCED = "quota.scheduling.koordinator.sh/allow-force-update"


def forced(objects: list[Object], *names: str) -> list[Object]:
    """The objects, with the label ``allow-force-update`` on the quotas of these names."""
    for each in objects:
        if each["kind"] == "ElasticQuota" and each["metadata"]["name"] in names:
            each["metadata"]["labels"][FORCED] = "true"
    return objects


def random_tree(seed: int) -> list[Object]:
    """A tree that the webhook accepts, with pods in its leaves and one that asks."""
    chance = random.Random(seed)
    kinds = ("cpu", "memory")
    total = {kind: chance.randint(4, 24) for kind in kinds}
    most = {kind: chance.randint(2, 20) for kind in kinds}
    leaves = ["a", "b", "c"][: chance.randint(1, 3)]
    least = {name: {kind: chance.randint(0, min(3, most[kind])) for kind in kinds} for name in leaves}
    sums = {kind: sum(each[kind] for each in least.values()) for kind in kinds}
    top = {kind: max(most[kind], sums[kind]) for kind in kinds}
    objects = [node(**{kind: str(total[kind]) for kind in kinds}), quota("org", sums, top, is_parent="true")]
    objects += [quota(name, least[name], most, "org") for name in leaves]
    for number in range(chance.randint(0, 5)):
        request = {kind: chance.randint(0, 4) for kind in kinds}
        objects.append(pod(f"p{number}", chance.choice(leaves), request, node="n1", priority=chance.randint(0, 2)))
    labels = FIRM if chance.random() < 0.3 else {}
    asked = {kind: chance.randint(0, 6) for kind in kinds}
    return [*objects, pod("asked", chance.choice(leaves), asked, priority=1, labels=labels)]


def planned(objects: list[Object]) -> Plan:
    at = state(*objects)
    return plan(at, next(p for p in at.source.pods if p.key.name == "asked"), None)


def raises(found: Plan) -> Iterator[tuple[RemedyChange, ...]]:
    """The remedies that change quotas."""
    return (r.changes for r in found.remedies if all(c.kind in QUOTAS for c in r.changes))


def applied(objects: list[Object], changes: tuple[RemedyChange, ...]) -> list[Object]:
    """The objects with the changes; cpu is stated in milli."""
    by_name = {each["metadata"]["name"]: each for each in objects}
    for change in changes:
        spec = by_name[change.quota]["spec"]
        value = f"{change.after}m" if change.resource == "cpu" else str(change.after)
        new = {**spec, change.kind.value: {**spec[change.kind.value], change.resource: value}}
        by_name[change.quota] = {**by_name[change.quota], "spec": new}
    return list(by_name.values())


def refusals(before: list[Object], after: list[Object]) -> list[str]:
    """The webhook's messages for the changed quotas, where those above are written first."""
    held = {m.key: webhook_quota(m.key, m.data) for m in manifests(*before) if m.key.kind == "ElasticQuota"}
    messages = []
    for manifest in manifests(*after):
        if manifest.key in held:
            new, known = webhook_quota(manifest.key, manifest.data), topology_of(held.values(), (), Gates())
            messages.append(updated(new, held[manifest.key], known).message)
            held[manifest.key] = new
    return [message for message in messages if message]


def gets_in(objects: list[Object]) -> bool:
    at = state(*objects)
    asked = next(p for p in at.source.pods if p.key.name == "asked")
    return helps(at, schedule(at, asked, None))


def test_the_min_above_is_raised_where_the_webhook_compares_it() -> None:
    (changes,) = raises(planned(report()))
    assert [(c.quota, c.kind, c.before, c.after) for c in changes] == [
        ("second", ChangeKind.MIN, 1, 300),
        ("both", ChangeKind.MIN, 10, 301),
    ]
    assert refusals(report(), applied(report(), changes[:1])) == [
        "checkMinQuotaSum all brothers' MinQuota > parent MinQuota, parent: both"
    ]


def test_each_min_is_the_least_once_the_others_are() -> None:
    """The min of x0 is the least beside a min of x that is lowered afterwards, and may be lower then: 4143m before."""
    objects = [
        node("n0", cpu="4"),
        node("n1", cpu="2"),
        quota("x", {"cpu": "2"}, {"cpu": "10"}, is_parent="true"),
        quota("x0", {"cpu": "1"}, {"cpu": "10"}, "x", weight={"cpu": 2}),
        quota("x1", {"cpu": "1"}, {"cpu": "10"}, "x", weight={"cpu": 5}, allow_lent_resource="false"),
        *(pod(f"r{number}", "x0", {"cpu": cpu}, node="n0") for number, cpu in enumerate(("250m", "500m", "2"))),
        pod("s", "x0", {"cpu": "500m"}, node="n1"),
        pod("other", "", {"cpu": "500m"}, node="n0"),
        *(pod(f"p{number}", "x1", {"cpu": cpu}) for number, cpu in enumerate(("250m", "3"))),
        pod("asked", "x0", {"cpu": "1"}, labels=FIRM),
    ]
    (changes,) = raises(planned(objects))
    assert [(change.quota, change.after) for change in changes] == [("x0", 4141), ("x", 5141)]
    assert gets_in(applied(objects, changes))


@pytest.mark.parametrize("seed", range(20))
def test_remedies_are_accepted_and_help_and_need_each_change(seed: int) -> None:
    for number in range(seed * 10, seed * 10 + 10):
        objects = random_tree(number)
        for changes in raises(planned(objects)):
            after = applied(objects, changes)
            assert refusals(objects, after) == [], number
            assert gets_in(after), number
            for change in changes if len(changes) > 1 else ():
                fewer = applied(objects, tuple(c for c in changes if c != change))
                assert refusals(objects, fewer) or not gets_in(fewer), (number, change)


# checkMinQuotaValidate: a forced quota is compared with neither its brothers nor its children.
def test_a_quota_that_is_forced_needs_no_min_above_but_one_that_lists_its_resources() -> None:
    (changes,) = raises(planned(forced(report(), "second")))
    assert [(c.quota, c.kind, c.after) for c in changes] == [("second", ChangeKind.MIN, 300)]
    assert refusals(forced(report(), "second"), applied(forced(report(), "second"), changes)) == []
    (changes,) = raises(planned(forced(report(), "both")))
    assert [(c.quota, c.after) for c in changes] == [("second", 300), ("both", 301)]


@pytest.mark.parametrize("seed", range(10))
def test_remedies_of_forced_quotas_are_accepted_and_need_each_change(seed: int) -> None:
    for number in range(seed * 10, seed * 10 + 10):
        chance = random.Random(number)
        names = [name for name in ("a", "b", "c", "org") if chance.random() < 0.5]
        objects = forced(random_tree(number), *names)
        for changes in raises(planned(objects)):
            assert refusals(objects, applied(objects, changes)) == [], number
            for change in changes if len(changes) > 1 else ():
                fewer = applied(objects, tuple(c for c in changes if c != change))
                assert refusals(objects, fewer) or not gets_in(fewer), (number, change)


@pytest.mark.slow
def test_the_random_trees_have_remedies_of_one_and_of_two_changes() -> None:
    sizes = {len(changes) for n in range(200) for changes in raises(planned(random_tree(n)))}
    assert {1, 2} <= sizes


def test_a_quota_that_its_webhook_rejects_as_it_is_is_not_raised() -> None:
    lost = [each if each["metadata"]["name"] != "both" else quota("both", {}, {"cpu": "500m"}) for each in report()]
    assert not [*raises(planned(lost))]
