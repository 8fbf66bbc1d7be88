"""Every kind of job that Kueue makes Workloads for."""

from typing import Final

from kubectl_fairshare.schedulers.kueue.jobs.kinds.appwrapper import APP_WRAPPER
from kubectl_fairshare.schedulers.kueue.jobs.kinds.ray import RAY_KINDS
from kubectl_fairshare.schedulers.kueue.jobs.kinds.serving import SERVING_KINDS
from kubectl_fairshare.schedulers.kueue.jobs.kinds.spark import SPARK_APPLICATION
from kubectl_fairshare.schedulers.kueue.jobs.kinds.templates import JOB_KINDS
from kubectl_fairshare.schedulers.kueue.jobs.kinds.training import TRAINING_KINDS
from kubectl_fairshare.schedulers.kueue.jobs.kinds.trainjob import TRAIN_JOB

ALL_KINDS: Final = (
    *JOB_KINDS,
    TRAIN_JOB,
    *TRAINING_KINDS,
    *RAY_KINDS,
    *SERVING_KINDS,
    APP_WRAPPER,
    SPARK_APPLICATION,
)
