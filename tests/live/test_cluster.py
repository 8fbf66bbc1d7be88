"""A real API server, asked in every way: in pages, as other users, through failures, and for much; never to write."""

import io
import json
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from kubectl_fairshare.cli.main import main
from kubectl_fairshare.input.cluster.access import Access
from kubectl_fairshare.input.cluster.connection import Patience
from kubectl_fairshare.input.cluster.read import Query, read_cluster
from kubectl_fairshare.input.cluster.resources import COMMANDS
from kubectl_fairshare.input.cluster.roles import cluster_roles, namespaced_roles
from kubectl_fairshare.input.extent import Unread
from kubectl_fairshare.input.reading import Reading
from kubectl_fairshare.model.errors import FairshareError
from kubectl_fairshare.schedulers import known_schedulers
from kubectl_fairshare.schedulers.kueue.reads import READS
from tests.live.stage.kueue import KUEUE, manager, state
from tests.live.stage.measuring import measured
from tests.live.stage.organisation import Organisation
from tests.live.stage.populated import crds, load, permit, populate, serve_v1beta1_alone, submit
from tests.live.stage.proxy import Proxy, Spoilt, proxy
from tests.live.stage.server import ADMIN, Api, Object, Server, certificate, kubeconfig, missing, server

LOADED: Final = int(os.environ.get("FAIRSHARE_LIVE_WORKLOADS", "10000"))
WORKLOADS: Final = 23
QUESTIONS: Final = ("shares -o json", "cycle -o json", "why -A -o json --now 2026-01-02T00:00:00Z", "lint -o json")
OWN: Final = READS.cluster()
USERS: Final = ("nobody", "poor", "teamster", *COMMANDS)
QUICK: Final = Patience(first=0.01, longest=0.1)

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(
        bool(missing("kube-apiserver", "etcd")),
        reason=f"not built: {missing('kube-apiserver', 'etcd')}; see .ci/assets/build",
    ),
]


@pytest.fixture(scope="module")
def living(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with Kueue's kinds and an organisation, without Kueue."""
    with server(tmp_path_factory.mktemp("cluster"), USERS) as started:
        started.apply_crds(crds())
        started.api.create("/api/v1/namespaces", {"metadata": {"name": "kueue-system"}})
        made = Organisation(1)
        populate(started.api, made)
        for number in range(WORKLOADS):
            load(started.api, made, f"w{number:05}")
        yield started


def read(config: Path | str, command: str = "shares", page: int = 500, **access: Any) -> Reading:
    return read_cluster(
        Access(kubeconfig=str(config), **access),
        Query(command, 512 << 20, page, QUICK),
        schedulers=known_schedulers(),
    )


def as_user(living: Server, user: str) -> Path:
    return kubeconfig(living.folder / f"{user}.kubeconfig", living.port, f"{user}-token")


def ran(words: str) -> tuple[int, str, str]:
    """Exit code and what was printed by the program in this process."""
    empty, out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(3))
    code = main(words.split(), empty, out, err)
    texts = [stream.buffer.getvalue().decode() for stream in (out, err)]
    return code, texts[0], texts[1]


def names(reading: Reading, kind: str) -> list[str]:
    return [m.key.name for m in reading.manifests if m.key.kind == kind]


def asked_of(living: Server, user: str = "") -> list[Object]:
    """What the program asked of the server, as its audit log has it; of all users or one."""
    lines = (json.loads(line) for line in (living.folder / "audit.log").read_text().splitlines())
    ours = (each for each in lines if str(each.get("userAgent")).startswith("kubectl-fairshare/"))
    return [each for each in ours if user in ("", each["user"].get("username"))]


def test_pages_of_five_make_the_whole_list(living: Server) -> None:
    whole, paged = read(living.kubeconfig), read(living.kubeconfig, page=5)
    assert names(paged, "Workload") == names(whole, "Workload") == [f"w{n:05}" for n in range(WORKLOADS)]
    assert [m.data for m in paged.manifests] == [m.data for m in whole.manifests]
    pages = {a["requestURI"] for a in asked_of(living) if "/workloads?limit=5&" in a["requestURI"] + "&"}
    assert len(pages) == -(-WORKLOADS // 5)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_role_that_is_printed_suffices(living: Server, command: str) -> None:
    for role in cluster_roles([command], [(OWN, READS.home.namespace)]):
        permit(living.api, role, command)
    reading = read(as_user(living, command), command)
    assert reading.extent is not None
    assert reading.extent.unread == ()
    assert len(names(reading, "Workload")) == WORKLOADS


@pytest.mark.parametrize("kind", [r.kind for r in OWN.state])
def test_a_kind_that_may_not_be_read_is_named_alone(living: Server, kind: str) -> None:
    plural = next(r.plural for r in OWN.state if r.kind == kind)
    role, *_ = cluster_roles(["shares"], [(OWN, READS.home.namespace)])
    for rule in role["rules"]:
        rule["resources"] = [each for each in rule["resources"] if each != plural]
    role["metadata"]["name"] = f"without-{plural}"
    user = f"without-{plural}"
    permit(living.api, role, user)
    reading = read(living.kubeconfig, as_user=user)
    assert reading.extent is not None
    assert {kind, "Configuration"} == {unread.kind for unread in reading.extent.unread}
    code, _, told = ran(f"shares --kubeconfig {living.kubeconfig} --as {user}")
    assert code == 0
    assert f"note: {kind}: you may not read this" in told


def test_where_nothing_may_be_read_the_role_is_named(living: Server) -> None:
    code, out, told = ran(f"plan --queue a/b --request cpu=1 --kubeconfig {as_user(living, 'nobody')}")
    assert (code, out) == (3, "")
    assert "you may not read anything that the answer needs" in told
    assert 'User "nobody" cannot list resource' in told
    assert "kubectl fairshare rbac plan" in told


def test_a_user_of_one_namespace_gets_what_can_be_said(living: Server) -> None:
    namespace = Organisation(1).namespace
    (role,) = namespaced_roles(["why"], [OWN], namespace)
    role["rules"] = [{"apiGroups": ["kueue.x-k8s.io"], "resources": ["localqueues", "workloads"], "verbs": ["list"]}]
    permit(living.api, role, "teamster")
    config = as_user(living, "teamster")
    reading = read(config, namespace=namespace)
    assert len(names(reading, "Workload")) == WORKLOADS
    assert reading.extent is not None
    assert Unread("Workload", namespace) in reading.extent.unread
    for question in ("shares --by localqueue", "cycle", f"why workload/w00001 -n {namespace}"):
        code, out, told = ran(f"{question} --kubeconfig {config} -n {namespace}")
        assert code in (0, 5), told
        assert out
        assert f"you may read only namespace `{namespace}`" in told


def test_tokens_certificates_and_impersonation_are_those_users(living: Server, tmp_path: Path) -> None:
    signed, key = certificate(living.folder, "poor")
    config = yaml.safe_load(living.kubeconfig.read_text())
    config["users"][0]["user"] = {"client-certificate": str(signed), "client-key": str(key)}
    path = tmp_path / "certificate"
    path.write_text(yaml.safe_dump(config))
    for user, access in {
        "poor": Access(kubeconfig=str(path)),
        "nobody": Access(kubeconfig=str(living.kubeconfig), token="nobody-token"),
        "ann": Access(kubeconfig=str(living.kubeconfig), as_user="ann", as_groups=("one", "two")),
    }.items():
        with pytest.raises(FairshareError, match=f'User "{user}" cannot list'):
            read_cluster(access, Query("shares", 1 << 20, patience=QUICK), schedulers=known_schedulers())
    impersonated = [a["impersonatedUser"] for a in asked_of(living) if "impersonatedUser" in a]
    assert {"username": "ann", "groups": ["one", "two", "system:authenticated"]} in impersonated


def test_a_pod_asks_its_own_cluster(living: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    accounts = f"/api/v1/namespaces/{Organisation(1).namespace}/serviceaccounts"
    living.api.create(accounts, {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "pod"}})
    request = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {}}
    token = living.api.create(f"{accounts}/pod/token", request)["status"]["token"]
    (tmp_path / "token").write_text(token)
    (tmp_path / "namespace").write_text(Organisation(1).namespace)
    (tmp_path / "ca.crt").write_bytes((living.folder / "certificates" / "apiserver.crt").read_bytes())
    monkeypatch.setattr("kubectl_fairshare.input.cluster.kubeconfig.IN_CLUSTER", str(tmp_path))
    monkeypatch.setenv("KUBERNETES_SERVICE_HOST", "127.0.0.1")
    monkeypatch.setenv("KUBERNETES_SERVICE_PORT", str(living.port))
    with pytest.raises(FairshareError, match=rf'User "system:serviceaccount:{Organisation(1).namespace}:pod" cannot'):
        read_cluster(Access(), Query("shares", 1 << 20, patience=QUICK), schedulers=known_schedulers())


def test_a_wrong_token_is_told(living: Server) -> None:
    with pytest.raises(FairshareError, match="does not accept the credentials"):
        read(living.kubeconfig, token="of nobody")


def test_a_certificate_that_is_not_trusted_is_told(living: Server) -> None:
    config = yaml.safe_load(living.kubeconfig.read_text())
    del config["clusters"][0]["cluster"]["insecure-skip-tls-verify"]
    path = living.folder / "trusting.kubeconfig"
    path.write_text(yaml.safe_dump(config))
    with pytest.raises(FairshareError, match="secure connection") as raised:
        read(path)
    assert "--certificate-authority" in str(raised.value.problems[0].help)
    authority = str(living.folder / "certificates" / "apiserver.crt")
    assert names(read(path, certificate_authority=authority), "ClusterQueue")
    assert names(read(path, insecure=True), "ClusterQueue")


@pytest.fixture
def spoiling(living: Server) -> Iterator[Proxy]:
    with proxy(living.port) as found:
        yield found


@pytest.mark.parametrize(
    "spoilt",
    [
        Spoilt("continue=", 410),
        Spoilt("continue=", 410, times=2),
        Spoilt("/workloads?", 429, headers={"Retry-After": "0"}),
        Spoilt("/cohorts?", 503, times=3),
        Spoilt("/clusterqueues?", 0, times=2),
        Spoilt("/apis", 504),
    ],
)
def test_what_is_spoilt_for_a_moment_changes_nothing(living: Server, spoiling: Proxy, spoilt: Spoilt) -> None:
    spoiling.spoil = [spoilt]
    reading = read(living.kubeconfig, page=5, server=f"http://127.0.0.1:{spoiling.port}")
    assert names(reading, "Workload") == [f"w{n:05}" for n in range(WORKLOADS)]
    assert spoilt.times == 0


@pytest.mark.parametrize(("status", "told"), [(503, "cannot answer"), (0, "cannot reach"), (410, "expired")])
def test_what_stays_spoilt_is_told(living: Server, spoiling: Proxy, status: int, told: str) -> None:
    spoiling.spoil = [Spoilt("/workloads?" if status != 410 else "/workloads", status, times=999)]
    with pytest.raises(FairshareError, match=told):
        read(living.kubeconfig, page=5, server=f"http://127.0.0.1:{spoiling.port}")


def test_a_server_that_stops_in_the_middle_is_told(tmp_path: Path) -> None:
    with ExitStack() as running:
        started = running.enter_context(server(tmp_path))
        started.apply_crds(crds())
        made = Organisation(2)
        populate(started.api, made)
        for number in range(12):
            load(started.api, made, f"w{number}")
        with proxy(started.port) as front:
            front.spoil = [Spoilt("continue=", then=running.close)]
            with pytest.raises(FairshareError, match="cannot reach the API server"):
                read(started.kubeconfig, page=5, server=f"http://127.0.0.1:{front.port}")
            assert any("continue=" in path for path in front.asked)


def test_kinds_that_are_not_installed_are_named(tmp_path: Path) -> None:
    with server(tmp_path) as started:
        with pytest.raises(FairshareError, match="serves no API of a supported scheduler: Kueue, "):
            read(started.kubeconfig)
        started.apply_crds(crds(without=("topologies", "cohorts")))
        reading = read(started.kubeconfig)
        assert reading.extent is not None
        (note,) = (n.message for n in reading.extent.notes if "does not serve" in n.message)
        assert "cohorts.kueue.x-k8s.io, topologies.kueue.x-k8s.io" in note
        assert reading.is_whole


@pytest.mark.skipif(bool(missing("kueue-manager")), reason="kueue-manager is not built")
def test_with_kueue_itself_the_cluster_and_a_dump_of_it_are_answered_alike(tmp_path: Path) -> None:
    with server(tmp_path) as started, manager(started, fair=True):
        made = Organisation(3)
        populate(started.api, made)
        submit(started.api, made)
        (tmp_path / "state.json").write_bytes(state(started.api))
        config = f"--kubeconfig {started.kubeconfig}"
        queue = f"{made.namespace}/{made.queues[0]}"
        for question in (*QUESTIONS, f"plan --queue {queue} --request cpu=1 -o json", "shares", "cycle"):
            live, dump = ran(f"{question} {config}"), ran(f"{question} -q -f {tmp_path / 'state.json'}")
            assert live[0] == dump[0], question
            if question.endswith("json") and not question.startswith("lint"):
                assert unplaced(live[1]) == unplaced(dump[1]), question
        serve_v1beta1_alone(started)
        older = ran(f"shares -o json {config}")
        assert unplaced(older[1]) == unplaced(ran(f"shares -o json -f {tmp_path / 'state.json'}")[1])
        code, _, _ = ran(f"snapshot -q {config} --redact none -o {tmp_path / 's.gz'}")
        assert code == 0
        kept = ran(f"cycle -o json -f {tmp_path / 's.gz'}")
        assert unplaced(kept[1]) == unplaced(ran(f"cycle -o json {config}")[1])


def unplaced(text: str) -> Any:
    def without(value: Any) -> Any:
        if isinstance(value, dict):
            return {n: without(v) for n, v in value.items() if n not in ("source", "line", "column", "skipped", "next")}
        return [without(item) for item in value] if isinstance(value, list) else value

    return without(json.loads(text))


def test_ten_thousand_workloads(living: Server, count: Callable[[str], None], tmp_path: Path) -> None:
    made = Organisation(1)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda part: fill(living, made, part), range(4)))
    raw = [f"--kubeconfig={living.kubeconfig}", "get", "--raw", f"{KUEUE}/workloads"]
    plain = measured(["kubectl", *raw], tmp_path / "list.json")
    program = [sys.executable, "-m", "kubectl_fairshare", "shares", "-o", "json"]
    ours = measured([*program, f"--kubeconfig={living.kubeconfig}"], tmp_path / "ours.json")
    offline = measured([*program, "-f", str(tmp_path / "list.json")], tmp_path / "offline.json")
    size = (tmp_path / "list.json").stat().st_size / 1e6
    count(
        f"{LOADED} workloads, {size:.0f} MB: kubectl get --raw {plain[0]:.2f} s {plain[1]} MB; "
        f"shares from the cluster {ours[0]:.2f} s {ours[1]} MB: {ours[0] / plain[0]:.1f} times the time, "
        f"{ours[1] / plain[1]:.1f} times the memory; from a file {offline[0]:.2f} s {offline[1]} MB"
    )
    assert ours[1] < 1.75 * plain[1]


def fill(living: Server, made: Organisation, part: int) -> None:
    api = Api(living.port)
    for number in range(WORKLOADS + part, LOADED, 4):
        load(api, made, f"w{number:05}")
    api.close()


def test_nothing_but_get_and_list_was_ever_asked(living: Server, count: Callable[[str], None]) -> None:
    asked = asked_of(living)
    verbs = sorted({each["verb"] for each in asked})
    count(f"{len(asked) // 2} requests of the program in the audit log, verbs: {', '.join(verbs)}")
    assert verbs == ["get", "list"]
    assert ADMIN not in json.dumps(asked)
