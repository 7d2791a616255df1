#!/bin/sh
# site iei-rocev2: rail routes of a pod of workload large-model.
# Runs in an init container with NET_ADMIN, may run again, and fails when the routes do not work.
# Needs ip (iproute2 or busybox) and arping in the image.
set -eu

problem() {
    echo "rail-routes: $*" >&2
    exit 1
}

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

# announce INTERFACE: gratuitous ARP, because the leaf may hold another pod's MAC for this address
announce() {
    own=$(address 4 "$1")
    arping -U -c 2 -I "$1" "${own%/*}" >/dev/null ||
        echo "rail-routes: warning: arping on $1 failed, the leaf may use an old MAC until its ARP entry ages out" >&2
}

install 4 rail0 700 172.16.0.0/24 172.16.0.0/24 172.16.0.1 172.16.0.0/22 172.16.4.0/22 172.16.5.0/24 172.16.8.0/22 172.16.10.0/24 172.16.12.0/22 172.16.15.0/24
ip -4 route replace 172.16.0.0/22 via 172.16.0.1 dev rail0
install 4 rail1 701 172.16.5.0/24 172.16.5.0/24 172.16.5.1 172.16.0.0/22 172.16.0.0/24 172.16.4.0/22 172.16.8.0/22 172.16.10.0/24 172.16.12.0/22 172.16.15.0/24
ip -4 route replace 172.16.4.0/22 via 172.16.5.1 dev rail1
install 4 rail2 702 172.16.10.0/24 172.16.10.0/24 172.16.10.1 172.16.0.0/22 172.16.0.0/24 172.16.4.0/22 172.16.5.0/24 172.16.8.0/22 172.16.12.0/22 172.16.15.0/24
ip -4 route replace 172.16.8.0/22 via 172.16.10.1 dev rail2
install 4 rail3 703 172.16.15.0/24 172.16.15.0/24 172.16.15.1 172.16.0.0/22 172.16.0.0/24 172.16.4.0/22 172.16.5.0/24 172.16.8.0/22 172.16.10.0/24 172.16.12.0/22
ip -4 route replace 172.16.12.0/22 via 172.16.15.1 dev rail3
announce rail0
announce rail1
announce rail2
announce rail3

check 4 rail0 172.16.0.1 172.16.4.1 172.16.5.1 172.16.8.1 172.16.10.1 172.16.12.1 172.16.15.1
check 4 rail1 172.16.5.1 172.16.0.1 172.16.4.1 172.16.8.1 172.16.10.1 172.16.12.1 172.16.15.1
check 4 rail2 172.16.10.1 172.16.0.1 172.16.4.1 172.16.5.1 172.16.8.1 172.16.12.1 172.16.15.1
check 4 rail3 172.16.15.1 172.16.0.1 172.16.4.1 172.16.5.1 172.16.8.1 172.16.10.1 172.16.12.1

echo "rail-routes: ok, rail0 rail1 rail2 rail3"
