"""How numbers are stored, and in which precision products are computed."""

# region float8_limits
import torch

for dtype in (torch.float8_e4m3fn, torch.float8_e5m2):
    print(dtype.itemsize, torch.finfo(dtype).max)
# Output:
# 1 448.0
# 1 57344.0
# endregion

# region float8_steps
import torch

x = torch.tensor([1.0, 1.05, 1.1, 17.0])
print(x.to(torch.float8_e4m3fn).tolist())
# Output:
# [1.0, 1.0, 1.125, 16.0]
# endregion

# region float8_scale
import torch

x = torch.tensor([896.0, 1.0, 0.001])
scale = x.max() / torch.finfo(torch.float8_e4m3fn).max
small = (x / scale).to(torch.float8_e4m3fn)
print(scale.item(), (small.float() * scale).tolist())
# Output:
# 2.0 [896.0, 1.0, 0.0]
# endregion

# region bits_of_fraction
import math
import torch

for dtype in (torch.float32, torch.float16, torch.bfloat16):
    print(math.log2(torch.finfo(dtype).eps))
# Output:
# -23.0
# -10.0
# -7.0
# endregion

# region proof_default_precision
import torch

assert torch.get_float32_matmul_precision() == "highest"
assert torch.backends.cuda.matmul.allow_tf32 is False
# endregion

# region matmul_precision
import torch

for precision in ("highest", "high"):
    torch.set_float32_matmul_precision(precision)
    print(precision, torch.backends.cuda.matmul.allow_tf32)
# Output:
# highest False
# high True
# endregion

# region proof_float8
import torch

a = torch.ones(2).to(torch.float8_e4m3fn)
for f in (lambda: a + a, lambda: a * 2, lambda: a - a):
    try:
        f()
        raise AssertionError
    except RuntimeError as error:
        assert "not implemented for 'Float8_e4m3fn'" in str(error)
assert (a.float() + a.float()).tolist() == [2, 2]
# one bit for the sign, four and five for the exponent, three and two else
assert torch.finfo(torch.float8_e4m3fn).eps == 2**-3
assert torch.finfo(torch.float8_e5m2).eps == 2**-2
steps = torch.arange(0, 256, dtype=torch.uint8).view(torch.float8_e4m3fn)
finite = sorted({v for v in steps.float().tolist() if v == v})
assert [v for v in finite if 1 <= v <= 1.25] == [1.0, 1.125, 1.25]
assert [v for v in finite if 16 <= v <= 20] == [16.0, 18.0, 20.0]
assert min(v for v in finite if v > 0) == 2**-9
# half of the smallest number and more is rounded up to it, less than half becomes 0
small = torch.tensor([0.001, 0.0005]).to(torch.float8_e4m3fn)
assert 0.0005 < 2**-10 < 0.001 and small.float().tolist() == [2**-9, 0]
# endregion

# region proof_bfloat16
import torch

x = torch.tensor([2.5, -1.75, 3e38, 1e-30])
bits = x.view(torch.int32)
cut = (bits & -65536).view(torch.float32)  # the upper 16 bits
assert torch.allclose(cut, x.bfloat16().float(), rtol=2**-7, atol=0)
assert torch.equal(cut.bfloat16().float(), cut)
# each bfloat16 number followed by 16 zero bits is the float32 number of the same value
every = torch.arange(-(2**15), 2**15, dtype=torch.int32)
small = every.to(torch.int16).view(torch.bfloat16)
large = (every << 16).view(torch.float32)
assert torch.equal(small.float().nan_to_num(7), large.nan_to_num(7))
assert torch.equal(small.isnan(), large.isnan())
# endregion

# region proof_precision
import torch

assert torch.backends.cudnn.allow_tf32 is True
torch.set_float32_matmul_precision("high")
assert (torch.ones(2, 2) @ torch.ones(2, 2)).dtype == torch.float32
torch.set_float32_matmul_precision("highest")
assert torch.backends.cudnn.allow_tf32 is True
told = torch.set_float32_matmul_precision.__doc__
assert "does not change the output dtype" in told
assert "TensorFloat32 datatype (10" in told
assert "does not change the precision of convolution" in told
print("precision as told")
# endregion
