"""Generator and prover for CNI and RDMA network configuration."""

__version__ = "0.1.0"
