"""KAI's objects and ElasticQuotas on a real API server: asked there, from a dump and from a snapshot, answers agree."""

import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from kubectl_fairshare.cli.main import main
from kubectl_fairshare.input.cluster.resources import COMMANDS
from kubectl_fairshare.input.cluster.roles import cluster_roles
from kubectl_fairshare.schedulers.elasticquota.reads import READS as ELASTICQUOTA_READS
from kubectl_fairshare.schedulers.kai.reads import READS as KAI_READS
from tests.live.stage.applied import apply, crds, documents, dumped
from tests.live.stage.populated import permit
from tests.live.stage.server import Object, Server, kubeconfig, missing, server
from tests.live.test_cluster import asked_of, unplaced

DEMO: Final = Path("testdata/demo")
KAI: Final = (
    "shares -o json",
    "shares",
    "shares --explain vision -o json",
    "shares --requests speech=cpu=40,nvidia.com/gpu=12 -o json",
    "shares --demand unlimited --shard default -o json",
    "shares --usage testdata/kai/usage.yaml -o json",
    "plan -w testdata/demo/jobs/segment.yaml -o json",
    "plan -w testdata/demo/jobs/segment.yaml",
    "plan --queue speech -n ml --request cpu=1,nvidia.com/gpu=1 -o json",
    "lint -o json",
)
QUOTAS: Final = (
    "shares -o json",
    "shares",
    "plan -w testdata/demo/jobs/serve.yaml -o json",
    "plan -w testdata/demo/jobs/serve.yaml",
    "plan -n research --request nvidia.com/gpu=2 -o json",
    "lint -o json",
)
WORLDS: Final = {"kai": KAI, "capacity": QUOTAS}
READS: Final = {"kai": KAI_READS, "capacity": ELASTICQUOTA_READS}
HIDDEN: Final = {
    "kai": ("shares -o json", "plan --queue speech -n ml --request cpu=1,nvidia.com/gpu=1 -o json"),
    "capacity": ("shares -o json", "plan -n research --request nvidia.com/gpu=2 -o json"),
}
MEASURED: Final = {"kai": "registry.example/operator:v0.17.2", "capacity": "registry.example/kube-scheduler:v0.35.1"}
OTHER: Final = {"kai": "registry.example/operator:v0.16.1", "capacity": "registry.example/kube-scheduler:v0.36.2"}
RUNS: Final = {
    "kai": "/apis/apps/v1/namespaces/kai-scheduler/deployments/kai-operator",
    "capacity": "/apis/apps/v1/namespaces/scheduler-plugins/deployments/scheduler-plugins-scheduler",
}
USERS: Final = tuple(f"{name}-{command}" for name in WORLDS for command in COMMANDS)

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(
        bool(missing("kube-apiserver", "etcd", "scheduler-config", "kai-config")),
        reason=f"no {missing('kube-apiserver', 'etcd', 'scheduler-config', 'kai-config')}: see .ci/assets/build",
    ),
]


@pytest.fixture(scope="module", params=list(WORLDS))
def living(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Server]]:
    """A server with the demo's objects of one scheduler, and with what configures it."""
    name = request.param
    with server(tmp_path_factory.mktemp(name), USERS) as started:
        started.apply_crds(crds("kai-config" if name == "kai" else "scheduler-config"))
        apply(started.api, documents(*sorted((DEMO / name).glob("*.yaml"))))
        apply(started.api, kai_settings() if name == "kai" else plugin_settings())
        yield name, started


def kai_settings() -> list[Object]:
    names = {"defaultPrioritiesConfigMapName": "defaults", "defaultPrioritiesConfigMapNamespace": "kai-scheduler"}
    types = json.dumps([{"typeName": "Job", "group": "batch", "priorityName": "inference"}])
    return [
        {
            "apiVersion": "kai.scheduler/v1",
            "kind": "Config",
            "metadata": {"name": "kai-config"},
            "spec": {"namespace": "kai-scheduler", "podGrouper": {"args": names}},
        },
        config_map("kai-scheduler", "defaults", {"types": types}),
        deployment("kai-scheduler", "kai-operator", MEASURED["kai"]),
    ]


def plugin_settings() -> list[Object]:
    plugins = {"multiPoint": {"enabled": [{"name": "CapacityScheduling"}]}}
    written = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": [{"schedulerName": "default-scheduler", "plugins": plugins}],
    }
    text = yaml.safe_dump(written)
    return [
        config_map("scheduler-plugins", "scheduler-config", {"scheduler-config.yaml": text, "secret": "canary"}),
        deployment("scheduler-plugins", "scheduler-plugins-scheduler", MEASURED["capacity"]),
    ]


def config_map(namespace: str, name: str, data: dict[str, str]) -> Object:
    metadata = {"namespace": namespace, "name": name}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}


def deployment(namespace: str, name: str, image: str) -> Object:
    labels = {"app": name}
    template = {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "main", "image": image}]}}
    spec = {"selector": {"matchLabels": labels}, "template": template}
    metadata = {"namespace": namespace, "name": name}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": spec}


def ran(words: str) -> tuple[int, str, str]:
    """Exit code and what was printed by the program in this process."""
    empty, out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(3))
    code = main(words.split(), empty, out, err)
    texts = [stream.buffer.getvalue().decode() for stream in (out, err)]
    return code, texts[0], texts[1]


def compared(question: str, text: str) -> Any:
    """An answer without its places; of lint, which tells of texts, what it finds in which field."""
    if not question.startswith("lint"):
        return unplaced(text)
    return sorted(
        json.dumps([each[part] for part in ("rule", "message", "place")]) for each in unplaced(text)["findings"]
    )


def test_a_cluster_a_dump_and_a_snapshot_are_answered_alike(living: tuple[str, Server], tmp_path: Path) -> None:
    name, started = living
    dump = dumped(started.api, tmp_path / "dump.json")
    config = f"--kubeconfig {started.kubeconfig}"
    assert ran(f"snapshot -q {config} --redact none -o {tmp_path / 's.gz'}")[0] == 0
    for question in WORLDS[name]:
        live, of_files = ran(f"{question} {config}"), ran(f"{question} -q -f {dump}")
        kept = ran(f"{question} -f {tmp_path / 's.gz'}")
        assert live[0] == of_files[0] == kept[0] < 6, (question, live[2], of_files[2])
        assert (live[0], live[2]) == (kept[0], kept[2]), question
        if question.endswith("json"):
            assert compared(question, live[1]) == compared(question, of_files[1]), question
            assert compared(question, live[1]) == compared(question, kept[1]), question


def test_what_configures_the_scheduler_is_read_and_another_release_told(living: tuple[str, Server]) -> None:
    name, started = living
    question = next(each for each in WORLDS[name] if each.startswith("plan") and not each.endswith("json"))
    with another_release(started, name):
        _, out, told = ran(f"{question} --kubeconfig {started.kubeconfig}")
    if name == "kai":
        assert "the cluster runs KAI v0.16.1; answers are for v0.17" in told
        assert "what KAI v0.16.1 decides" in out
        assert "priority 125" in out
    else:
        assert "what scheduler-plugins v0.36.2 decides" in out
        assert "is taken to run" not in told + out


@contextmanager
def another_release(started: Server, name: str) -> Iterator[None]:
    """A release of the scheduler that was not measured, for a while."""
    run_image(started, name, OTHER[name])
    try:
        yield
    finally:
        run_image(started, name, MEASURED[name])


def run_image(started: Server, name: str, image: str) -> None:
    template = {"spec": {"containers": [{"name": "main", "image": image}]}}
    started.api.merge(RUNS[name], {"spec": {"template": template}})


@pytest.mark.parametrize("command", COMMANDS)
def test_the_role_that_is_printed_suffices(living: tuple[str, Server], command: str) -> None:
    name, started = living
    scheduler = READS[name].cluster(), READS[name].home.namespace
    user = f"{name}-{command}"
    for role in cluster_roles([command], [scheduler]):
        permit(started.api, role, user)
    config = kubeconfig(started.folder / f"{user}.kubeconfig", started.port, f"{user}-token")
    question = next((each for each in WORLDS[name] if each.startswith(command)), "shares")
    _, _, told = ran(f"{question} --kubeconfig {config}")
    if command in ("shares", "plan", "lint"):
        # The ConfigMap of KAI's own defaults is called as its operator likes: no role can name it beforehand.
        refused = [line for line in told.splitlines() if "may not read" in line or "you may not read this" in line]
        assert all("which priority KAI gives to kinds of jobs" in line for line in refused), refused


def test_a_kind_that_may_not_be_read_is_named(living: tuple[str, Server]) -> None:
    name, started = living
    user = f"{name}-cycle"
    gone = "podgroups" if name == "kai" else "nodes"
    role, *_ = cluster_roles(["shares"], [(READS[name].cluster(), READS[name].home.namespace)])
    for rule in role["rules"]:
        rule["resources"] = [each for each in rule["resources"] if each != gone]
    role["metadata"]["name"] = "part"
    permit(started.api, role, "part")
    code, out, told = ran(f"shares --kubeconfig {started.kubeconfig} --as part")
    assert (code, "not exact" in out) == (0, True), (user, told)
    assert f"note: {'PodGroup' if name == 'kai' else 'Node'}: you may not read this, so these are unknown:" in told


def test_a_redacted_snapshot_answers_alike_under_other_names(living: tuple[str, Server], tmp_path: Path) -> None:
    name, started = living
    config, key, file = f"--kubeconfig {started.kubeconfig}", tmp_path / "key", tmp_path / "s.gz"
    for redact in ("names", "all"):
        assert ran(f"snapshot -q {config} --redact {redact} -o {file} --key {key}")[0] == 0
        names = json.loads(key.read_text())
        aliases = {real: alias for alias, real in names.items()}
        for question in HIDDEN[name]:
            live = ran(f"{question} {config}")
            asked = " ".join(aliases.get(word, word) for word in question.split())
            kept = ran(f"{asked} -f {file}")
            assert live[0] == kept[0], (question, live[2], kept[2])
            assert unordered(renamed(unplaced(kept[1]), names)) == unordered(unplaced(live[1])), question


def unordered(value: Any) -> Any:
    """The value with what a plan rests on in the order of the text: the one that is asked about has its own name."""
    for item in value.get("items", [value]):
        item["restsOn"] = sorted(json.dumps(each) for each in item.get("restsOn", []))
    return value


def renamed(value: Any, names: dict[str, str]) -> Any:
    """The value with every pseudonym taken back."""
    text = json.dumps(value)
    for alias, name in names.items():
        text = text.replace(alias, name)
    return json.loads(text)


def test_nothing_but_get_and_list_was_ever_asked(living: tuple[str, Server]) -> None:
    assert {each["verb"] for each in asked_of(living[1])} == {"get", "list"}
