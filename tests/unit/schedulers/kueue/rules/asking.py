"""Shorthand: what one rule finds in a text, and the objects that such texts are made of."""

import io

from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.lint.examine import examine
from kubectl_fairshare.lint.registry import rule_called
from kubectl_fairshare.lint.run import Reported, run
from kubectl_fairshare.schedulers import known_schedulers, lint_houses

KUEUE = "kueue.x-k8s.io/v1beta2"


def reported(word: str, *documents: str, complete: bool = False) -> tuple[Reported, ...]:
    """What the rule called ``word`` finds in the documents."""
    rule = rule_called(word, lint_houses())
    assert rule is not None
    reading = read(["-"], stdin=io.BytesIO("---\n".join(documents).encode()), schedulers=known_schedulers())
    return run([rule], examine(reading, lint_houses(), complete=complete))


def places(word: str, *documents: str, complete: bool = False) -> list[str]:
    """Severity, object and field of each finding."""
    return [f"{r.severity} {r.finding.place}" for r in reported(word, *documents, complete=complete)]


def configuration(body: str = "", version: str = "v1beta2") -> str:
    """A Configuration of the manager."""
    return f"apiVersion: config.kueue.x-k8s.io/{version}\nkind: Configuration\n{body}"


def config_map(text: str, name: str = "kueue-manager-config") -> str:
    """A ConfigMap with such a text."""
    indented = "".join(f"    {line}\n" for line in text.splitlines())
    metadata = f"metadata:\n  name: {name}\n  namespace: kueue-system\n"
    return f"apiVersion: v1\nkind: ConfigMap\n{metadata}data:\n  controller_manager_config.yaml: |\n{indented}"


def queue(name: str, spec: str = "", flavors: tuple[str, ...] = ("default",)) -> str:
    """A ClusterQueue of 10 cpu in each flavor; ``spec`` are further fields, indented by two."""
    listed = "".join(
        f"    - name: {flavor}\n      resources:\n      - name: cpu\n        nominalQuota: 10\n" for flavor in flavors
    )
    groups = f"  resourceGroups:\n  - coveredResources: [cpu]\n    flavors:\n{listed}"
    return f"apiVersion: {KUEUE}\nkind: ClusterQueue\nmetadata:\n  name: {name}\nspec:\n{spec}{groups}"


def local_queue(name: str, cluster_queue: str, spec: str = "") -> str:
    """A LocalQueue in namespace ``team``."""
    metadata = f"metadata:\n  name: {name}\n  namespace: team\n"
    return f"apiVersion: {KUEUE}\nkind: LocalQueue\n{metadata}spec:\n  clusterQueue: {cluster_queue}\n{spec}"


def cohort(name: str, spec: str = "") -> str:
    """A Cohort."""
    return f"apiVersion: {KUEUE}\nkind: Cohort\nmetadata:\n  name: {name}\nspec:\n{spec or '  {}'}\n"


def priority(name: str, value: int) -> str:
    """A WorkloadPriorityClass."""
    return f"apiVersion: {KUEUE}\nkind: WorkloadPriorityClass\nmetadata:\n  name: {name}\nvalue: {value}\n"


def job(metadata: str = "", spec: str = "", kind: str = "batch/v1 Job", template: str = "") -> str:
    """A job called ``train`` in namespace ``team``: lines of its metadata, spec and template's metadata."""
    version, _, name = kind.partition(" ")
    head = (
        f"apiVersion: {version}\nkind: {name}\nmetadata:\n  name: train\n  namespace: team\n{_in(2, metadata)}spec:\n"
    )
    containers = "containers:\n- name: main\n"
    if name == "Pod":
        return head + _in(2, spec + containers)
    pods = f"template:\n  metadata:\n    annotations: {{}}\n{_in(4, template)}  spec:\n{_in(4, containers)}"
    return head + _in(2, spec + pods)


def _in(columns: int, text: str) -> str:
    return "".join(f"{' ' * columns}{line}\n" for line in text.splitlines())


def document(kind: str, body: str = "", version: str = KUEUE, namespace: str = "") -> str:
    where = f"  namespace: {namespace}\n" if namespace else ""
    return f"apiVersion: {version}\nkind: {kind}\nmetadata:\n  name: x\n{where}{body}"


V1BETA1 = "kueue.x-k8s.io/v1beta1"
