#!/bin/sh
# site iei-rocev2, nf5468m5: written by netplan from the inventory
#
# Sets RoCE QoS on every RDMA port. The state is lost at reboot and driver reload, so rdma-nic-qos.service runs this
# at boot; running it again changes nothing. Stops at the first port that cannot be set.
# Needs mlnx_qos, cma_roce_mode and cma_roce_tos (mlnx-tools) and the ecn files of the DOCA-OFED driver.
set -eu

# another root of sysfs, for tests
sys=${RDMA_NIC_QOS_SYS:-/sys}

fail() {
    echo "rdma-nic-qos: $*" >&2
    exit 1
}

# only_entry DIRECTORY WHAT: name of the entry of a directory; at boot the driver may make it a little later
only_entry() {
    waited=0
    while :; do
        for path in "$1"/*; do
            [ -e "$path" ] || break
            echo "${path##*/}"
            return
        done
        [ "$waited" -lt "${RDMA_NIC_QOS_WAIT:-60}" ] || fail "$2: nothing in $1"
        sleep 1
        waited=$((waited + 1))
    done
}

# write VALUE FILE
write() {
    [ -e "$2" ] || fail "no $2"
    echo "$1" > "$2"
}

# apply NETDEV CABLE_METRES TRAFFIC_CLASS: an empty argument leaves that setting alone
apply() {
    dev=$1
    [ -d "$sys/class/net/$dev" ] || fail "no interface $dev"
    mlnx_qos -i "$dev" --trust=dscp
    # in one call: older versions of mlnx_qos switch PFC off when they are given the cable length alone
    mlnx_qos -i "$dev" --pfc 0,0,0,1,0,0,0,0 ${2:+"--cable_len=$2"}
    # every code point, so that an earlier setting does not stay; not in one call with --trust, which is refused
    mlnx_qos -i "$dev" \
        --dscp2prio set,0,0 \
        --dscp2prio set,1,0 \
        --dscp2prio set,2,0 \
        --dscp2prio set,3,0 \
        --dscp2prio set,4,0 \
        --dscp2prio set,5,0 \
        --dscp2prio set,6,0 \
        --dscp2prio set,7,0 \
        --dscp2prio set,8,0 \
        --dscp2prio set,9,0 \
        --dscp2prio set,10,0 \
        --dscp2prio set,11,0 \
        --dscp2prio set,12,0 \
        --dscp2prio set,13,0 \
        --dscp2prio set,14,0 \
        --dscp2prio set,15,0 \
        --dscp2prio set,16,0 \
        --dscp2prio set,17,0 \
        --dscp2prio set,18,0 \
        --dscp2prio set,19,0 \
        --dscp2prio set,20,0 \
        --dscp2prio set,21,0 \
        --dscp2prio set,22,0 \
        --dscp2prio set,23,0 \
        --dscp2prio set,24,0 \
        --dscp2prio set,25,0 \
        --dscp2prio set,26,3 \
        --dscp2prio set,27,0 \
        --dscp2prio set,28,0 \
        --dscp2prio set,29,0 \
        --dscp2prio set,30,0 \
        --dscp2prio set,31,0 \
        --dscp2prio set,32,0 \
        --dscp2prio set,33,0 \
        --dscp2prio set,34,0 \
        --dscp2prio set,35,0 \
        --dscp2prio set,36,0 \
        --dscp2prio set,37,0 \
        --dscp2prio set,38,0 \
        --dscp2prio set,39,0 \
        --dscp2prio set,40,0 \
        --dscp2prio set,41,0 \
        --dscp2prio set,42,0 \
        --dscp2prio set,43,0 \
        --dscp2prio set,44,0 \
        --dscp2prio set,45,0 \
        --dscp2prio set,46,0 \
        --dscp2prio set,47,0 \
        --dscp2prio set,48,6 \
        --dscp2prio set,49,0 \
        --dscp2prio set,50,0 \
        --dscp2prio set,51,0 \
        --dscp2prio set,52,0 \
        --dscp2prio set,53,0 \
        --dscp2prio set,54,0 \
        --dscp2prio set,55,0 \
        --dscp2prio set,56,0 \
        --dscp2prio set,57,0 \
        --dscp2prio set,58,0 \
        --dscp2prio set,59,0 \
        --dscp2prio set,60,0 \
        --dscp2prio set,61,0 \
        --dscp2prio set,62,0 \
        --dscp2prio set,63,0
    # mlx5 starts with priority 0 on class 1 and priority 1 on class 0, so the map is part of the shares
    mlnx_qos -i "$dev" -p 0,1,2,3,4,5,6,7 -s ets,ets,ets,ets,ets,ets,strict,ets -t 50,0,0,50,0,0,0,0
    write 1 "$sys/class/net/$dev/ecn/roce_np/enable/3"
    write 1 "$sys/class/net/$dev/ecn/roce_rp/enable/3"
    write 48 "$sys/class/net/$dev/ecn/roce_np/cnp_dscp"
    write 6 "$sys/class/net/$dev/ecn/roce_np/cnp_802p_prio"
    if [ -n "$3" ]; then
        rdma=$(only_entry "$sys/class/net/$dev/device/infiniband" "$dev has no RDMA device")
        cma_roce_mode -d "$rdma" -p 1 -m 2
        cma_roce_tos -d "$rdma" -t "$3"
        write "$3" "$sys/class/infiniband/$rdma/tc/1/traffic_class"
    fi
}

# roce0
apply ens1f0 "5" "106"

# roce1
apply ens2f0 "5" "106"

# roce2
apply ens3f0 "5" "106"

# roce3
apply ens4f0 "5" "106"
