"""Kinds with a pod template for each role, as Kubeflow's training kinds: a pod set for each role that exists.

Source: Kueue v0.19 integrations ``kubeflow.org/…``.
"""

from typing import Final

from kubectl_fairshare.jobs.fields import Field
from kubectl_fairshare.jobs.kinds import POD_MAKERS, PodMaker
from kubectl_fairshare.schedulers.kueue.jobs.kinds.kind import JobKind, Known, PodTemplate, named, pod_template

_SCHEDULING: Final = ("spec", "runPolicy", "schedulingPolicy", "priorityClass")


def _kind(maker: PodMaker) -> JobKind:
    def templates(job: Field, known: Known) -> tuple[PodTemplate, ...]:
        del known
        replicas = ((name, job.at("spec", maker.replicas, name)) for name in maker.roles)
        return tuple(_replicas(name, specified) for name, specified in replicas if specified.value is not None)

    return JobKind(*named(*maker.name), templates, native=False, priority_class=_SCHEDULING)


def _replicas(name: str, specified: Field) -> PodTemplate:
    return pod_template(name.lower(), specified.at("replicas").natural(1), specified.at("template"))


TRAINING_KINDS: Final = tuple(_kind(each) for each in POD_MAKERS if each.framework and each.roles)
