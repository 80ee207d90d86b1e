"""Shared memory: in-place changes, NumPy arrays, files."""

# region plus_equals
import torch

x = y = torch.zeros(2)
x += 1
x = x + 1
print(x.tolist(), y.tolist())
# Output:
# [2.0, 2.0] [1.0, 1.0]
# endregion

# region int_plus_float
import torch

x, y = torch.tensor([1, 2]), torch.tensor([0.5, 0.5])
for a, b in ((y, x), (x, y)):
    try:
        a += b
        print(a)
    except RuntimeError:
        print("refused")
# Output:
# tensor([1.5000, 2.5000])
# refused
# endregion

# region out_dtype
import torch

x = torch.tensor([1.5, 2.5])
for dtype in (torch.float64, torch.int64):
    result = torch.zeros(2, dtype=dtype)
    try:
        print(torch.add(x, x, out=result))
    except RuntimeError:
        print("refused")
# Output:
# tensor([3., 5.], dtype=torch.float64)
# refused
# endregion

# region overlap
import torch

x = torch.ones(4)
for y in (x[:-1].clone(), x[:-1]):
    try:
        x[1:] += y
        print(x)
    except RuntimeError:
        print("refused")
# Output:
# tensor([1., 2., 2., 2.])
# refused
# endregion

# region numpy_shares
import torch

x = torch.zeros(2)
a = x.numpy()
a[0] = 9
print(x)
# Output:
# tensor([9., 0.])
# endregion

# region numpy_dtype
import numpy as np
import torch

a = np.array([0.5, 1.5])
print(torch.tensor(a).dtype, torch.tensor(a.tolist()).dtype)
# Output:
# torch.float64 torch.float32
# endregion

# region numpy_grad
import torch

x = torch.ones(2, requires_grad=True)
for t in (x.detach(), x):
    try:
        print(t.numpy())
    except RuntimeError:
        print("refused")
# Output:
# [1. 1.]
# refused
# endregion

# region numpy_reverse
import numpy as np
import torch

a = np.arange(3)[::-1]
for array in (a.copy(), a):
    try:
        print(torch.from_numpy(array))
    except ValueError:
        print("refused")
# Output:
# tensor([2, 1, 0])
# refused
# endregion

# region save_shared
import io
import torch

file = io.BytesIO()
x = torch.zeros(2)
torch.save([x, x], file)
file.seek(0)
a, b = torch.load(file, weights_only=True)
a += 1
print(a.tolist(), b.tolist())
# Output:
# [1.0, 1.0] [1.0, 1.0]
# endregion

# region save_view
import io
import torch

x = torch.zeros(10_000)
for t in (x[:2], x[:2].clone()):
    file = io.BytesIO()
    torch.save(t, file)
    file.seek(0)
    y = torch.load(file, weights_only=True)
    print(y.nbytes, y.untyped_storage().nbytes())
# Output:
# 8 40000
# 8 8
# endregion

# region weights_only
import io
import torch

model = torch.nn.Linear(1, 1)
for value in (model.state_dict(), model):
    file = io.BytesIO()
    torch.save(value, file)
    file.seek(0)
    try:
        print(list(torch.load(file, weights_only=True)))
    except Exception:
        print("refused")
# Output:
# ['weight', 'bias']
# refused
# endregion

# region proof_in_place
import torch

x = torch.zeros(2)
y, row, place = x, x[:1], x.data_ptr()
x += 1
assert y is x and x.data_ptr() == place and row[0] == 1
x = x + 1
assert y is not x and y.tolist() == [1, 1]
rows = [torch.zeros(2) for _ in range(2)]
rows[0].add_(1)
assert not rows[1].any()
# endregion

# region proof_in_place_dtypes
import torch

i = torch.tensor([4, 6])
for change in (lambda: i.div_(2), lambda: i.add_(0.5)):
    try:
        raise AssertionError(change())
    except RuntimeError as error:
        assert "cast to the desired output type" in str(error)
assert i.floor_divide_(2).tolist() == [2, 3]
f = torch.tensor([0.5, 0.5], dtype=torch.float16)
assert f.add_(torch.ones(2, dtype=torch.float64)).dtype == torch.float16
assert (i + 0.5).dtype == torch.float32
# endregion

# region proof_copy
import torch

x = torch.zeros(2, 2, dtype=torch.int64)
x[:] = torch.tensor([2.7, -2.7])
assert x.tolist() == [[2, -2], [2, -2]]
try:
    raise AssertionError(x.copy_(torch.zeros(3)))
except RuntimeError:
    pass
result = torch.zeros(2)
assert torch.add(torch.ones(2), 1, out=result) is result
assert result.tolist() == [2, 2]
big = torch.ones(2, dtype=torch.float64)
assert torch.add(torch.ones(2), 1, out=big) is big
assert torch.add(big, 1, out=result).dtype == torch.float32
i = torch.ones(2, dtype=torch.int64)
assert torch.add(i, i, out=result).tolist() == [2, 2]
# endregion

# region proof_overlap
import torch

x = torch.ones(4)
expected = torch.tensor([1.0, 2.0, 2.0, 2.0])
try:
    raise AssertionError(x[1:].add_(x[:-1]))
except RuntimeError:
    pass
assert x.equal(torch.ones(4))
x[1:] = x[1:] + x[:-1]
assert x.equal(expected)
assert x.add_(x).equal(2 * expected)
# endregion

# region proof_numpy
import numpy as np
import torch

x = torch.zeros(2)
a = x.numpy()
x.add_(1)
assert a.tolist() == [1, 1]
assert x.clone().numpy().ctypes.data != x.data_ptr()
assert x.numpy(force=True).ctypes.data == x.data_ptr()
assert torch.tensor(1.5).numpy().dtype == np.float32
assert torch.tensor(np.float64(1.5)).dtype == torch.float64
assert torch.tensor(np.array([1, 2])).dtype == torch.int64
h = torch.ones(2, dtype=torch.bfloat16)
try:
    raise AssertionError(h.numpy())
except TypeError:
    assert h.float().numpy().tolist() == [1, 1]
assert not hasattr(np, "bfloat16")
# endregion

# region proof_float64_product
import numpy as np
import torch

layer = torch.nn.Linear(2, 1)
x = torch.from_numpy(np.ones((1, 2)))
assert x.dtype == torch.float64
try:
    raise AssertionError(layer(x))
except RuntimeError:
    assert layer(x.float()).shape == (1, 1)
# endregion

# region proof_numpy_grad
import torch

x = torch.ones(2, requires_grad=True)
a = x.detach().numpy()
a[0] = 5
assert x[0] == 5
try:
    raise AssertionError((x * 2).numpy())
except RuntimeError as error:
    assert "detach().numpy()" in str(error)
with torch.no_grad():
    y = x * 2
    assert y.numpy().tolist() == [10, 2]
    assert x.requires_grad and x.numpy().tolist() == [5, 1]
# endregion

# region proof_numpy_strides
import numpy as np
import torch

a = np.arange(6).reshape(2, 3)
assert torch.from_numpy(a.T).stride() == (1, 3)
assert torch.from_numpy(a[:, ::2]).tolist() == [[0, 2], [3, 5]]
for make in (torch.from_numpy, torch.as_tensor, torch.tensor):
    try:
        raise AssertionError(make(a[:, ::-1]))
    except ValueError as error:
        assert "negative" in str(error)
# endregion

# region proof_save
import io
import torch

def saved(value):
    file = io.BytesIO()
    torch.save(value, file)
    file.seek(0)
    return file

x = torch.zeros(1000)
file = saved([x, x[:2], x.clone()])
a, b, c = torch.load(file, weights_only=True)
a[0] = 1
assert b[0] == 1 and c[0] == 0
b = torch.load(saved(x[:2]), weights_only=True)
assert b.untyped_storage().nbytes() == 4000
p, q = torch.load(saved(x)), torch.load(saved(x))
p += 1
assert not q.any()
# endregion

# region proof_load
import io
import pickle
import torch

model = torch.nn.Linear(1, 1)
file = io.BytesIO()
torch.save(model, file)
file.seek(0)
try:
    raise AssertionError(torch.load(file, weights_only=True))
except pickle.UnpicklingError:
    file.seek(0)
again = torch.load(file, weights_only=False)
assert again.weight.equal(model.weight)
file = io.BytesIO()
torch.save({"lr": 0.1, "steps": [1, 2], "w": torch.ones(1)}, file)
file.seek(0)
assert torch.load(file, weights_only=True)["steps"] == [1, 2]
file.seek(0)
x = torch.load(file, map_location="meta", weights_only=True)
assert x["w"].is_meta
# endregion

# region proof_pickle_calls
import io
import pickle
import torch

class Call:
    def __reduce__(self):
        return (sorted, ([2, 1],))

file = io.BytesIO()
torch.save(Call(), file)
file.seek(0)
try:
    raise AssertionError(torch.load(file, weights_only=True))
except pickle.UnpicklingError:
    file.seek(0)
assert torch.load(file, weights_only=False) == [1, 2]
# endregion
