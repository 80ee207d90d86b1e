"""Graph breaks: what ends a graph, what does not, and what to do instead."""

# region print_between
import torch

graphs = []
def backend(gm, inputs):
    graphs.append(gm)
    return gm.forward
@torch.compile(backend=backend)
def f(x):
    y = x + 1
    print("between")
    return y * 2
print(f(torch.ones(1)), len(graphs))
# Output:
# between
# tensor([4.]) 2
# endregion

# region explain_item
import torch

def f(x):
    total = x.sum().item()
    return x / total

report = torch._dynamo.explain(f)(torch.ones(2))
print(report.graph_count, report.graph_break_count)
# Output:
# 2 1
# endregion

# region capture_item
import torch

def f(x):
    total = x.sum().item()
    return x / total

config = torch._dynamo.config
with config.patch(capture_scalar_outputs=True):
    report = torch._dynamo.explain(f)(torch.ones(2))
print(report.graph_count, report.graph_break_count)
# Output:
# 1 0
# endregion

# region two_paths
import torch
graphs = []
def backend(gm, inputs):
    graphs.append(gm)
    return gm.forward
@torch.compile(backend=backend)
def f(x):
    return x + 1 if x.sum() > 0 else x - 1
f(torch.ones(2))
first = len(graphs)
f(-torch.ones(2))
print(first, len(graphs))
# Output:
# 2 3
# endregion

# region fullgraph
import torch

def by_shape(x): return x + 1 if len(x) > 1 else x - 1
def by_value(x): return x + 1 if x.sum() > 1 else x - 1

for f in (by_shape, by_value):
    f = torch.compile(f, backend="eager", fullgraph=True)
    try:
        print(f(torch.ones(2)))
    except torch._dynamo.exc.Unsupported:
        print("refused")
# Output:
# tensor([2., 2.])
# refused
# endregion

# region mask
import torch

def f(x):
    return x[x > 0] + 1

report = torch._dynamo.explain(f)(torch.ones(2))
print(report.graph_count, report.graph_break_count)
# Output:
# 2 1
# endregion

# region in_callee
import torch

def inner(x):
    x = x + 1
    torch._dynamo.graph_break()
    return x * 2
def outer(x):
    return inner(x - 1) - 3

report = torch._dynamo.explain(outer)(torch.ones(2))
print(report.graph_count)
# Output:
# 4
# endregion

# region in_loop
import torch
graphs = []
def backend(gm, inputs):
    graphs.append(gm)
    return gm.forward
@torch.compile(backend=backend)
def f(x):
    for _ in range(3):
        x = x + 1
        torch._dynamo.graph_break()
    return x
print(f(torch.ones(1)), len(graphs))
# Output:
# tensor([4.]) 0
# endregion

# region numpy_inside
import numpy as np
import torch

graphs = []
def backend(gm, inputs):
    graphs.append(gm)
    return gm.forward

f = torch.compile(lambda a: np.exp(a) + 1, backend=backend)
print(type(f(np.zeros(2))).__name__, len(graphs))
# Output:
# ndarray 1
# endregion

# region where
import torch

@torch.compile(backend="eager", fullgraph=True)
def f(x):
    return torch.where(x.sum() > 0, x + 1, x - 1)

print(f(torch.ones(2)), f(-torch.ones(2)))
# Output:
# tensor([2., 2.]) tensor([-2., -2.])
# endregion

# region cond
import torch

def up(x): return x + 1
def down(x): return x - 1

@torch.compile(backend="eager", fullgraph=True)
def f(x):
    return torch.cond(x.sum() > 0, up, down, (x,))

print(f(torch.ones(2)), f(-torch.ones(2)))
# Output:
# tensor([2., 2.]) tensor([-2., -2.])
# endregion

# region allow_in_graph
import torch

def twice(x):
    return x + x
torch.compiler.allow_in_graph(twice)

def backend(gm, inputs):
    print([n.name for n in gm.graph.nodes][1:-1])
    return gm.forward
f = torch.compile(lambda x: twice(x) * 2, backend=backend)
f(torch.ones(1))
# Output:
# ['twice', 'mul']
# endregion

# region assertion
import torch

def f(x):
    assert x.sum() > 0
    return x + 1
fast = torch.compile(f, backend="eager", fullgraph=True)

for function in (f, fast):
    try:
        function(-torch.ones(2))
    except Exception as error:
        print(type(error).__name__)
# Output:
# AssertionError
# RuntimeError
# endregion

# region proof_resume
import torch

log, flags = [], []
def backend(gm, inputs):
    log.append("compile")
    def run(*args):
        log.append("run")
        return gm.forward(*args)
    return run
def outside():
    flags.append(torch.compiler.is_compiling())
    log.append("python")
outside = torch.compiler.disable(outside)
@torch.compile(backend=backend)
def f(x):
    y = x + 1
    outside()
    z = y * 2
    return z
f(torch.ones(1))
assert log == ["compile", "run", "python", "compile", "run"], log
assert flags == [False]
# endregion

# region proof_fullgraph_print
import torch

def talk(x):
    y = x + 1
    torch._dynamo.graph_break()
    return y * 2
def quiet(x):
    return (x + 1) * 2
def listing(x):
    return x + x.tolist()[0]
def equal(x):
    return x + 1 if torch.equal(x, x) else x
def dims(x):
    return x + 1 if x.ndim == 1 else x
def total(x):
    return x + 1 if x.sum() > 0 else x
verdicts = []
for f in (talk, quiet, listing, equal, dims, total):
    torch._dynamo.reset()
    try:
        torch.compile(f, backend="eager", fullgraph=True)(torch.ones(2))
        verdicts.append(True)
    except torch._dynamo.exc.Unsupported:
        verdicts.append(False)
assert verdicts == [False, True, False, False, True, False], verdicts
# endregion

# region proof_print_and_mask
import torch

def talks(x):
    y = x + 1
    print(end="")
    return y * 2
def selects(x):
    return x[x > 0] + 1
config = torch._dynamo.config
assert torch._dynamo.explain(talks)(torch.ones(2)).graph_count == 2
assert torch._dynamo.explain(selects)(torch.ones(2)).graph_count == 2
with config.patch(capture_dynamic_output_shape_ops=True):
    assert torch._dynamo.explain(selects)(torch.ones(2)).graph_count == 1
# endregion

# region proof_loops
import torch

graphs = []
def backend(gm, inputs):
    graphs.append(gm)
    return gm.forward
@torch.compile(backend=backend)
def before_the_loop(x):
    x = x * 2
    for _ in range(3):
        x = x + 1
        torch._dynamo.graph_break()
    return x
assert before_the_loop(torch.ones(1)) == 5 and graphs == []
@torch.compile(backend=backend)
def no_break(x):
    for _ in range(3):
        x = x + 1
    return x
assert no_break(torch.ones(1)) == 4 and len(graphs) == 1
# endregion

# region proof_where_computes_both
import torch

ops = []
def backend(gm, inputs):
    ops.extend(n.name for n in gm.graph.nodes)
    return gm.forward
f = torch.compile(lambda x: torch.where(x.sum() > 0, x.sin(), x.cos()), backend=backend)
f(torch.ones(1))
assert "sin" in ops and "cos" in ops
x = torch.tensor([4.0, -1.0])
assert torch.where(x > 0, x.sqrt(), x).tolist() == [2.0, -1.0]
ran = []
def a(x):
    ran.append("a")
    return x.clone()
def b(x):
    ran.append("b")
    return x.clone()
torch.where(torch.tensor(True), a(x), b(x))
assert ran == ["a", "b"]
# endregion

# region proof_break_in_middle
import torch

def f(x):
    y = x + 1
    torch._dynamo.graph_break()
    return y * 2
report = torch._dynamo.explain(f)(torch.ones(2))
assert (report.graph_count, report.graph_break_count) == (2, 1)
assert len(report.break_reasons) >= 1
def g(x):
    y = x + 1
    return y * 2
report = torch._dynamo.explain(g)(torch.ones(2))
assert (report.graph_count, report.graph_break_count) == (1, 0)
def callee_in_loop(x):
    return h(x)
def h(x):
    for _ in range(2):
        torch._dynamo.graph_break()
        x = x + 1
    return x
graphs = []
def backend(gm, inputs):
    graphs.append(gm)
    return gm.forward
def part(x):
    return x * 3
@torch.compile(backend=backend)
def loops(x):
    for _ in range(2):
        x = part(x)
        torch._dynamo.graph_break()
    return x
loops(torch.ones(1))
assert len(graphs) == 1
# endregion

# region proof_cond_runs_one
import torch

ran = []
def a(x):
    ran.append("a")
    return x + 1
def b(x):
    ran.append("b")
    return x - 1
def up(x):
    return x.sin()
def down(x):
    return x.cos()
seen = []
class Watch(torch.utils._python_dispatch.TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        seen.append(str(func))
        return func(*args, **(kwargs or {}))
graphs = []
def backend(gm, inputs):
    graphs.append(gm)
    return gm.forward
@torch.compile(backend=backend, fullgraph=True)
def f(x):
    return torch.cond(x.sum() > 0, up, down, (x,))
f(torch.ones(1))
code = "".join(part.code for part in graphs[0].modules() if isinstance(part, torch.fx.GraphModule))
assert "sin" in code and "cos" in code
from torch.profiler import profile
with profile() as record:
    f(torch.ones(1))
names = {event.name for event in record.events()}
assert "aten::sin" in names and "aten::cos" not in names, names
with profile() as record:
    torch.where(torch.tensor(True), torch.ones(1).sin(), torch.ones(1).cos())
names = {event.name for event in record.events()}
assert "aten::sin" in names and "aten::cos" in names
# endregion

# region proof_numpy_fullgraph
import numpy as np
import torch

seen = []
def backend(gm, inputs):
    seen.append([type(i) for i in inputs])
    return gm.forward
f = torch.compile(lambda a: np.exp(a) + 1, backend=backend, fullgraph=True)
assert f(np.zeros(2)).tolist() == [2.0, 2.0]
assert all(issubclass(kind, torch.Tensor) for kind in seen[0])
targets = []
def note(gm, inputs):
    targets.extend(str(n.target) for n in gm.graph.nodes)
    return gm.forward
@torch.compile(backend=note, fullgraph=True)
def g(x):
    assert x.sum() > 0
    return x + 1
assert g(torch.ones(1)) == 2
assert any("assert" in target for target in targets), targets
# endregion
