"""Tensors explained: proofs of what the cards say about error messages and choices."""

# region proof_errors
import numpy as np
import torch


def says(message, call, *args):
    """Checks that the call raises an error with this message."""
    try:
        call(*args)
    except Exception as error:
        assert message in str(error), error
        return type(error)
    raise SystemExit("no error")


for batch in (3, 2):
    assert len(list(torch.zeros(batch, 1).squeeze())) == batch
kind = says("iteration over a 0-d tensor", list, torch.zeros(1, 1).squeeze())
assert kind is TypeError
assert len(list(torch.zeros(1, 1).squeeze(1))) == 1

message = "The size of tensor a (4) must match the size of tensor b (3) at non-singleton dimension 1"
says(message, torch.add, torch.zeros(5, 4), torch.zeros(5, 3))
assert (torch.zeros(5, 4) + torch.zeros(5, 1)).shape == (5, 4)

a, b = torch.zeros(2, 3), torch.zeros(3, 3)
says("Sizes of tensors must match except in dimension 1.", torch.cat, [a, b], 1)
assert torch.cat([a, b], dim=0).shape == (5, 3)

predicted, labels = torch.tensor([1, 2, 3]), torch.tensor([1, 2, 4])
message = "Boolean value of Tensor with more than one value is ambiguous"
says(message, bool, predicted == labels)
assert (predicted == labels).tolist() == [True, True, False]
assert torch.equal(predicted, labels) is False and torch.equal(labels, labels)

message = "\"softmax_lastdim_kernel_impl\" not implemented for 'Long'"
says(message, torch.tensor([1, 2]).softmax, 0)
assert torch.tensor([1, 2]).dtype is torch.int64
assert torch.tensor([1, 2]).float().softmax(0).sum().item() == 1

x, mask = torch.arange(3), torch.tensor([0.0, 1.0, 1.0])
message = "tensors used as indices must be long, int, byte or bool tensors"
assert says(message, x.__getitem__, mask) is IndexError
assert x[mask.bool()].tolist() == [1, 2]

array = np.array([[1.5, "a"], [2.5, "b"]], dtype=object)
message = "can't convert np.ndarray of type numpy.object_."
assert says(message, torch.from_numpy, array) is TypeError
numbers = array[:, :1].astype(np.float32)
assert torch.from_numpy(numbers).tolist() == [[1.5], [2.5]]

message = "Dimension out of range (expected to be in range of [-2, 1], but got 2)"
assert says(message, torch.zeros(2, 3).sum, 2) is IndexError
assert torch.zeros(2, 3).sum(-2).shape == (3,)

elsewhere = torch.zeros(2, device="meta")
message = "device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first."
says(message, elsewhere.numpy)
print("errors as told")
# endregion

# region proof_choices
import torch

x = torch.tensor([[1, 2, 3], [4, 5, 6]])
assert x.gather(1, torch.tensor([[2], [0]])).tolist() == [[3], [4]]
assert x.index_select(1, torch.tensor([2, 0])).tolist() == [[3, 1], [6, 4]]

assert [len(part) for part in torch.arange(10).chunk(3)] == [4, 4, 2]
assert [len(part) for part in torch.arange(10).split(3)] == [3, 3, 3, 1]
assert len(torch.arange(4).chunk(3)) == 2  # 3 is the most

a, b = torch.tensor([[1, 2], [3, 4]]), torch.tensor([[5, 6], [7, 8]])
assert (a * b).tolist() == [[5, 12], [21, 32]]
assert (a @ b).tolist() == [[19, 22], [43, 50]]

turned = torch.zeros(2, 3).t()
turned.reshape(6)[0] = 1
assert turned.sum() == 0  # the 1 went into a copy
try:
    turned.view(6)
    raise SystemExit("a view")
except RuntimeError:
    pass
flat = torch.zeros(2, 3)
flat.view(6)[0] = 1
assert flat.sum() == 1

w = torch.ones(2, requires_grad=True)
try:
    w.numpy()
    raise SystemExit("no error")
except RuntimeError as error:
    assert "Can't call numpy() on Tensor that requires grad." in str(error)
assert w.numpy(force=True).tolist() == [1, 1]
assert "t.detach().cpu().resolve_conj().resolve_neg().numpy()" in torch.Tensor.numpy.__doc__

import warnings

batch = torch.zeros(8, 2, 3)
assert batch.mT.shape == (8, 3, 2)
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    assert batch.T.shape == (3, 2, 8)
if told:  # torch warns once
    assert "on tensors of dimension other than 2" in str(told[0].message)
    assert "deprecated" in str(told[0].message)
print("choices as told")
# endregion
