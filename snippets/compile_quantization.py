"""Quantization: scale and zero point, observers, int8 weights."""

# region grid
import torch

x = torch.tensor([0.3, 1.0, 9.0])
y = torch.fake_quantize_per_tensor_affine(
    x, scale=0.5, zero_point=0, quant_min=0, quant_max=7
)
print(y)
# Output:
# tensor([0.5000, 1.0000, 3.5000])
# endregion

# region straight_through
import torch

x = torch.tensor([0.3, 1.0, 9.0], requires_grad=True)
y = torch.fake_quantize_per_tensor_affine(
    x, scale=0.5, zero_point=0, quant_min=0, quant_max=7
)
y.sum().backward()
print(x.grad)
# Output:
# tensor([1., 1., 0.])
# endregion

# region by_hand
import torch

x, scale, zero = torch.tensor([-1.0, 0.0, 2.0]), 0.5, 3
q = (x / scale).round().add(zero).clamp(0, 255).to(torch.uint8)
print(q, (q - zero) * scale)
# Output:
# tensor([1, 3, 7], dtype=torch.uint8) tensor([127.,   0.,   2.])
# endregion

# region one_scale
import torch

w = torch.tensor([[0.25, 0.25], [64.0, 127.0]])
for dims in ((0, 1), (1,)):
    scale = w.abs().amax(dims, keepdim=True) / 127
    back = (w / scale).round() * scale
    print(back[0])
# Output:
# tensor([0., 0.])
# tensor([0.2500, 0.2500])
# endregion

# region observer
import torch
from torch.ao.quantization import MinMaxObserver

observer = MinMaxObserver()
observer(torch.tensor([0.0, 255.0]))
observer(torch.tensor([0.0, 10.0]))
scale, zero_point = observer.calculate_qparams()
print(scale, zero_point.item())
# Output:
# tensor([1.]) 0
# endregion

# region proof_quantized
import io
import warnings
import torch
from torch import nn

with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    net = nn.Sequential(nn.Linear(256, 256), nn.ReLU())
    if "fbgemm" in torch.backends.quantized.supported_engines or "x86" in torch.backends.quantized.supported_engines:
        small = torch.ao.quantization.quantize_dynamic(net, {nn.Linear}, dtype=torch.qint8)
        assert small[0].weight().dtype == torch.qint8
        assert small(torch.ones(1, 256)).dtype == torch.float32
        assert type(small[1]) is nn.ReLU and type(net[0]) is nn.Linear
        def size(module):
            file = io.BytesIO()
            torch.save(module.state_dict(), file)
            return len(file.getvalue())
        assert size(small) < size(net) / 3
if torch.__version__.startswith("2.1"):
    text = " ".join(str(item.message) for item in told)
    assert "torch.ao.quantization is deprecated" in text, text
    assert "please migrate to use torchao eager mode quantize_ API instead" in text
    assert "pt2e quantization has been migrated to torchao" in text
assert torch.int8.itemsize * 4 == torch.float32.itemsize
# zero is on the grid exactly
from torch.ao.quantization import MinMaxObserver

observer = MinMaxObserver()
observer(torch.tensor([-1.0, 2.0]))
scale, zero_point = observer.calculate_qparams()
y = torch.fake_quantize_per_tensor_affine(torch.zeros(1), scale.item(), int(zero_point), 0, 255)
assert y == 0 and int(zero_point) > 0
observer = MinMaxObserver(dtype=torch.qint8, qscheme=torch.per_tensor_symmetric)
observer(torch.tensor([-1.0, 2.0]))
assert int(observer.calculate_qparams()[1]) == 0
# rounding is the error, at most half a step
x = torch.linspace(0, 3.5, 1000)
y = torch.fake_quantize_per_tensor_affine(x, 0.5, 0, 0, 7)
assert (x - y).abs().max() <= 0.25
print("quantized as told")
# endregion
