"""The tools of an agent on a real API server, with the rights of its kubeconfig, over stdio."""

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.live.stage.organisation import Organisation
from tests.live.stage.populated import crds, load, populate
from tests.live.stage.server import kubeconfig, missing, server
from tests.meta.repository import ROOT

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(
        bool(missing("kube-apiserver", "etcd")),
        reason=f"not built: {missing('kube-apiserver', 'etcd')}; see .ci/assets/build",
    ),
]
CALLS: dict[str, dict[str, Any]] = {"shares": {}, "why": {"all_namespaces": True}, "cycle": {}}


def test_an_agent_reads_a_cluster_with_the_rights_of_its_kubeconfig(tmp_path: Path) -> None:
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    with server(tmp_path, ("nobody",)) as living:
        living.apply_crds(crds())
        made = Organisation(1)
        populate(living.api, made)
        load(living.api, made, "w00001")

        async def answers(config: Path) -> dict[str, Any]:
            arguments = ["-m", "kubectl_fairshare", "mcp", "--cluster", "--kubeconfig", str(config)]
            environment = {**os.environ, "PYTHONPATH": str(ROOT)}
            started = StdioServerParameters(command=sys.executable, args=arguments, env=environment)
            async with stdio_client(started) as (reading, writing), ClientSession(reading, writing) as session:
                await session.initialize()
                called = {name: await session.call_tool(name, given) for name, given in CALLS.items()}
                return {name: each.structured_content for name, each in called.items()}

        found = asyncio.run(answers(living.kubeconfig))
        assert [each["document"]["kind"] for each in found.values()] == ["Shares", "WaitingList", "Cycle"]
        assert all(each["document"]["scheduler"] == "kueue" for each in found.values())
        refused = asyncio.run(answers(kubeconfig(tmp_path / "nobody", living.port, "nobody-token")))
        assert all(each["document"] is None for each in refused.values())
        verdicts = {name: each["verdict"] for name, each in refused.items()}
        assert all("forbidden" in verdict or "may not read" in verdict for verdict in verdicts.values()), verdicts
