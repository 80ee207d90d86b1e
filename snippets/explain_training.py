"""Training explained: proofs of what the cards say about error messages and choices."""

# region proof_errors
import io
import subprocess
import sys
import tempfile
import torch
import torch.nn.functional as F
from torch import nn


def says(message, call, *args, **kwargs):
    """Checks that the call raises an error with this message."""
    try:
        call(*args, **kwargs)
    except Exception as error:
        assert message in str(error), error
        return type(error)
    raise SystemExit("no error")


maps = torch.zeros(4, 16, 10, 10)  # 1600 features for each image
logits, targets = nn.Linear(400, 3)(maps.view(-1, 400)), torch.zeros(4, dtype=torch.int64)
message = "Expected input batch_size (16) to match target batch_size (4)."
says(message, F.cross_entropy, logits, targets)
assert maps.flatten(1).shape == (4, 1600)
F.cross_entropy(nn.Linear(1600, 3)(maps.flatten(1)), targets)


class Net(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.body = nn.Linear(2, 8)
        self.fc = nn.Linear(8, classes)


state, model = Net(1000).state_dict(), Net(10)
message = (
    "size mismatch for fc.weight: copying a param with shape torch.Size([1000, 8]) from checkpoint, "
    "the shape in current model is torch.Size([10, 8])."
)
says(message, model.load_state_dict, state, strict=False)
del state["fc.weight"], state["fc.bias"]
loaded = model.load_state_dict(state, strict=False)
assert loaded.missing_keys == ["fc.weight", "fc.bias"]
assert model.body.weight.equal(state["body.weight"])

model, x = nn.Linear(1, 1), torch.ones(1)
model.to("meta")
x.to("meta")
assert model.weight.is_meta and not x.is_meta  # as with a GPU
assert x.to("meta").is_meta

# on the CPU a label out of range has a message of its own
says("Target 3 is out of bounds.", F.cross_entropy, torch.zeros(2, 3), torch.tensor([0, 3]))

file = io.BytesIO()
here = torch.serialization.location_tag
torch.serialization.location_tag = lambda storage: "cuda:0"  # as if it lay on a GPU
torch.save({"w": torch.ones(1)}, file)
torch.serialization.location_tag = here
if not torch.cuda.is_available():
    message = "Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False."
    file.seek(0)
    says(message, torch.load, file, weights_only=True)
file.seek(0)
assert torch.load(file, map_location="cpu", weights_only=True)["w"].device.type == "cpu"

file = io.BytesIO()
torch.save(torch.zeros(100), file)
half = io.BytesIO(file.getvalue()[:-400])
message = "PytorchStreamReader failed reading zip archive: failed finding central directory"
says(message, torch.load, half, weights_only=True)

file = io.BytesIO()
torch.save(nn.Linear(1, 1), file)
file.seek(0)
says("Weights only load failed.", torch.load, file, weights_only=True)
file.seek(0)
assert isinstance(torch.load(file, weights_only=False), nn.Linear)

SAVES = "import torch\nclass Net(torch.nn.Module): pass\ntorch.save(Net(), '{}')"
LOADS = "import torch\n{}torch.load('{}', weights_only=False)"
with tempfile.TemporaryDirectory() as folder:
    path = f"{folder}/model.pt"
    subprocess.run([sys.executable, "-c", SAVES.format(path)], check=True)
    for text in ("", "class Net(torch.nn.Module): pass\n"):
        command = [sys.executable, "-c", LOADS.format(text, path)]
        ran = subprocess.run(command, capture_output=True, text=True)
        assert ("Can't get attribute 'Net' on <module '__main__'" in ran.stderr) is not text.startswith("class")
        assert (ran.returncode == 0) is text.startswith("class")

model = nn.ModuleList([nn.Linear(1, 1), nn.Linear(1, 1)])
model[0](torch.ones(1)).backward()
gradients = [p.grad for p in model.parameters()]
assert gradients[0] is not None and gradients[2] is None
says("'NoneType' object has no attribute 'norm'", lambda: gradients[2].norm())

p = torch.tensor([1.0, 0.0])
assert p.log().tolist() == [0, float("-inf")]
assert torch.isnan(-(p * p.log()).sum())
assert torch.special.entr(p).sum() == 0
p = torch.tensor([0.25, 0.75])
assert torch.allclose(-(p * p.log()).sum(), torch.special.entr(p).sum())

for lr, end in ((2.0, "nan"), (0.1, "small")):
    w = torch.ones(1, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=lr)
    told = []
    for _ in range(300):
        optimizer.zero_grad()
        loss = w.square().sum()
        loss.backward()
        optimizer.step()
        told.append(loss.item())
    if end == "nan":
        assert told[:3] == sorted(told[:3]) and told[0] < told[1]
        assert float("inf") in told
        assert told[-1] != told[-1]  # nan
    else:
        assert told[-1] < 1e-6
print("errors as told")
# endregion

# region proof_choices
import torch
from torch import nn

text = torch.use_deterministic_algorithms.__doc__
assert "Sets whether PyTorch operations must use" in text and "deterministic" in text
assert "if only nondeterministic algorithms are available they will throw" in text

x = torch.ones(1)
device = "cuda" if torch.cuda.is_available() else "cpu"
assert x.to(device).device.type == device
if device == "cpu":
    try:
        x.cuda()
        raise SystemExit("no error")
    except (AssertionError, RuntimeError):
        pass

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 64), nn.ReLU(), nn.Linear(64, 3))
x, y = torch.randn(8, 4), torch.randint(3, (8,))  # labels by chance
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
told = []
for _ in range(200):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    told.append(loss.item())
assert told[0] > 0.9 and told[-1] < 0.02
print("choices as told")
# endregion
