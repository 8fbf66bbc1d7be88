"""Rules: Kueue's Configuration as a text: whether there is one, and whether the manager can read it."""

import io

import pytest

from kubectl_fairshare.cli.linting.rule_choice import known_rules
from kubectl_fairshare.input.files.files import read
from kubectl_fairshare.lint.examine import examine
from kubectl_fairshare.lint.run import run
from kubectl_fairshare.schedulers import known_schedulers, lint_houses
from kubectl_fairshare.schedulers.kueue.admission import configuration_laws
from kubectl_fairshare.schedulers.kueue.linting import LINTED
from tests.unit.schedulers.kueue.rules.asking import config_map, configuration, places, reported

BROKEN = """\
unknwn: 1
namespace: kueue
featureGates: {LendingLimit: true, HierarchicalCohorts: false, TASProfileMixed: true, TopologyAwareScheduling: false}
fairSharing: {enable: true}
waitForPodsReady: {timeout: -1m, requeuingStrategy: {timestamp: Now, backoffLimitCount: -1}}
integrations: {frameworks: [job, pod, pod], externalFrameworks: [a.b]}
managedJobsNamespaceSelector: {matchLabels: {kubernetes.io/metadata.name: kueue}}
admissionFairSharing: {usageHalfLifeTime: -1s, resourceWeights: {cpu: -1}}
resources:
  quotaCheckStrategy: IgnoreUndeclared
  excludeResourcePrefixes: [a]
  transformations: [{input: a, strategy: Drop}, {input: a}]
  deviceClassMappings: [{name: a, deviceClassNames: []}]
multiKueue: {gcInterval: -1m, origin: "-", incrementalDispatcherConfig: {stepSize: 0}}
objectRetentionPolicies: {workloads: {afterFinished: -1s}}
visibilityServer: {bindAddress: x, bindPort: 0}
tls: {minVersion: VersionTLS10}
internalCertManagement: {webhookServiceName: "-"}
metrics: {customLabels: [{name: "1"}]}
"""


LAWS = {value for name, value in vars(configuration_laws).items() if name.isupper()}


FOLLOWS = {("fairSharing", "preemptionStrategies"), ("waitForPodsReady", "recoveryTimeout")}


"""Fields that are wrong for what another one says: mended with it."""


def test_every_field_with_a_cause_is_exactly_one_finding() -> None:
    given = examine(
        read(["-"], stdin=io.BytesIO(config_map(configuration(BROKEN)).encode()), schedulers=known_schedulers()),
        lint_houses(),
    )
    (found,) = given.seen_by(LINTED).configured
    causes = sorted({found.at(*cause.path) for cause in found.causes if cause.path not in FOLLOWS})
    assert sorted(r.finding.place for r in run(known_rules(), given)) == causes
    assert len(causes) > 25


@pytest.mark.parametrize(("body", "rules"), [("enable: true", ["K112"]), ("{}", ["K119"])])
def test_fair_sharing_without_strategies_is_told_once(body: str, rules: list[str]) -> None:
    text = configuration(f"fairSharing: {{{body}}}\n" if body != "{}" else "fairSharing: {}\n")
    found = [r for word in ("K112", "K119") for r in reported(word, text)]
    assert [r.rule.id for r in found] == rules
    assert "preemptionStrategies" in found[0].finding.remedy.text


def test_every_law_is_covered_by_one_rule() -> None:
    covered = {row for rule in known_rules() for row in rule.covers}
    assert {law for law in LAWS if law not in covered} == set()


@pytest.mark.parametrize("law", sorted(LAWS))
def test_no_law_is_forgotten_by_the_checks(law: str) -> None:
    texts = {
        configuration_laws.UNDECODABLE: configuration("namespace: 5\n"),
        configuration_laws.VERSION: configuration(version="v1"),
        configuration_laws.NEW: configuration("visibilityServer: {}\n", "v1beta1"),
    }
    given = examine(
        read(["-"], stdin=io.BytesIO(texts.get(law, configuration(BROKEN)).encode()), schedulers=known_schedulers()),
        lint_houses(),
    )
    assert law in {cause.law for cause in given.seen_by(LINTED).configured[0].causes}


def test_lines_are_those_of_the_block() -> None:
    reading = read(
        ["-"],
        stdin=io.BytesIO(config_map(configuration("fairSharing:\n  typo: 1\n")).encode()),
        schedulers=known_schedulers(),
    )
    given = examine(reading, lint_houses())
    lines = set()
    for each in run(known_rules(), given):
        manifest = given.snapshot.manifests[each.finding.place.object]
        lines.add((each.rule.id, str(reading.texts.locate(manifest.origin, each.finding.place.path))))
    assert lines == {("K111", "<stdin>:11:13"), ("K119", "<stdin>:11:7")}


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (configuration("a: [\n"), ["4"]),
        (configuration("a: 1\na: 2\nb: 1\nb: 2\n"), ["4", "6"]),
    ],
)
def test_a_text_that_is_no_yaml_is_told_at_its_line(text: str, lines: list[str]) -> None:
    assert [dict(r.finding.evidence)["line of the text"] for r in reported("K110", config_map(text))] == lines


def test_a_config_map_of_somebody_else_is_nobodys_concern() -> None:
    other = "apiVersion: config.jobset.x-k8s.io/v1alpha1\nkind: Configuration\nbad: [\n"
    assert places("K110", config_map(other)) == []


def test_each_further_configuration_is_told() -> None:
    first, second = config_map(configuration(), "a"), config_map(configuration(), "b")
    third = "".join(f"    {line}\n" for line in ("---", *configuration().splitlines()))
    found = places("K116", first, second + third)
    assert found == ["error ConfigMap kueue-system/b data[controller_manager_config.yaml]"] * 2


@pytest.mark.parametrize(
    ("key", "near"), [("manageJobWithoutQueueName", "manageJobsWithoutQueueName"), ("nothingLikeIt", None)]
)
def test_a_misspelt_key_is_recognized(key: str, near: str | None) -> None:
    (found,) = reported("K111", configuration(f"{key}: true\n"))
    assert (f"`{near}`" in found.finding.remedy.text) is (near is not None)


@pytest.mark.parametrize(
    ("body", "remedy"),
    [
        ("waitForPodsReady: {enable: false}\n", "remove `waitForPodsReady` to turn it off"),
        ("waitForPodsReady: {enable: true}\n", "remove the line: a block that exists is on"),
        ("queueVisibility: {}\n", "remove it"),
    ],
)
def test_what_v1beta2_lacks_says_what_to_do_instead(body: str, remedy: str) -> None:
    (found,) = reported("K112", configuration(body))
    assert found.finding.remedy.text == remedy
    assert reported("K112", configuration(body, "v1beta1")) == ()


MANAGER = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: %s, namespace: kueue-system}
spec: {template: {spec: {containers: [{name: m, image: "%s", %s: %s}]}}}
"""


GATES = configuration("featureGates: {PriorityBoost: true}\n")


@pytest.mark.parametrize(
    ("name", "image", "field", "words", "count"),
    [
        ("kueue-controller-manager", "x", "args", "[--feature-gates=A=true]", 1),
        ("kueue-controller-manager", "x", "command", "[/manager, --feature-gates, A=true]", 1),
        ("mine", "registry.k8s.io/kueue/kueue:v0.19.2", "args", "[--feature-gates=A=true]", 1),
        ("mine", "nginx", "args", "[--feature-gates=A=true]", 0),
        ("kueue-controller-manager", "x", "args", "[--feature-gates-not=A=true]", 0),
        ("kueue-controller-manager", "x", "args", "{}", 0),
        ("kueue-controller-manager", "x", "args", "[1, null]", 0),
    ],
)
def test_gates_on_the_command_line(name: str, image: str, field: str, words: str, count: int) -> None:
    manager = MANAGER % (name, image, field, words)
    assert len(places("K132", GATES, manager)) == count
    assert places("K132", configuration(), manager) == []
