#!/bin/sh
# site multi-vendor: checks the rail routes of a pod of workload training; changes nothing, needs no privilege.
#   kubectl exec -i -n training POD -- sh -s < check-rails.sh
# Needs ip (iproute2 or busybox) in the image.
set -eu

problems=0
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

check 4 rail0 172.16.0.1 172.16.32.1 172.16.33.1 172.16.64.1 172.16.66.1 172.16.96.1 172.16.99.1 172.16.128.1 172.16.132.1 172.16.160.1 172.16.165.1 172.16.192.1 172.16.198.1 172.16.224.1 172.16.231.1
check 4 rail1 172.16.33.1 172.16.0.1 172.16.32.1 172.16.64.1 172.16.66.1 172.16.96.1 172.16.99.1 172.16.128.1 172.16.132.1 172.16.160.1 172.16.165.1 172.16.192.1 172.16.198.1 172.16.224.1 172.16.231.1
check 4 rail2 172.16.66.1 172.16.0.1 172.16.32.1 172.16.33.1 172.16.64.1 172.16.96.1 172.16.99.1 172.16.128.1 172.16.132.1 172.16.160.1 172.16.165.1 172.16.192.1 172.16.198.1 172.16.224.1 172.16.231.1
check 4 rail3 172.16.99.1 172.16.0.1 172.16.32.1 172.16.33.1 172.16.64.1 172.16.66.1 172.16.96.1 172.16.128.1 172.16.132.1 172.16.160.1 172.16.165.1 172.16.192.1 172.16.198.1 172.16.224.1 172.16.231.1
check 4 rail4 172.16.132.1 172.16.0.1 172.16.32.1 172.16.33.1 172.16.64.1 172.16.66.1 172.16.96.1 172.16.99.1 172.16.128.1 172.16.160.1 172.16.165.1 172.16.192.1 172.16.198.1 172.16.224.1 172.16.231.1
check 4 rail5 172.16.165.1 172.16.0.1 172.16.32.1 172.16.33.1 172.16.64.1 172.16.66.1 172.16.96.1 172.16.99.1 172.16.128.1 172.16.132.1 172.16.160.1 172.16.192.1 172.16.198.1 172.16.224.1 172.16.231.1
check 4 rail6 172.16.198.1 172.16.0.1 172.16.32.1 172.16.33.1 172.16.64.1 172.16.66.1 172.16.96.1 172.16.99.1 172.16.128.1 172.16.132.1 172.16.160.1 172.16.165.1 172.16.192.1 172.16.224.1 172.16.231.1
check 4 rail7 172.16.231.1 172.16.0.1 172.16.32.1 172.16.33.1 172.16.64.1 172.16.66.1 172.16.96.1 172.16.99.1 172.16.128.1 172.16.132.1 172.16.160.1 172.16.165.1 172.16.192.1 172.16.198.1 172.16.224.1

[ "$problems" -eq 0 ] || exit 1
echo "check-rails: ok, rail0 rail1 rail2 rail3 rail4 rail5 rail6 rail7"
