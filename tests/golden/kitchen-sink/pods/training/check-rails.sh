#!/bin/sh
# site kitchen-sink: checks the rail routes of a pod of workload training; changes nothing, needs no privilege.
#   kubectl exec -i -n training POD -- sh -s < check-rails.sh
# Needs ip (iproute2 or busybox) in the image; with ping, and the right to send one, it also asks each rail's gateway.
set -eu

problems=0
unasked=
problem() {
    echo "check-rails: $*" >&2
    problems=$((problems + 1))
}

command -v ip >/dev/null || { echo "check-rails: no ip command in this image, install iproute2" >&2; exit 2; }

# address VERSION INTERFACE -> ADDRESS/LENGTH, the interface's first global address, or nothing
address() {
    ip "-$1" -o addr show dev "$2" scope global 2>/dev/null | { read -r _ _ _ found _ || true; echo "${found:-}"; }
}

# check VERSION INTERFACE TARGET...: packets from the interface's address leave on it, and it is no default
check() {
    version=$1 interface=$2
    shift 2
    own=$(address "$version" "$interface")
    [ -n "$own" ] || { problem "$interface has no IPv$version address"; return 0; }
    for target; do
        [ "$target" != "${own%/*}" ] || continue
        route=" $(ip "-$version" route get "$target" from "${own%/*}" 2>&1 | tr '\n' ' ') "
        case "$route" in
        *" dev $interface "*) ;;
        *) problem "$target from ${own%/*} does not leave on $interface:$route" ;;
        esac
    done
    # not "route show default": busybox prints every route for it
    case " $(ip "-$version" route show | grep '^default' | tr '\n' ' ') " in
    *" dev $interface "*) problem "the pod's IPv$version default route is on rail $interface" ;;
    esac
}

# answers VERSION INTERFACE GATEWAY: one ping, judged by the neighbour table, for a switch may drop the ping itself;
# without ping, or the right to send one, the table may have nothing of it
answers() {
    own=$(address "$1" "$2")
    [ -n "$own" ] || return 0
    command -v ping >/dev/null || { unasked=yes; return 0; }
    ping "-$1" -c 1 -W 2 -I "${own%/*}" "$3" >/dev/null 2>&1 && return 0
    case " $(ip "-$1" neigh show to "$3" dev "$2" 2>/dev/null | tr '\n' ' ') " in
    *" FAILED "* | *" INCOMPLETE "*)
        problem "gateway $3 does not answer on $2: the card of another rail, a wrong VLAN or port, or a link down" ;;
    "  ") unasked=yes ;;
    esac
}

check 4 rail0 172.16.0.1 172.16.16.1
check 6 rail0 fd00:16::1 fd00:16:0:1000::1
check 4 rail1 172.16.16.1 172.16.0.1
check 6 rail1 fd00:16:0:1000::1 fd00:16::1

answers 4 rail0 172.16.0.1
answers 6 rail0 fd00:16::1
answers 4 rail1 172.16.16.1
answers 6 rail1 fd00:16:0:1000::1

[ "$problems" -eq 0 ] || exit 1
echo "check-rails: ok, rail0 rail1"
[ -z "$unasked" ] || echo "check-rails: gateways not asked: no ping in this image, or no right to send one"
