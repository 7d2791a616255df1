"""A datagram and its reply between two namespaces, with the interfaces on which they arrive."""

from __future__ import annotations

import socket
import struct
from typing import NamedTuple

from tests.netns.namespaces import Namespace

IP_TTL, IP_PKTINFO, IP_RECVTTL = 2, 8, 12  # include/uapi/linux/in.h; Python's socket module names not all
TTL = 64
TIMEOUT_SECONDS = 1.0
PKTINFO = struct.Struct("=i4s4s")  # struct in_pktinfo: interface, address of it, address in the header


class Leg(NamedTuple):
    """Interface on which a datagram arrived, and the number of routers it passed."""

    interface: str
    hops: int


class Exchange(NamedTuple):
    """``forward``: at the receiver; ``answer``: at the sender; ``error``: why one is missing."""

    forward: Leg | None = None
    answer: Leg | None = None
    error: str = ""


def exchange(
    near: Namespace, far: Namespace, target: str, source: str | None = None, device: str | None = None
) -> Exchange:
    """Send to ``target`` from a socket bound to ``source`` and ``device``; the reply is bound likewise.

    For a RoCE queue pair, the kernel looks up the next hop with both source and device
    (torvalds/linux drivers/infiniband/core/addr.c).
    """
    with near.udp_socket() as client, far.udp_socket() as server:
        for end in (client, server):
            end.setsockopt(socket.IPPROTO_IP, IP_PKTINFO, 1)
            end.setsockopt(socket.IPPROTO_IP, IP_RECVTTL, 1)
            end.settimeout(TIMEOUT_SECONDS)
        server.bind(("0.0.0.0", 0))
        if device is not None:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, device.encode())
        if source is not None:
            client.bind((source, 0))
        forward = answer = None
        try:
            client.sendto(b"ping", (target, server.getsockname()[1]))
            forward, index, sender = _receive(far, server)
            bound = PKTINFO.pack(index if device else 0, socket.inet_aton(target), bytes(4))
            server.sendmsg([b"pong"], [(socket.IPPROTO_IP, IP_PKTINFO, bound)], 0, sender)
            answer, _, _ = _receive(near, client)
        except OSError as error:
            return Exchange(forward, answer, str(error))
    return Exchange(forward, answer)


def _receive(namespace: Namespace, end: socket.socket) -> tuple[Leg, int, tuple[str, int]]:
    _, ancillary, _, sender = end.recvmsg(64, 256)
    said = {kind: data for level, kind, data in ancillary if level == socket.IPPROTO_IP}
    index = PKTINFO.unpack(said[IP_PKTINFO])[0]
    (ttl,) = struct.unpack("=i", said[IP_TTL])
    return Leg(namespace.interface(index), TTL - ttl), index, sender
