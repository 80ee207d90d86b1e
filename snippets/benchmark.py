"""benchmark: Timer, Measurement, Compare; clocks are made by hand, so that every number is certain."""

# region torch_is_there
from torch.utils.benchmark import Timer

x = 3
try:
    print(Timer("torch.ones(x)").timeit(1))
except NameError as error:
    print(error)
# Output:
# name 'x' is not defined
# endregion

# region one_thread
from torch.utils.benchmark import Timer

seen = set()
stmt = "seen.add(torch.get_num_threads())"
Timer(stmt, globals={"seen": seen}).timeit(1)
Timer(stmt, globals={"seen": seen}, num_threads=2).timeit(1)
print(seen)  # prints {1, 2}
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
    assert ("WARNING: Interquartile range" in str(m)) is not trusted
m = Measurement(1, [7.5, 7.5, 8, 8.3, 8.3], TaskSpec("f(x)", "pass"))
assert m.iqr / m.median >= 0.1 and m.has_warnings
# endregion

# region proof_median
from torch.utils.benchmark import Measurement, TaskSpec

m = Measurement(1, [1.0, 1.0, 1.0, 1.0, 96.0], TaskSpec("f(x)", "pass"))
assert m.median == 1 and m.mean == 20 and "Median: 1.00 s" in str(m)
# endregion

# region proof_warm_up
import timeit
from torch.utils.benchmark import Measurement, Timer

calls = []
m = Timer("calls.append(0)", globals={"calls": calls}).timeit(4)
assert len(m.raw_times) == 1 and m.number_per_run == 4
assert len(calls) > 4
ticks = iter(range(100))
m = Timer("pass", timer=lambda: next(ticks)).timeit(4)
assert type(m) is Measurement and m.median == 0.25
ticks = iter(range(100))
assert timeit.timeit("pass", timer=lambda: next(ticks), number=4) == 1
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

# region proof_globals
from torch.utils.benchmark import Timer

seen = []
Timer("seen.append(x)", globals={"x": 3, "seen": seen}).timeit(1)
assert set(seen) == {3}
# endregion
