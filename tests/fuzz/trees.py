"""Files of a repository gone wrong: kustomizations, suites, settings, revisions, and documents inside of texts."""

import json
from random import Random
from typing import Any, Final, NamedTuple

import yaml

from tests.fuzz import seeds
from tests.fuzz.mutants import mutate

_KUSTOMIZATION: Final = """\
resources: [in.yaml, sub, ../x.yaml]
components: [sub]
namePrefix: a-
namespace: team
labels: [{pairs: {a: b}, includeSelectors: true}]
commonAnnotations: {a: b}
images: [{name: x, newTag: "1"}]
replicas: [{name: x, count: 2}]
patches:
- {path: patch.yaml, target: {kind: ClusterQueue, name: .*}}
- {patch: '[{"op": "replace", "path": "/spec/x", "value": 1}]', target: {kind: LocalQueue}}
replacements: [{source: {kind: ClusterQueue, name: q}, targets: [{select: {kind: LocalQueue}, fieldPaths: [spec.a]}]}]
configMapGenerator: [{name: a, literals: [a=b], files: [k=in.yaml]}]
"""
_SETTINGS: Final = """\
lint: {select: [all], ignore: [K041], exclude: ["**/x/*"], baseline: baseline.json, fail-on: warning}
release: {kueue: 0.17.8}
"""
_SUITE: Final = """\
given: {paths: [in.yaml, "*.yaml"], overlays: [patch.yaml]}
tests:
- {name: a, when: {submit: {queue: a/b, request: {cpu: 1}}}, then: {outcome: Admitted, reason: .*}}
- {name: b, for-each: ClusterQueue, when: {submit: {queue: "${queue}", request: {cpu: 1}}}, then: {outcome: Waits}}
- {name: c, invariants: [guaranteed, no-flip]}
"""
_SET: Final = """\
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: a, namespace: argocd}
spec:
  generators:
  - git: {repoURL: x, files: [{path: "**/in.yaml"}], directories: [{path: "*"}, {path: s*, exclude: true}]}
  - list: {elements: [{path: sub}]}
  template: {metadata: {name: "{{path}}"}, spec: {source: {repoURL: x, path: "{{path}}"}}}
"""
_CONFIGURATIONS: Final = (
    ("kueue-manager-config", "controller_manager_config.yaml", "config.kueue.x-k8s.io/v1beta2", "Configuration"),
    ("scheduler-config", "scheduler-config.yaml", "kubescheduler.config.k8s.io/v1", "KubeSchedulerConfiguration"),
)
_FIELDS: Final = """\
fairSharing: {preemptionStrategies: [LessThanOrEqualToFinalShare]}
waitForPodsReady: {enable: true, timeout: 5m, blockAdmission: true}
integrations: {frameworks: [batch/job], podOptions: {namespaceSelector: {matchLabels: {a: b}}}}
resources: {excludeResourcePrefixes: [x], transformations: [{input: a, strategy: Retain, outputs: {b: 1}}]}
featureGates: {LendingLimit: false}
multiKueue: {clusterProfile: {credentialsProviders: [{name: x, execConfig: {env: [{name: A, value: b}]}}]}}
profiles: [{schedulerName: x, pluginConfig: [{name: ElasticQuota, args: {monitorAllQuotas: true}}]}]
"""
COMMANDS: Final = (
    "lint {}",
    "lint {} --fix --unsafe-fixes",
    "shares -f {}",
    "diff {} {}",
    "test {}",
    "why -A -f {}",
    "snapshot -f {} -o {}/out.gz --redact none",
    "snapshot -f {} -o {}/out.gz --redact all",
)
REVISIONS: Final = (
    "HEAD",
    "HEAD~1",
    "HEAD^",
    "main",
    ":/x",
    "HEAD:..",
    "@{-1}",
    "--all",
    "",
    "HEAD^{tree}",
    "x..y",
    "é",
)
_PLACES: Final = (
    "",
    ":",
    ":in.yaml",
    ":sub",
    ":../x",
    ":(top)in.yaml",
    "::/x",
    ":./",
    ":/etc/passwd",
    ":\u202e",
    ":-x",
)


class Tree(NamedTuple):
    """The words of a call, and its files."""

    words: list[str]
    files: dict[str, str]


def _wrong(dice: Random, text: str, times: tuple[int, ...] = (0, 1, 2, 4)) -> str:
    documents = [yaml.load(text, yaml.CSafeLoader)]
    for _ in range(dice.choice(times)):
        if documents:
            mutate(dice, documents)
    return json.dumps(documents[0]) if documents else ""


def _lines(documents: list[Any]) -> str:
    return "".join(f"---\n{json.dumps(each)}\n" for each in documents)


def embedded(dice: Random) -> dict[str, Any]:
    """A ConfigMap, a release or an annotation with a document inside of a text that has gone wrong."""
    name, key, version, kind = dice.choice(_CONFIGURATIONS)
    text = _wrong(dice, f"apiVersion: {version}\nkind: {kind}\n{_FIELDS}", (1, 1, 2, 4))
    cut = dice.randint(0, len(text))
    text = dice.choice([text, text, text[:cut], f"{text}\n---\n{text}", json.dumps(text), f"# {text}"])
    how = dice.randint(0, 3)
    metadata: dict[str, Any] = {"name": name, "namespace": "kueue-system"}
    if how == 0:
        chart = {"chart": {"spec": {"chart": "kueue", "version": "0.17.8"}}}
        values = {"managerConfig": {"controllerManagerConfigYaml": text}}
        head = {"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease", "metadata": metadata}
        return {**head, "spec": {**chart, "values": values}}
    if how == 1:
        metadata["annotations"] = {"kueue.x-k8s.io/x": text}
        return {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ClusterQueue", "metadata": metadata, "spec": {}}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {key: text}}


def tree(dice: Random) -> Tree:
    """A folder of which one kind of file, or several, have gone wrong."""
    documents = [*seeds.state(dice)[:40], embedded(dice)]
    files = {"in.yaml": _lines(documents)}
    made = {
        "kustomization.yaml": _KUSTOMIZATION,
        ".fairshare.yaml": _SETTINGS,
        "fairshare-test.yaml": _SUITE,
        "set.yaml": _SET,
        "patch.yaml": '{"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ClusterQueue", "metadata": {"name": "q"}}',
        "sub/kustomization.yaml": _KUSTOMIZATION,
    }
    for name, text in made.items():
        if dice.random() < 0.5:
            files[name] = _wrong(dice, text)
    words = dice.choice(COMMANDS).split()
    if dice.random() < 0.2:
        words = ["diff", f"git:{dice.choice(REVISIONS)}{dice.choice(_PLACES)}", "{}"]
    elif words[0] == "lint" and dice.random() < 0.3 and ".fairshare.yaml" in files:
        words += ["--settings", "{}/.fairshare.yaml"]
    return Tree(words, files)


def replies(dice: Random) -> str:
    """Replies of an API server, in turn, as JSON: a status and a body each, lists that have gone wrong."""
    said: list[tuple[int, str]] = []
    for _ in range(4):
        versions = [{"groupVersion": "kueue.x-k8s.io/v1beta2", "version": "v1beta2"}]
        resource = {"name": "clusterqueues", "kind": "ClusterQueue", "namespaced": False, "verbs": ["list"]}
        documents: list[Any] = [
            {
                "kind": "ClusterQueueList",
                "apiVersion": "kueue.x-k8s.io/v1beta2",
                "metadata": {"resourceVersion": "7", "continue": dice.choice(["", "", "x"])},
                "items": seeds.state(dice)[:10],
                "groups": [{"name": "kueue.x-k8s.io", "versions": versions, "preferredVersion": versions[0]}],
                "resources": [resource],
                "gitVersion": "v1.34.0",
            }
        ]
        for _ in range(dice.choice([0, 1, 2, 4])):
            if documents:
                mutate(dice, documents)
        body = json.dumps(documents[0] if documents else None)
        body = dice.choice([body, body, body, body[: dice.randint(0, len(body))], ""])
        said.append((dice.choice([200] * 8 + [401, 403, 404, 410]), body))
    return json.dumps(said)


def of_server(dice: Random) -> Tree:
    """A question to a server that answers so."""
    words = dice.choice(["shares", "why -A", "cycle", "capacity"]).split()
    return Tree([*words, "--server", "{server}", "--token", "x"], {"replies": replies(dice)})
