"""Training runtimes: the objects that define the pods of a TrainJob.

Tested in ``tests/unit/schedulers/kueue/jobs/test_job_scenarios.py``, by the scenarios of ``testdata/jobs``.
"""

from typing import Final

TRAINER_GROUP: Final = "trainer.kubeflow.org"
NAMESPACED: Final = "TrainingRuntime"
CLUSTER_WIDE: Final = "ClusterTrainingRuntime"
RUNTIMES: Final = frozenset({(TRAINER_GROUP, NAMESPACED), (TRAINER_GROUP, CLUSTER_WIDE)})
"""Group and kind of each."""
