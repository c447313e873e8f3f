"""What counts as one address, and as its network: limits and accounts are kept by both."""

from __future__ import annotations

import ipaddress
from functools import lru_cache

NEIGHBOURS = 16  # times as much may come from a network (IPv6 /48, IPv4 /24) as from one household in it
CONNECTIONS = 256  # that a household may have open to tables at once


def household(address: str) -> str:
    """What counts as one address: of IPv6 the network of a household, which has millions of billions of addresses.

    >>> household("2001:db8:1:2:3:4:5:6")
    '2001:db8:1:2::/64'
    """
    try:
        read = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(read, ipaddress.IPv6Address):
        if read.ipv4_mapped:
            return str(read.ipv4_mapped)
        return str(ipaddress.ip_network((read, 64), strict=False))
    return address


@lru_cache(4096)
def wider(household: str) -> str:
    """The network that a household lies in: whoever rents one has all its addresses.

    >>> wider("2001:db8:1:2::/64"), wider("192.0.2.7")
    ('2001:db8:1::/48', '192.0.2.0/24')
    """
    try:
        network = ipaddress.ip_network(household)
    except ValueError:
        return f"around {household}"
    return str(network.supernet(new_prefix=48 if network.version == 6 else 24))
