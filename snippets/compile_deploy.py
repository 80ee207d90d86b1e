"""Deployment: exported programs, AOTInductor and ONNX."""

# region flexible_dimension
import torch
from torch.export import Dim, export

class Net(torch.nn.Module):
    def forward(self, x): return x + torch.ones(2)
for net in (torch.nn.ReLU(), Net()):
    shapes = ({0: Dim.AUTO},)
    ep = export(net, (torch.ones(2),), dynamic_shapes=shapes)
    try:
        print(ep.module()(torch.ones(3)))
    except (AssertionError, RuntimeError):
        print("refused")
# Output:
# tensor([1., 1., 1.])
# refused
# endregion

# region example_of_one
import torch
from torch.export import Dim, export

shapes = ({0: Dim("batch")},)
for rows in (2, 1):
    x = torch.ones(rows, 3)
    try:
        ep = export(torch.nn.ReLU(), (x,), dynamic_shapes=shapes)
        print(ep.module()(torch.ones(5, 3)).shape)
    except torch._dynamo.exc.UserError:
        print("refused")
# Output:
# torch.Size([5, 3])
# refused
# endregion

# region buffer_updated
import torch
from torch import nn

norm = nn.BatchNorm1d(2)
program = torch.export.export(norm, (torch.ones(3, 2),))
run = program.module()
run(torch.ones(3, 2))
run(torch.ones(3, 2))
print(run.num_batches_tracked)
# Output:
# tensor(2)
# endregion

# region proof_export
import torch
from torch.export import Dim, export

calls = []
class Net(torch.nn.Module):
    def forward(self, x):
        calls.append("python")
        return x + 1
for strict in (False,):
    f = export(Net(), (torch.ones(2),), strict=strict).module()
    during = len(calls)
    assert during >= 1
    assert f(torch.ones(2)).tolist() == [2.0, 2.0] and len(calls) == during
if hasattr(Dim, "AUTO"):
    class Fixed(torch.nn.Module):
        def forward(self, x):
            return x + torch.ones(2)
    run = export(torch.nn.ReLU(), (torch.ones(2),), dynamic_shapes=({0: Dim.AUTO},)).module()
    assert run(torch.ones(7)).shape == (7,)
    run = export(Fixed(), (torch.ones(2),), dynamic_shapes=({0: Dim.AUTO},)).module()
    try:
        run(torch.ones(7))
        raise SystemExit("it ran")
    except (AssertionError, RuntimeError):
        pass
    try:
        export(Fixed(), (torch.ones(2),), dynamic_shapes=({0: Dim.DYNAMIC},))
        raise SystemExit("exported")
    except torch._dynamo.exc.UserError:
        pass
# decompositions
import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    ep = export(torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.SiLU()), (torch.ones(1, 2),))
    found = []
    for program in (ep, ep.run_decompositions()):
        found.append([n.name for n in program.graph.nodes if n.op == "call_function"])
    assert found == [["linear", "silu"], ["permute", "addmm", "sigmoid", "mul"]], found
# a keyword that the example did not pass is not taken later
class Both(torch.nn.Module):
    def forward(self, x, y=None):
        return x if y is None else x + y
run = export(Both(), (torch.ones(2),)).module()
assert run(torch.ones(2)).sum() == 2
try:
    run(torch.ones(2), torch.ones(2))
    raise SystemExit("it ran")
except (ValueError, TypeError):
    pass
# endregion

# region proof_aoti
import shutil
import tempfile
import warnings
import zipfile
import torch
from torch.export import Dim, export

if hasattr(torch._inductor, "aoti_compile_and_package"):
    try:
        torch._inductor.aoti_compile_and_package(torch.nn.ReLU(), package_path="net.pt2")
        raise SystemExit("packed")
    except (ValueError, TypeError, AssertionError) as error:
        if torch.__version__ >= "2.13":
            assert "Only ExportedProgram is supported" in str(error)
    if shutil.which("g++") and torch.__version__.startswith("2.1"):
        net = torch.nn.Linear(2, 1).eval()
        with torch.no_grad(), tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            x = torch.ones(3, 2)
            ep = export(net, (x,), dynamic_shapes=({0: Dim("batch")},))
            path = torch._inductor.aoti_compile_and_package(ep, package_path=f"{folder}/net.pt2")
            names = zipfile.ZipFile(path).namelist()
            assert any(name.endswith(".so") for name in names), names
            run = torch._inductor.aoti_load_package(path)
            wide = torch.ones(5, 2)
            assert torch.allclose(run(wide), net(wide)) and not isinstance(run, torch.nn.Module)
            before = run(wide)
            net.weight.zero_()
            assert run(wide).equal(before)  # it has its own weights
# endregion

# region proof_onnx
import importlib.util
import inspect
import torch

found = inspect.signature(torch.onnx.export).parameters
assert "dynamo" in found and "dynamic_axes" in found
if torch.__version__.startswith("2.1"):
    assert found["dynamo"].default is True
    assert found["external_data"].default is True and "dynamic_shapes" in found
    told = torch.onnx.export.__doc__
    assert "dynamic_shapes" in told
    # the old exporter has a mode of its own, the new one takes that of the model
    assert found["training"].default is torch.onnx.TrainingMode.EVAL
    assert "Instead, set the training mode of the model before exporting." in told
    graphs = []
    for mode in (True, False):
        net = torch.nn.Dropout(0.5).train(mode)
        (node,) = (n for n in torch.export.export(net, (torch.ones(2),)).graph.nodes if n.op == "call_function")
        graphs.append(node.args[2])
    assert graphs == [True, False]
    from torch.onnx._internal.exporter import _errors
    with open(_errors.__file__.replace("_errors", "_core")) as source:
        assert "Failed to export the model with torch.export." in source.read()
if importlib.util.find_spec("onnxscript") is None:
    try:
        torch.onnx.export(torch.nn.ReLU(), (torch.ones(2),), dynamo=True)
        raise SystemExit("exported")
    except (ImportError, AttributeError, Exception) as error:
        if torch.__version__.startswith("2.1"):
            assert isinstance(error, ModuleNotFoundError) and "onnxscript" in str(error), error
print("deployed as told")
# endregion
