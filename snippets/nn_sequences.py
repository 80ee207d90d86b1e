"""Sequences: embeddings, dropout and recurrent layers."""

# region embedding_range
import torch
from torch import nn

table = nn.Embedding(10, 3)
for i in (9, 10, -1):
    try:
        print(table(torch.tensor(i)).shape)
    except IndexError:
        print("out of range")
# Output:
# torch.Size([3])
# out of range
# out of range
# endregion

# region padding_idx
import torch
from torch import nn

table = nn.Embedding(3, 2, padding_idx=0)
table(torch.tensor([0, 0, 1])).sum().backward()
print(table.weight.grad)
# Output:
# tensor([[0., 0.],
#         [1., 1.],
#         [0., 0.]])
# endregion

# region proof_pretrained_frozen
import inspect
import torch
from torch import nn

vectors = torch.ones(3, 2)
fixed = nn.Embedding.from_pretrained(vectors)
assert not fixed.weight.requires_grad
free = nn.Embedding.from_pretrained(vectors.clone(), freeze=False)
free(torch.tensor([1])).sum().backward()
assert free.weight.grad[1].tolist() == [1, 1]
parameters = inspect.signature(nn.Embedding.from_pretrained).parameters
assert parameters["freeze"].default is True
# endregion

# region dropout_scales
import torch
from torch import nn

torch.manual_seed(0)
y = nn.Dropout(p=0.75)(torch.ones(1000))
print(sorted(set(y.tolist())))
# Output:
# [0.0, 4.0]
# endregion

# region dropout2d
import torch
from torch import nn

y = nn.Dropout2d(p=0.5)(torch.ones(1, 1000, 2, 2))
sums = y.sum(dim=(2, 3)).flatten()
print(sorted(set(sums.tolist())))
# Output:
# [0.0, 8.0]
# endregion

# region batch_first_default
import torch
from torch import nn

lstm = nn.LSTM(4, hidden_size=6, batch_first=True)
out, (h, c) = lstm(torch.ones(3, 5, 4))
print(out.shape, h.shape)
# Output:
# torch.Size([3, 5, 6]) torch.Size([1, 3, 6])
# endregion

# region time_first
import torch
from torch import nn

batch, time = 3, 5
out, h = nn.GRU(4, 6)(torch.ones(batch, time, 4))
print(h.shape)
# Output:
# torch.Size([1, 5, 6])
# endregion

# region bidirectional_shapes
import torch
from torch import nn

gru = nn.GRU(4, 6, num_layers=2, bidirectional=True)
out, h = gru(torch.ones(5, 3, 4))
print(out.shape)
# Output:
# torch.Size([5, 3, 12])
# endregion

# region bidirectional_state
import torch
from torch import nn

gru = nn.GRU(4, 6, num_layers=2, bidirectional=True)
out, h = gru(torch.ones(5, 3, 4))
print(h.shape)
# Output:
# torch.Size([4, 3, 6])
# endregion

# region gru_unpacked
import torch
from torch import nn

gru = nn.GRU(4, 6, num_layers=2)
out, (h, c) = gru(torch.ones(5, 3, 4))
print(h.shape, c.shape)
# Output:
# torch.Size([3, 6]) torch.Size([3, 6])
# endregion

# region backward_ends_first
import torch
from torch import nn

gru = nn.GRU(2, 3, bidirectional=True)
out, h = gru(torch.rand(4, 1, 2))
print([i for i in range(4) if torch.allclose(out[i, :, 3:], h[1])])
# Output:
# [0]
# endregion

# region proof_rnn_dropout
import warnings
import torch
from torch import nn

x = torch.ones(50, 1, 4)
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    one = nn.RNN(4, 6, dropout=0.5)
two = nn.RNN(4, 6, num_layers=2, dropout=0.5)
assert one.num_layers == 1 and torch.equal(one(x)[0], one(x)[0])
assert not torch.equal(two(x)[0], two(x)[0])
# endregion

# region pack_order
import torch
from torch.nn.utils.rnn import pack_padded_sequence

x = torch.ones(5, 2, 4)
for sort in (True, False):
    try:
        batch = pack_padded_sequence(x, [3, 5], enforce_sorted=sort)
        print(batch.batch_sizes)
    except RuntimeError:
        print("refused")
# Output:
# refused
# tensor([2, 2, 2, 1, 1])
# endregion

# region carried_state
import torch
from torch import nn

rnn, h = nn.RNN(2, 2), None
for step in range(3):
    out, h = rnn(torch.ones(3, 1, 2), h)
    try:
        out.sum().backward()
    except RuntimeError:
        print("error in step", step)
        break
# Output:
# error in step 1
# endregion

# region proof_last_state
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence

gru = nn.GRU(2, 3)
x = torch.rand(4, 2, 2)
out, h = gru(x)
assert torch.allclose(out[-1], h[0])
_, end = gru(pack_padded_sequence(x, [4, 2]))
assert torch.allclose(end[0, 1], out[1, 1])
assert not torch.allclose(end[0, 1], out[3, 1])
# endregion

# region proof_detach
import torch
from torch import nn

rnn, h = nn.RNN(2, 2), None
for step in range(3):
    out, h = rnn(torch.ones(3, 1, 2), h)
    out.sum().backward()
    h = h.detach()
# endregion

# region proof_gates
from torch import nn

kinds = {nn.RNN: 1, nn.GRU: 3, nn.LSTM: 4}
for kind, gates in kinds.items():
    rnn = kind(4, 6)
    assert rnn.weight_ih_l0.shape == (gates * 6, 4)
    names = [name for name, _ in rnn.named_parameters()]
    assert names[2:] == ["bias_ih_l0", "bias_hh_l0"]
# endregion

# region proof_padding_idx
import torch
from torch import nn

table = nn.Embedding(3, 2, padding_idx=0)
assert table.weight[0].tolist() == [0, 0]
given = torch.ones(3, 2)
table = nn.Embedding.from_pretrained(given, padding_idx=0)
assert table.weight[0].tolist() == [1, 1]
assert table.weight.data_ptr() == given.data_ptr()
free = nn.Embedding.from_pretrained(given, freeze=False)
assert free.weight.requires_grad
# endregion

# region proof_dropout
import torch
from torch import nn

x = torch.ones(4, 1000)
drop = nn.Dropout(0.5)
assert drop.p == nn.Dropout().p
assert drop.eval()(x) is x or torch.equal(drop(x), x)
y = nn.Dropout(0.5)(x)
assert 1600 < (y == 0).sum() < 2400 and 0.8 < y.mean() < 1.2
assert torch.equal(nn.Dropout(0.5).eval()(x), x)
# endregion

# region proof_cell
import torch
from torch import nn

h, c = nn.LSTMCell(input_size=4, hidden_size=6)(torch.ones(3, 4))
assert h.shape == c.shape == (3, 6)
try:
    nn.Embedding(10, 3)(torch.tensor([1.0]))
    raise AssertionError
except RuntimeError:
    pass
# endregion

# region proof_two_layers_dropout
import torch
from torch import nn

rnn = nn.RNN(4, 6, num_layers=2, dropout=1.0)
out, h = rnn(torch.ones(3, 1, 4))
other, _ = rnn(torch.zeros(3, 1, 4))
assert torch.equal(out, other)
assert (out != 0).all()
# endregion

# region proof_bag_and_pad
import torch
from torch import nn
from torch.nn.utils import rnn

assert nn.EmbeddingBag(2, 2).mode == "mean"
bag = nn.EmbeddingBag.from_pretrained(torch.eye(3), mode="sum")
assert bag(torch.tensor([[0, 0, 2]])).tolist() == [[2, 0, 1]]
packed = rnn.pack_sequence([torch.tensor([1, 2]), torch.tensor([3])])
padded, lengths = rnn.pad_packed_sequence(packed, total_length=4)
assert padded.shape == (4, 2) and lengths.tolist() == [2, 1]
back = rnn.unpad_sequence(padded, lengths)
assert [len(x) for x in back] == [2, 1]
# endregion

# region proof_tables
import torch
from torch import nn

tied = nn.Embedding(2, 2, padding_idx=0)
assert not tied.weight[0].any()
(tied(torch.tensor([0])) @ tied.weight.T + tied.weight.sum()).sum().backward()
assert tied.weight.grad[0].any()  # from the other use, not from the lookup

given = torch.tensor([[3.0, 4.0], [1.0, 1.0]])
table = nn.Embedding.from_pretrained(given.clone(), padding_idx=0, freeze=False)
decay = torch.optim.SGD(table.parameters(), lr=0.1, weight_decay=0.5)
for step in range(2):
    decay.zero_grad()
    table(torch.tensor([0, 0, 1])).sum().backward()
    assert table.weight.grad[0].eq(0).all()
    decay.step()
assert not torch.equal(table.weight[0], given[0])  # decay, not a lookup
frozen = nn.Embedding.from_pretrained(given, max_norm=1.0)
assert not frozen.weight.requires_grad
frozen(torch.tensor([0]))
assert frozen.weight[0].norm() < 1.001
bag = nn.EmbeddingBag.from_pretrained(torch.eye(2))
assert bag(torch.tensor([[0, 1], [0, 0]])).tolist() == [[0.5, 0.5], [1, 0]]
# endregion

# region proof_recurrent_shapes
import warnings
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

gru = nn.GRU(4, 6, num_layers=2, bidirectional=True, batch_first=True)
x = torch.rand(3, 5, 4)
out, h = gru(x)
assert out.shape == (3, 5, 12) and h.shape == (4, 3, 6)
assert torch.allclose(out[:, -1, :6], h[2], atol=1e-6)
assert torch.allclose(out[:, 0, 6:], h[3], atol=1e-6)
one = nn.GRU(4, 6, bidirectional=True)
y = torch.rand(5, 1, 4)
assert torch.allclose(one(y)[0][-1, :, 6:], one(y[-1:])[0][0, :, 6:], atol=1e-6)
packed = pack_padded_sequence(y.repeat(1, 2, 1), [2, 5], enforce_sorted=False)
padded, lengths = pad_packed_sequence(packed)
assert padded.shape == (5, 2, 4) and lengths.tolist() == [2, 5]
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    nn.RNN(4, 6, num_layers=2, dropout=0.5)
    assert not seen
    nn.RNN(4, 6, dropout=0.5)
    assert len(seen) == 1
# endregion
