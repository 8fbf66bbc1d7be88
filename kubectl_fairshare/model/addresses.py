"""Addresses of the Internet protocol, as the schedulers' servers accept them."""


def is_address(text: str) -> bool:
    """Whether a text is an IPv4 or IPv6 address without a zone, as Go's ``net.ParseIP`` reads it."""
    import ipaddress

    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return "%" not in text
