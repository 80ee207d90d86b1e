"""torch.profiler on the CPU: events, schedules, memory."""

# region proof_events_are_counted
import torch
from torch.profiler import ProfilerActivity, profile

x = torch.ones(1000)
with profile(activities=[ProfilerActivity.CPU]) as prof:
    x.sin()
    x.sin()
    x.cos()
assert {row.key: row.count for row in prof.key_averages()} == {"aten::sin": 2, "aten::cos": 1}
# endregion

# region parents
import torch
import torch.profiler as tp
x = torch.ones(2, 3)
with tp.profile(activities=[tp.ProfilerActivity.CPU]) as prof:
    with tp.record_function("net"):
        with tp.record_function("head"):
            x.add(x)
        x.mul(x)
for event in prof.events():
    parent = event.cpu_parent
    print(event.name, "<-", parent and parent.name)
# Output:
# net <- None
# head <- net
# aten::add <- head
# aten::mul <- net
# endregion

# region by_shape
import torch
from torch.profiler import ProfilerActivity, profile

a, b = torch.ones(2, 3), torch.ones(3, 4)
cpu = [ProfilerActivity.CPU]
with profile(activities=cpu, record_shapes=True) as prof:
    for pair in ((a, b), (a, b), (b, torch.ones(4, 2))):
        torch.mm(*pair)
for row in prof.key_averages(group_by_input_shape=True):
    if row.key == "aten::mm":
        print(row.count, row.input_shapes)
# Output:
# 2 [[2, 3], [3, 4]]
# 1 [[3, 4], [4, 2]]
# endregion

# region schedule_actions
from torch.profiler import schedule

action = schedule(wait=1, warmup=1, active=2)
for step in range(6):
    print(action(step).name)
# Output:
# NONE
# WARMUP
# RECORD
# RECORD_AND_SAVE
# NONE
# WARMUP
# endregion

# region traces_ready
import torch
from torch.profiler import ProfilerActivity, profile, schedule

with profile(
    activities=[ProfilerActivity.CPU],
    schedule=schedule(wait=2, warmup=1, active=1, repeat=1),
    on_trace_ready=lambda prof: print("trace at", prof.step_num),
) as prof:
    for _ in range(20):
        torch.ones(3).sin()
        prof.step()
# Output:
# trace at 4
# endregion

# region memory_of_events
import torch
from torch.profiler import ProfilerActivity, profile

cpu = [ProfilerActivity.CPU]
with profile(activities=cpu, profile_memory=True) as prof:
    torch.ones(1000)
for event in prof.events()[:2]:
    print(event.name)
    print(event.self_cpu_memory_usage, event.cpu_memory_usage)
# Output:
# aten::ones
# 0 4000
# aten::empty
# 4000 4000
# endregion

# region proof_self_time
import torch
from torch.profiler import ProfilerActivity, profile

with profile(activities=[ProfilerActivity.CPU]) as prof:
    torch.ones(300, 300).softmax(1)
rows = {row.key: row for row in prof.key_averages()}
outer, inner = rows["aten::softmax"], rows["aten::_softmax"]
assert inner.self_cpu_time_total == inner.cpu_time_total  # no children
total = outer.self_cpu_time_total + inner.cpu_time_total
assert abs(outer.cpu_time_total - total) < 1e-3
table = prof.key_averages().table(sort_by="self_cpu_time_total")
assert "Self CPU" in table and "CPU total" in table
# endregion

# region proof_step
import torch
from torch.profiler import ProfilerActivity, profile, schedule

def traces(call_step):
    made = []
    with profile(
        activities=[ProfilerActivity.CPU],
        schedule=schedule(wait=1, warmup=1, active=1),
        on_trace_ready=made.append,
    ) as prof:
        for _ in range(4):
            torch.ones(2).sin()
            if call_step:
                prof.step()
    return len(made)

assert traces(True) == 1 and traces(False) == 0
# endregion

# region proof_export
import json
import os
import tempfile
import torch
from torch.profiler import ProfilerActivity, profile, record_function

with profile(activities=[ProfilerActivity.CPU]) as prof:
    with record_function("mine"):
        torch.ones(2).sin()
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "trace.json")
    prof.export_chrome_trace(path)
    with open(path) as file:
        trace = json.load(file)
names = {event.get("name") for event in trace["traceEvents"]}
assert {"mine", "aten::sin"} <= names
sine = next(e for e in trace["traceEvents"] if e.get("name") == "aten::sin")
assert {"ts", "dur"} <= set(sine)
# endregion

# region proof_warm_up
import warnings
from torch.profiler import schedule

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    schedule(wait=1, warmup=0, active=1)
assert any("can skew profiler results" in str(w.message) for w in caught)
print("profiler as told")
# endregion
