"""benchmark: Timer, Measurement, Compare; clocks are made by hand, so that every number is certain."""

# region measurement
from torch.utils.benchmark import Measurement, TaskSpec

spec = TaskSpec(stmt="x + y", setup="pass")
m = Measurement(
    number_per_run=10, raw_times=[5.0, 10.0, 30.0], task_spec=spec
)
print(m.times)
print(m.median, m.mean)
# Output:
# [0.5, 1.0, 3.0]
# 1.0 1.5
# endregion

# region timeit_clock
from torch.utils.benchmark import Timer

ticks = iter(range(100))
timer = Timer("pass", timer=lambda: next(ticks))
m = timer.timeit(number=4)
print(m.raw_times, m.number_per_run, m.median)  # prints [1] 4 0.25
# endregion

# region torch_is_there
from torch.utils.benchmark import Timer

shapes = []
timer = Timer(
    "shapes.append(torch.ones(2, 3).shape)", globals={"shapes": shapes}
)
timer.timeit(1)
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

spec = TaskSpec(stmt="step()", setup="pass")
calm = Measurement(1, [1.00, 1.01, 1.02, 1.03], spec)
wild = Measurement(1, [1.0, 2.0, 3.0, 4.0], spec)
print(calm.meets_confidence(), wild.meets_confidence())
print(calm.has_warnings, wild.has_warnings)
# Output:
# True False
# False True
# endregion

# region compare
from torch.utils.benchmark import Compare, Measurement, TaskSpec

def measured(sub_label, description, seconds):
    spec = TaskSpec("f(x)", "pass", label="relu",
                    sub_label=sub_label, description=description)
    return Measurement(1, [seconds], spec)

Compare([measured("float", "n=1", 1), measured("int", "n=1", 2),
         measured("float", "n=9", 3)]).print()
# Output:
# [---------- relu ---------]
#              |  n=1  |  n=9
# 1 threads: ----------------
#       float  |  1.0  |  3.0
#       int    |  2.0  |     
#
# Times are in seconds (s).
# endregion

# region merge
from torch.utils.benchmark import Measurement, TaskSpec

spec = TaskSpec("f(x)", "pass")
runs = [Measurement(10, [20.0], spec), Measurement(5, [5.0], spec)]
(merged,) = Measurement.merge(runs)
print(merged.raw_times, merged.number_per_run)  # prints [2.0, 1.0] 1
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

# region proof_warm_up
from torch.utils.benchmark import Timer

calls = []
m = Timer("calls.append(0)", globals={"calls": calls}).timeit(4)
assert len(m.raw_times) == 1 and m.number_per_run == 4
assert len(calls) > 4
# endregion

# region proof_prints_median
from torch.utils.benchmark import Measurement, TaskSpec

spec = TaskSpec("f(x)", "pass")
text = repr(Measurement(1, [1.0, 1.0, 1.0, 1.0, 9.0], spec))
assert "Median: 1.00 s" in text and "2.60" not in text
# endregion

# region proof_env
from torch.utils.benchmark import Measurement, TaskSpec

runs = [
    Measurement(1, [1.0], TaskSpec("f(x)", "pass", env=env)) for env in "aab"
]
assert len(Measurement.merge(runs)) == 2
# endregion
