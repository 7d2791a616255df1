"""What facts amount to: objects of many files joined to networks, pods, resources, QoS chains and links.

Rules ask the graph; nothing here reads text, nothing judges.
"""
