"""Data loading explained: proofs of what the cards say about error messages and choices."""

# region proof_errors
import gc
import os
import torch
from torch.utils.checkpoint import checkpoint
from torch.utils.data import DataLoader, Dataset, default_collate


def says(message, call, *args, **kwargs):
    """Checks that the call raises an error with this message."""
    try:
        call(*args, **kwargs)
    except Exception as error:
        text = str(error)
    else:
        text = "no error"
    gc.collect()  # loaders that have failed
    assert message in text, text
    return text


photos = [torch.zeros(3, 4, 4), torch.zeros(3, 5, 4)]
message = "stack expects each tensor to be equal size, but got [3, 4, 4] at entry 0 and [3, 5, 4] at entry 1"
says(message, list, DataLoader(photos, batch_size=2))

sentences = [[5, 7], [5]]
says("each element in list of batch should be of equal size", default_collate, sentences)
padded = torch.nn.utils.rnn.pad_sequence([torch.tensor(ids) for ids in sentences], batch_first=True)
assert padded.tolist() == [[5, 7], [5, 0]]


class Image:  # stands for PIL.Image.Image
    pass


message = "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found <class"
says(message, default_collate, [Image(), Image()])

message = "num_samples should be a positive integer value, but got num_samples=0"
says(message, DataLoader, [], shuffle=True)


class Broken(Dataset):
    def __init__(self, end):
        self.end = end

    def __len__(self):
        return 1

    def __getitem__(self, index):
        if self.end == "die":
            os._exit(1)
        raise KeyError("label")


loader = DataLoader(Broken("raise"), num_workers=1, multiprocessing_context="fork")
text = says("Caught KeyError in DataLoader worker process 0.", list, loader)
assert "Original Traceback" in text and "in __getitem__" in text
assert says("label", list, DataLoader(Broken("raise"))) == "'label'"
loader = DataLoader(Broken("die"), num_workers=1, multiprocessing_context="fork")
text = says("DataLoader worker (pid", list, loader)
assert "exited unexpectedly" in text or "is killed" in text

runs = []


def block(x):
    runs.append(x)
    return x.sin().sin() if len(runs) == 1 else x.sin()


x = torch.ones(2, requires_grad=True)
result = checkpoint(block, x, use_reentrant=False)
message = "A different number of tensors was saved during the original forward and recomputation."
says(message, result.sum().backward)
print("errors as told")
# endregion

# region proof_cuda_in_a_worker
import inspect
import torch

text = inspect.getsource(torch.cuda._lazy_init)
assert "if _is_in_bad_fork():" in text
assert "Cannot re-initialize CUDA in forked subprocess." in text
print("message as told")
# endregion

# region proof_choices
import torch
from torch import nn
from torch.autograd.graph import save_on_cpu, saved_tensors_hooks
from torch.utils.checkpoint import checkpoint
from torch.utils.data import Subset, TensorDataset, WeightedRandomSampler

torch.manual_seed(0)
labels = torch.tensor([0] * 90 + [1] * 10)
weights = torch.where(labels == 1, 1 / 10, 1 / 90)
drawn = labels[list(WeightedRandomSampler(weights, 1000))]
assert 0.4 < drawn.float().mean() < 0.6  # of 0.1
logits = torch.zeros(100, 2)
each = nn.functional.cross_entropy(logits, labels, torch.tensor([1.0, 9.0]), reduction="none")
assert each[-1] == 9 * each[0]

data = TensorDataset(torch.arange(6).view(3, 2), torch.arange(3))
assert len(data) == 3
try:
    TensorDataset(torch.zeros(3), torch.zeros(2))
    raise SystemExit("no error")
except AssertionError:
    pass

runs, moved = [], []


def block(x):
    runs.append(1)
    return x.sin().cos()


x = torch.ones(4, requires_grad=True)
checkpoint(block, x, use_reentrant=False).sum().backward()
assert len(runs) == 2
runs.clear()
with save_on_cpu():
    y = block(x)
y.sum().backward()
assert len(runs) == 1
text = save_on_cpu.__doc__
assert "intermediary" in text and "will be moved to" in text and "copied back" in text

kept = []
layers = nn.Sequential(*(nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Tanh()) for _ in range(3)))
one = torch.ones(1, 4)  # a batch of one sample


def count(run):
    kept.clear()
    with saved_tensors_hooks(lambda t: kept.append(t) or t, lambda t: t):
        run()
    return len(kept)


def in_parts():
    h = one
    for layer in layers:
        h = checkpoint(layer, h, use_reentrant=False)


plain, parts = count(lambda: layers(one)), count(in_parts)
assert parts < plain, (parts, plain)

person = [0, 0, 1, 1, 2]
train = Subset(range(5), [i for i in range(5) if person[i] != 1])
assert {person[i] for i in train} == {0, 2}
print("choices as told")
# endregion
