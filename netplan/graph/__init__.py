"""What facts add up to: objects of many files joined into networks, pods, resources, QoS chains and links.

Rules query the graph; it parses no text and judges nothing.
"""
