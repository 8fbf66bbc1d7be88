"""One job of a trace."""

from kubectl_fairshare.model.job_trace import TracedJob, TracedPods


def test_a_job_requests_what_all_its_pods_request() -> None:
    pods = (TracedPods("main", 2, {"cpu": 1500}), TracedPods("side", 1, {"cpu": 500, "memory": 7}))
    job = TracedJob("train", "team-a", "main", created=0, pod_sets=pods)
    assert job.total == {"cpu": 3500, "memory": 7}
    assert job.key == "team-a/train"
