#!/bin/sh
# What this host says of its network cards, for netplan import: one tar on standard output.
#   ssh gpu-001 sudo sh -s < collect.sh > gpu-001.tar
# Reads only: no setting is changed, nothing is written but a temporary folder. Programs that are missing are left out; without
# root, LLDP and firmware settings are missing too.
set -u
LC_ALL=C
export LC_ALL
host=$(uname -n)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
out=$work/$host
mkdir "$out" || exit 1

# file, program and its arguments; a file that stays empty is left out
save() {
    file=$out/$1
    shift
    command -v "$1" >/dev/null 2>&1 || return 0
    timeout 60 "$@" >"$file" 2>/dev/null </dev/null
    [ -s "$file" ] || rm -f "$file"
}

value() {
    [ -r "$1" ] && tr -d '\n"' <"$1" 2>/dev/null
}

# One line for each network function of the kernel: address, IDs, names, link.
functions() {
    echo '# netplan collect 1: pci'
    for dev in /sys/bus/pci/devices/*; do
        case $(value "$dev/class") in 0x02*) ;; *) continue ;; esac
        line="pci=${dev##*/} vendor=$(value "$dev/vendor") device=$(value "$dev/device")"
        line="$line numa=$(value "$dev/numa_node") vfs=$(value "$dev/sriov_numvfs")"
        [ -e "$dev/physfn" ] && line="$line physfn=yes"
        for net in "$dev"/net/*; do
            [ -e "$net" ] || continue
            case $(value "$net/phys_port_name") in *pf*vf* | *pf*sf* | pf[0-9]*) continue ;; esac
            line="$line net=${net##*/} mac=$(value "$net/address") mtu=$(value "$net/mtu")"
            line="$line type=$(value "$net/type") speed=$(value "$net/speed") oper=$(value "$net/operstate")"
            break
        done
        for ib in "$dev"/infiniband/*; do
            [ -e "$ib" ] || continue
            line="$line ib=${ib##*/} link_layer=$(value "$ib/ports/1/link_layer") port=\"$(value "$ib/ports/1/state")\""
            line="$line rate=\"$(value "$ib/ports/1/rate")\" firmware=$(value "$ib/fw_ver") psid=$(value "$ib/board_id")"
            break
        done
        echo "$line"
    done
}

functions >"$out/sysfs.txt"
save lshw.json lshw -json -numeric -class network
save ip-link.json ip -d -j link
save ip-addr.json ip -d -j addr
save rdma-link.json rdma -j link
save devlink-port.json devlink -j port
save lspci.txt lspci -D -nn -vmm
save topo.txt nvidia-smi topo -m
save lldp.json lldpctl -f json0
if command -v mlxconfig >/dev/null 2>&1; then
    for dev in /sys/bus/pci/devices/*; do
        [ "$(value "$dev/vendor")" = 0x15b3 ] && [ ! -e "$dev/physfn" ] || continue
        name=${dev##*/}
        case $(value "$dev/class") in 0x02*) ;; *) continue ;; esac
        # -j names the file that the query is written to
        file=$out/mlxconfig-$(echo "$name" | tr ':.' '--').json
        timeout 60 mlxconfig -d "$name" -j "$file" query >/dev/null 2>&1 </dev/null
    done
fi
tar -C "$work" -cf - "$host"
