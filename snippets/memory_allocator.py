"""What can be said without a GPU about the memory of GPUs."""

# region caught_as
import torch

for kind in (RuntimeError, MemoryError):
    try:
        try:
            raise torch.OutOfMemoryError("GPU is full")
        except kind:
            print("caught as", kind.__name__)
    except Exception as error:
        print("passed on:", type(error).__name__)
# Output:
# caught as RuntimeError
# passed on: OutOfMemoryError
# endregion

# region proof_names
import inspect
import os
import torch

assert torch.cuda.OutOfMemoryError is torch.OutOfMemoryError
assert issubclass(torch.OutOfMemoryError, RuntimeError)
assert not issubclass(torch.OutOfMemoryError, MemoryError)
record = inspect.signature(torch.cuda.memory._record_memory_history)
assert record.parameters["enabled"].default == "all"
dump = inspect.signature(torch.cuda.memory._dump_snapshot)
assert dump.parameters["filename"].default == "dump_snapshot.pickle"
assert "pytorch.org/memory_viz" in torch.cuda.memory._dump_snapshot.__doc__
assert "doesn't increase" in torch.cuda.empty_cache.__doc__
assert "less than the amount shown in `nvidia-smi`" in (
    torch.cuda.memory_allocated.__doc__
)
# the variable is read in all versions, though some name PYTORCH_ALLOC_CONF in the message
header = os.path.join(os.path.dirname(torch.__file__), "include/c10/cuda/CUDAAllocatorConfig.h")
if os.path.exists(header):
    with open(header) as file:
        assert 'env("PYTORCH_CUDA_ALLOC_CONF")' in file.read()
print("names as told")
# endregion
