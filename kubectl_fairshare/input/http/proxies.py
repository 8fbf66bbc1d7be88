"""The proxy for a server: from the kubeconfig, otherwise from the environment, by kubectl's rules.

Source: Go, ``net/http``: a proxy by the server's scheme, none for this machine itself nor for what NO_PROXY names.
"""

import ipaddress
import os
from urllib.parse import urlsplit

from kubectl_fairshare.model.json import Json

_SUBDOMAINS = "."


def proxy_of(server: str, written: Json) -> str | None:
    """The address of the proxy, None for none; ``written`` is what the kubeconfig says."""
    if written:
        return str(written)
    parts = urlsplit(server)
    name = f"{parts.scheme}_proxy"
    proxy = os.environ.get(name) or os.environ.get(name.upper())
    if not proxy or _is_excepted(parts.hostname or "", parts.port or {"http": 80}.get(parts.scheme, 443)):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"


def _is_excepted(host: str, port: int) -> bool:
    address = _address(host)
    if host == "localhost" or (address is not None and address.is_loopback):
        return True
    entries = (os.environ.get("no_proxy") or os.environ.get("NO_PROXY") or "").split(",")
    return any(_names(entry.strip().lower(), host.lower(), port, address) for entry in entries)


def _names(entry: str, host: str, port: int, address: ipaddress.IPv4Address | ipaddress.IPv6Address | None) -> bool:
    """Whether an entry of NO_PROXY names the host: ``*``, an address or network, a domain with or without itself."""
    name, _, at = entry.rpartition(":")
    if name and at.isdigit() and not (address is not None and address.version == 6 and "[" not in entry):
        if int(at) != port:
            return False
        entry = name.strip("[]")
    if entry in ("*", host):
        return bool(entry)
    if address is not None:
        return _is_within(address, entry)
    domain = entry.removeprefix("*").removeprefix(_SUBDOMAINS)
    return bool(domain) and host.endswith(f"{_SUBDOMAINS}{domain}")


def _is_within(address: ipaddress.IPv4Address | ipaddress.IPv6Address, network: str) -> bool:
    try:
        return address in ipaddress.ip_network(network, strict=False)
    except ValueError:
        return False


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
