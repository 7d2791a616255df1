#!/bin/sh
# site dgx-h100-dra: checks the rail routes of a pod of workload training; changes nothing, needs no privilege.
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

check 4 rail0 172.16.0.0 172.16.32.0 172.16.64.0 172.16.96.0 172.16.128.0 172.16.160.0 172.16.192.0 172.16.224.0
check 4 rail1 172.16.0.0 172.16.32.0 172.16.64.0 172.16.96.0 172.16.128.0 172.16.160.0 172.16.192.0 172.16.224.0
check 4 rail2 172.16.0.0 172.16.32.0 172.16.64.0 172.16.96.0 172.16.128.0 172.16.160.0 172.16.192.0 172.16.224.0
check 4 rail3 172.16.0.0 172.16.32.0 172.16.64.0 172.16.96.0 172.16.128.0 172.16.160.0 172.16.192.0 172.16.224.0
check 4 rail4 172.16.0.0 172.16.32.0 172.16.64.0 172.16.96.0 172.16.128.0 172.16.160.0 172.16.192.0 172.16.224.0
check 4 rail5 172.16.0.0 172.16.32.0 172.16.64.0 172.16.96.0 172.16.128.0 172.16.160.0 172.16.192.0 172.16.224.0
check 4 rail6 172.16.0.0 172.16.32.0 172.16.64.0 172.16.96.0 172.16.128.0 172.16.160.0 172.16.192.0 172.16.224.0
check 4 rail7 172.16.0.0 172.16.32.0 172.16.64.0 172.16.96.0 172.16.128.0 172.16.160.0 172.16.192.0 172.16.224.0

[ "$problems" -eq 0 ] || exit 1
echo "check-rails: ok, rail0 rail1 rail2 rail3 rail4 rail5 rail6 rail7"
