"""Inputs that grow as texts: comments, anchors, long values, fixes; they register themselves beside the others."""

import json
from typing import Any

from tests.bench.shapes import QUEUES, Files, documents, one, queue, shape, waiting


@shape(1000)
def comments(size: int) -> Files:
    return one("".join(f"# comment number {n}\n" for n in range(size)), "---\n", json.dumps(queue("q")))


@shape(500)
def suppressions(size: int) -> Files:
    return one("".join(f"# fairshare: ignore[K0{n % 50:02}] x\n" for n in range(size)), "---\n", json.dumps(queue("q")))


@shape(800)
def comments_with_a_fix(size: int) -> Files:
    body = documents(queue("q", queueingStrateg="StrictFIFO"))
    return one(body, "".join(f"# comment {n}\n" for n in range(size)))


@shape(20_000)
def long_line(size: int) -> Files:
    found = queue("q")
    found["metadata"]["annotations"] = {"note": "x " * size}
    return one(documents(found))


@shape(5_000)
def long_name(size: int) -> Files:
    return one(documents(queue("q" * size), waiting(1)))


@shape(5_000)
def long_quantity(size: int) -> Files:
    found = queue("q")
    found["spec"]["resourceGroups"][0]["flavors"][0]["resources"][0]["nominalQuota"] = "1" * size
    return one(documents(found))


@shape(300)
def anchors(size: int) -> Files:
    lines = [f"  l{n}: &a{n} v{n}\n  m{n}: *a{n}\n" for n in range(size)]
    return one(
        "---\napiVersion: v1\nkind: Namespace\nmetadata:\n  name: x\n  labels:\n",
        *(f"  {line}" for line in "".join(lines).splitlines(keepends=True)),
    )


@shape(300)
def aliases_of_one_anchor(size: int) -> Files:
    head = f"---\napiVersion: {QUEUES}\nkind: ClusterQueue\nmetadata: {{name: q}}\nspec:\n  x: &a [1, 2, 3, {{b: c}}]\n"
    return one(head, "".join(f"  y{n}: *a\n" for n in range(size)))


@shape(20)
def brackets(size: int) -> Files:
    found = queue("q")
    nested: Any = 1
    for _ in range(size):
        nested = [nested]
    return one(documents({**found, "x": nested}))


@shape(1000)
def empty_documents(size: int) -> Files:
    return one("---\n" * size)


@shape(500)
def keys_twice(size: int) -> Files:
    return one(
        "---\napiVersion: v1\nkind: Namespace\nmetadata:\n  name: x\n", "".join(f"a{n // 2}: 1\n" for n in range(size))
    )


@shape(300)
def suppressed_documents(size: int) -> Files:
    line = "---\napiVersion: v1\nkind: Service\nmetadata:\n  name: s{} # fairshare: ignore[K041]\n"
    return one(*(line.format(n) for n in range(size)))


@shape(200)
def fixes_in_one_mapping(size: int) -> Files:
    return one(documents(queue("q", namespaceSelector={"matchLabels": {f"k{n}": n for n in range(size)}})))


@shape(60)
def fixes_that_are_not_proven(size: int) -> Files:
    found = (queue(f"q{n}", queueingStrateg="StrictFIFO") for n in range(size))
    return one(*(f"---\n{json.dumps(each)} # &\n" for each in found))


@shape(200)
def aliases_of_a_large_anchor(size: int) -> Files:
    large = ", ".join(f"k{n}: v" for n in range(size))
    head = f"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: x, labels: &a {{{large}}}}}\n"
    return one(head, "".join(f"x{n}: *a\n" for n in range(size)))


@shape(300)
def merged_mappings(size: int) -> Files:
    head = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: x, labels: &a {b: c}}\n"
    return one(head, "".join(f"x{n}: {{<<: *a, d: e}}\n" for n in range(size)))


@shape(300)
def configuration_in_a_config_map(size: int) -> Files:
    lines = ["apiVersion: config.kueue.x-k8s.io/v1beta2", "kind: Configuration", "integrations:", "  frameworks:"]
    lines += [f"  - example.com/framework{n}" for n in range(size)]
    data = "\n".join(f"    {line}" for line in lines)
    head = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: kueue-manager-config, namespace: kueue-system}\n"
    return one(f"{head}data:\n  controller_manager_config.yaml: |\n{data}\n")


@shape(300)
def unknown_settings_in_a_config_map(size: int) -> Files:
    lines = ["apiVersion: config.kueue.x-k8s.io/v1beta2", "kind: Configuration"]
    lines += [f"setting{n}: true" for n in range(size)]
    data = "\n".join(f"    {line}" for line in lines)
    head = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: kueue-manager-config, namespace: kueue-system}\n"
    return one(f"{head}data:\n  controller_manager_config.yaml: |\n{data}\n")
