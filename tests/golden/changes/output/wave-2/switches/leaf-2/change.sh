nv set qos mapping default-global dscp 28 switch-priority 3
