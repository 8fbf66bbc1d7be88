"""Rules: what Kueue's manager refuses among the values of its Configuration: it does not start with them."""

from tests.unit.schedulers.kueue.rules.asking import configuration, reported


def test_what_a_gate_that_is_off_keeps_off_is_told_at_that_gate() -> None:
    text = configuration("featureGates:\n  KueueDRAIntegration: false\n")
    (found,) = reported("K131", text)
    assert found.finding.place.path == ("featureGates", "KueueDRAIntegration")
    assert "need `KueueDRAIntegration`: `KueueDRAIntegrationExtendedResource`, " in found.finding.message


def test_no_spelling_helps_a_framework_that_is_gone() -> None:
    frameworks = "integrations: {frameworks: [batch/job, kubeflow.org/mxjob, kubeflow.org/tfjobs]}\n"
    gone, misspelt = reported("K118", configuration(frameworks, "v1beta1"))
    assert (gone.severity, gone.finding.remedy.text) == ("info", "remove it")
    assert misspelt.finding.remedy.text.startswith("spell it as Kueue does")
