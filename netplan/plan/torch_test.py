"""The all-reduce test of jobs that torchrun starts.

The programs of nccl-tests learn their ranks only from MPI (NVIDIA/nccl-tests src/common.cu, MPI_SUPPORT;
README.md): under torchrun each process would be a world of one rank, send nothing and succeed. Bus bandwidth
as in nccl-tests doc/PERFORMANCE.md, S / t * 2 (n - 1) / n. Variables: pytorch torch/distributed/run.py.
"""

from __future__ import annotations

PROGRAM = """\
import os, sys, time
import torch
import torch.distributed as dist

wanted = int(os.environ["NNODES"]) * int(os.environ["NGPUS"])
torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
dist.init_process_group("nccl")
rank, world = dist.get_rank(), dist.get_world_size()
if world != wanted:
    sys.exit(f"FAILED: the world has {world} ranks, not {wanted}")
wrong, total = 0, sum(r % 7 for r in range(world))
for power in range(10, 31, 2):
    size = 2**power
    pattern = torch.arange(size // 4, device="cuda", dtype=torch.float32).remainder(13)
    data = pattern + float(rank % 7)
    dist.all_reduce(data)
    bad = int((data != pattern * world + float(total)).sum())
    data.zero_()
    for _ in range(5):
        dist.all_reduce(data)
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(20):
        dist.all_reduce(data)
    torch.cuda.synchronize()
    seconds = (time.perf_counter() - start) / 20
    bandwidth = size / seconds * 2 * (world - 1) / world / 1e9
    if rank == 0:
        print(f"all_reduce {size} B: {bandwidth:.2f} GB/s bus bandwidth", flush=True)
    if bad:
        print(f"rank {rank}: {bad} of {size // 4} values are wrong", flush=True)
    wrong += bad
failed = torch.full((1,), float(wrong > 0), device="cuda")
dist.all_reduce(failed)
ranks = int(failed.item())
dist.destroy_process_group()
if ranks:
    sys.exit(f"FAILED: wrong values on {ranks} of {world} ranks")
if rank == 0:
    print(f"passed: {world} ranks", flush=True)
"""
