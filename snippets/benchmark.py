"""benchmark: Timer, Measurement, Compare; clocks are made by hand, so that every number is certain."""

# region measurement
from torch.utils.benchmark import Measurement, TaskSpec

m = Measurement(
    number_per_run=10,
    raw_times=[5.0, 10.0, 30.0],
    task_spec=TaskSpec("f(x)", "pass"),
)
print(m.times)  # prints [0.5, 1.0, 3.0]
# endregion

# region timeit_clock
from torch.utils.benchmark import Timer

ticks = iter(range(100))
timer = Timer("pass", timer=lambda: next(ticks))
m = timer.timeit(number=4)
print(m.raw_times, m.median)  # prints [1] 0.25
# endregion

# region torch_is_there
from torch.utils.benchmark import Timer

shapes = []
stmt = "shapes.append(torch.ones(2, 3).shape)"
Timer(stmt, globals={"shapes": shapes}).timeit(1)
print(shapes[0])  # prints torch.Size([2, 3])
# endregion

# region one_thread
from torch.utils.benchmark import Timer

seen = set()
stmt = "seen.add(torch.get_num_threads())"
Timer(stmt, globals={"seen": seen}).timeit(1)
Timer(stmt, globals={"seen": seen}, num_threads=2).timeit(1)
print(seen)  # prints {1, 2}
# endregion

# region confidence
from torch.utils.benchmark import Measurement, TaskSpec

spec = TaskSpec("step()", "pass")
calm = Measurement(1, [1.00, 1.01, 1.02, 1.03], spec)
wild = Measurement(1, [1.0, 2.0, 3.0, 4.0], spec)
print(calm.meets_confidence(), wild.meets_confidence())
# Output:
# True False
# endregion

# region proof_not_implemented
from torch.utils.benchmark import Timer

for name in ("repeat", "autorange"):
    try:
        getattr(Timer("pass"), name)()
        raise AssertionError
    except NotImplementedError:
        pass
# endregion

# region proof_own_namespace
from torch.utils.benchmark import Timer

hidden = 1
Timer("torch.ones(1)").timeit(1)
try:
    Timer("hidden").timeit(1)
    raise AssertionError
except NameError as error:
    assert "hidden" in str(error)
# endregion

# region proof_threads_put_back
import torch
from torch.utils.benchmark import Timer

before = torch.get_num_threads()
Timer("pass", num_threads=before + 1).timeit(1)
assert torch.get_num_threads() == before
# endregion

# region proof_setup_not_timed
from torch.utils.benchmark import Timer
ran = []
ticks = iter(range(100))
m = Timer("ran.append('stmt')", "next(ticks); ran.append('setup')",
          globals={"ran": ran, "ticks": ticks},
          timer=lambda: next(ticks)).timeit(3)
assert ran[-4:] == ["setup"] + 3 * ["stmt"] and m.raw_times == [1]
# endregion

# region proof_blocks_grow
from torch.utils.benchmark import Timer
now = 0.0
def clock():
    global now
    now += 1e-6
    return now
def work():
    global now
    now += 1e-5
timer = Timer("work()", globals={"work": work}, timer=clock)
m = timer.blocked_autorange(min_run_time=0.1)
assert m.number_per_run > 1 and len(m.raw_times) > 1
assert sum(m.raw_times) >= 0.1
# endregion

# region proof_confidence_limit
from torch.utils.benchmark import Measurement, TaskSpec

for width, trusted in ((0.09, True), (0.11, False)):
    times = [1 - width / 2, 1.0, 1 + width / 2]
    times = [times[0], *times, times[2]]
    m = Measurement(1, times, TaskSpec("f(x)", "pass"))
    assert m.meets_confidence() is trusted is not m.has_warnings
    assert m.meets_confidence(threshold=0.2)
# endregion

# region proof_median
from torch.utils.benchmark import Measurement, TaskSpec

m = Measurement(1, [1.0, 1.0, 1.0, 1.0, 96.0], TaskSpec("f(x)", "pass"))
assert m.median == 1 and m.mean == 20 and "Median: 1.00 s" in str(m)
# endregion

# region proof_merge_and_tables
from torch.utils.benchmark import Compare, Measurement, TaskSpec
def one(label="a", env="e"):
    spec = TaskSpec("f(x)", "pass", label=label, sub_label="s",
                    description="n=1", env=env)
    return Measurement(1, [100.0 + n for n in range(50)], spec)
assert len(Measurement.merge([one(), one(), one(env="f")])) == 2
table = Compare([one()])
table.extend_results([one("b")])
assert str(table).count("n=1") == 2 and "124.5" in str(table)
table.trim_significant_figures()
assert "124" not in str(table) and "100" in str(table)
# endregion

# region proof_warm_up
from torch.utils.benchmark import Timer

calls = []
m = Timer("calls.append(0)", globals={"calls": calls}).timeit(4)
assert len(m.raw_times) == 1 and m.number_per_run == 4
assert len(calls) > 4
# endregion

# region proof_table
from torch.utils.benchmark import Compare, Measurement, TaskSpec
def measured(sub_label, description, seconds):
    spec = TaskSpec("f(x)", "pass", label="relu",
                    sub_label=sub_label, description=description)
    return Measurement(1, [seconds], spec)
table = str(Compare([measured("float", "n=1", 1),
                     measured("int", "n=1", 2),
                     measured("float", "n=9", 3)]))
title, columns, _, *rows = table.splitlines()
assert "relu" in title and columns.split() == ["|", "n=1", "|", "n=9"]
assert rows[0].split() == ["float", "|", "1.0", "|", "3.0"]
assert rows[1].split() == ["int", "|", "2.0", "|"]
# endregion

# region proof_times
from torch.utils.benchmark import Measurement, TaskSpec

spec = TaskSpec("f(x)", "pass")
m = Measurement(10, [5.0, 10.0, 30.0], spec)
assert (m.times, m.median, m.mean) == ([0.5, 1.0, 3.0], 1.0, 1.5)
# endregion
