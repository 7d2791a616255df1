#!/bin/sh
# site dgx-h100-dra: rail routes of a pod of workload training.
# Runs in an init container with NET_ADMIN, may run again, and fails when the routes do not work.
# Needs ip (iproute2 or busybox) in the image.
set -eu

problem() {
    echo "rail-routes: $*" >&2
    exit 1
}

# address VERSION INTERFACE -> ADDRESS/LENGTH, the interface's first global address, or nothing
address() {
    ip "-$1" -o addr show dev "$2" scope global 2>/dev/null | { read -r _ _ _ found _ || true; echo "${found:-}"; }
}

# link ADDRESS/LENGTH END -> "SUBNET GATEWAY" of a routed IPv4 link: the switch has the even address of a /31, else
# the first or last host address
link() {
    echo "${1%/*}" | {
        IFS=. read -r a b c d
        size=$((1 << (32 - ${1#*/})))
        first=$((((a << 24) + (b << 16) + (c << 8) + d) / size * size))
        far=$first
        [ "$size" -le 2 ] || far=$((first + 1))
        [ "$size" -le 2 ] || [ "$2" = first ] || far=$((first + size - 2))
        echo "$(dotted "$first")/${1#*/} $(dotted "$far")"
    }
}

dotted() {
    echo "$(($1 >> 24)).$(($1 >> 16 & 255)).$(($1 >> 8 & 255)).$(($1 & 255))"
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

# install VERSION INTERFACE TABLE FROM SUBNET GATEWAY PREFIX...: what comes FROM the rail's prefix asks TABLE only:
# SUBNET is on the link, PREFIXes are behind GATEWAY, and nothing else may leave, least of all on the pod network
install() {
    version=$1 interface=$2 table=$3 from=$4 subnet=$5 gateway=$6
    shift 6
    ip link show dev "$interface" >/dev/null 2>&1 || problem "interface $interface is missing"
    while ip "-$version" rule del pref "$table" 2>/dev/null; do :; done
    ip "-$version" route flush table "$table" 2>/dev/null || true
    ip "-$version" route replace "$subnet" dev "$interface" table "$table"
    for prefix; do
        ip "-$version" route replace "$prefix" via "$gateway" dev "$interface" table "$table"
        # an address pool that sbr networks use too puts this into table main, on every rail
        ip "-$version" route del "$prefix" via "$gateway" dev "$interface" table main 2>/dev/null || true
    done
    ip "-$version" route replace unreachable default metric 4096 table "$table"
    ip "-$version" rule add pref "$table" from "$from" lookup "$table"
}

own=$(address 4 rail0)
[ -n "$own" ] || problem "rail0 has no IPv4 address"
set -- $(link "$own" first)
install 4 rail0 700 172.16.0.0/19 "$1" "$2" 172.16.0.0/19 172.16.32.0/19 172.16.64.0/19 172.16.96.0/19 172.16.128.0/19 172.16.160.0/19 172.16.192.0/19 172.16.224.0/19
ip -4 route replace 172.16.0.0/19 via "$2" dev rail0
own=$(address 4 rail1)
[ -n "$own" ] || problem "rail1 has no IPv4 address"
set -- $(link "$own" first)
install 4 rail1 701 172.16.32.0/19 "$1" "$2" 172.16.0.0/19 172.16.32.0/19 172.16.64.0/19 172.16.96.0/19 172.16.128.0/19 172.16.160.0/19 172.16.192.0/19 172.16.224.0/19
ip -4 route replace 172.16.32.0/19 via "$2" dev rail1
own=$(address 4 rail2)
[ -n "$own" ] || problem "rail2 has no IPv4 address"
set -- $(link "$own" first)
install 4 rail2 702 172.16.64.0/19 "$1" "$2" 172.16.0.0/19 172.16.32.0/19 172.16.64.0/19 172.16.96.0/19 172.16.128.0/19 172.16.160.0/19 172.16.192.0/19 172.16.224.0/19
ip -4 route replace 172.16.64.0/19 via "$2" dev rail2
own=$(address 4 rail3)
[ -n "$own" ] || problem "rail3 has no IPv4 address"
set -- $(link "$own" first)
install 4 rail3 703 172.16.96.0/19 "$1" "$2" 172.16.0.0/19 172.16.32.0/19 172.16.64.0/19 172.16.96.0/19 172.16.128.0/19 172.16.160.0/19 172.16.192.0/19 172.16.224.0/19
ip -4 route replace 172.16.96.0/19 via "$2" dev rail3
own=$(address 4 rail4)
[ -n "$own" ] || problem "rail4 has no IPv4 address"
set -- $(link "$own" first)
install 4 rail4 704 172.16.128.0/19 "$1" "$2" 172.16.0.0/19 172.16.32.0/19 172.16.64.0/19 172.16.96.0/19 172.16.128.0/19 172.16.160.0/19 172.16.192.0/19 172.16.224.0/19
ip -4 route replace 172.16.128.0/19 via "$2" dev rail4
own=$(address 4 rail5)
[ -n "$own" ] || problem "rail5 has no IPv4 address"
set -- $(link "$own" first)
install 4 rail5 705 172.16.160.0/19 "$1" "$2" 172.16.0.0/19 172.16.32.0/19 172.16.64.0/19 172.16.96.0/19 172.16.128.0/19 172.16.160.0/19 172.16.192.0/19 172.16.224.0/19
ip -4 route replace 172.16.160.0/19 via "$2" dev rail5
own=$(address 4 rail6)
[ -n "$own" ] || problem "rail6 has no IPv4 address"
set -- $(link "$own" first)
install 4 rail6 706 172.16.192.0/19 "$1" "$2" 172.16.0.0/19 172.16.32.0/19 172.16.64.0/19 172.16.96.0/19 172.16.128.0/19 172.16.160.0/19 172.16.192.0/19 172.16.224.0/19
ip -4 route replace 172.16.192.0/19 via "$2" dev rail6
own=$(address 4 rail7)
[ -n "$own" ] || problem "rail7 has no IPv4 address"
set -- $(link "$own" first)
install 4 rail7 707 172.16.224.0/19 "$1" "$2" 172.16.0.0/19 172.16.32.0/19 172.16.64.0/19 172.16.96.0/19 172.16.128.0/19 172.16.160.0/19 172.16.192.0/19 172.16.224.0/19
ip -4 route replace 172.16.224.0/19 via "$2" dev rail7

check 4 rail0 172.16.0.0 172.16.32.0 172.16.64.0 172.16.96.0 172.16.128.0 172.16.160.0 172.16.192.0 172.16.224.0
check 4 rail1 172.16.0.0 172.16.32.0 172.16.64.0 172.16.96.0 172.16.128.0 172.16.160.0 172.16.192.0 172.16.224.0
check 4 rail2 172.16.0.0 172.16.32.0 172.16.64.0 172.16.96.0 172.16.128.0 172.16.160.0 172.16.192.0 172.16.224.0
check 4 rail3 172.16.0.0 172.16.32.0 172.16.64.0 172.16.96.0 172.16.128.0 172.16.160.0 172.16.192.0 172.16.224.0
check 4 rail4 172.16.0.0 172.16.32.0 172.16.64.0 172.16.96.0 172.16.128.0 172.16.160.0 172.16.192.0 172.16.224.0
check 4 rail5 172.16.0.0 172.16.32.0 172.16.64.0 172.16.96.0 172.16.128.0 172.16.160.0 172.16.192.0 172.16.224.0
check 4 rail6 172.16.0.0 172.16.32.0 172.16.64.0 172.16.96.0 172.16.128.0 172.16.160.0 172.16.192.0 172.16.224.0
check 4 rail7 172.16.0.0 172.16.32.0 172.16.64.0 172.16.96.0 172.16.128.0 172.16.160.0 172.16.192.0 172.16.224.0

echo "rail-routes: ok, rail0 rail1 rail2 rail3 rail4 rail5 rail6 rail7"
