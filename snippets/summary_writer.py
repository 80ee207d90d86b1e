"""SummaryWriter: numbers, pictures and text for TensorBoard, written and read back."""

# region no_step
from tensorboard.backend.event_processing import (
    event_accumulator as ea,
)
from torch.utils.tensorboard import SummaryWriter

with SummaryWriter("log/no_step") as writer:
    writer.add_scalar("loss", 2.0)
    writer.add_scalar("loss", 1.0)
log = ea.EventAccumulator("log/no_step").Reload()
print([(e.step, e.value) for e in log.Scalars("loss")])
# Output:
# [(0, 2.0), (0, 1.0)]
# endregion

# region scalars_are_runs
from pathlib import Path
from torch.utils.tensorboard import SummaryWriter

with SummaryWriter("log/many") as w:
    w.add_scalars("loss", {"train": 0.5, "val": 0.75}, 0)

entries = Path("log/many").iterdir()
print(sorted(e.name for e in entries if e.is_dir()))
# Output:
# ['loss_train', 'loss_val']
# endregion

# region hparams_run
from pathlib import Path
from torch.utils.tensorboard import SummaryWriter

with SummaryWriter("log/search") as w:
    w.add_hparams({"lr": 0.1}, {"loss": 2.0}, run_name="a")
    w.add_hparams({"lr": 0.2}, {"loss": 1.0}, run_name="b")

entries = Path("log/search").iterdir()
print(sorted(e.name for e in entries if e.is_dir()))
# Output:
# ['a', 'b']
# endregion

# region comment_ignored
from torch.utils.tensorboard import SummaryWriter

writer = SummaryWriter("log/named", comment="_lr0.1")
writer.close()
print(writer.get_logdir())
# Output:
# log/named
# endregion

# region proof_purge_mark
from pathlib import Path
from tensorboard.backend.event_processing import event_file_loader as e
from torch.utils.tensorboard import SummaryWriter

SummaryWriter("log/purge", purge_step=3).close()
(path,) = Path("log/purge").iterdir()
events = e.EventFileLoader(str(path)).Load()
assert [x.step for x in events if x.session_log.status == 1] == [3]
# endregion

# region proof_close_writes_all
from tensorboard.backend.event_processing import event_accumulator
from torch.utils.tensorboard import SummaryWriter

writer = SummaryWriter("log/all", max_queue=1000, flush_secs=10000)
for step in range(50):
    writer.add_scalar("loss", 1.0, step)
writer.close()
events = event_accumulator.EventAccumulator("log/all").Reload()
assert len(events.Scalars("loss")) == 50
# endregion

# region proof_comment
from torch.utils.tensorboard import SummaryWriter

writer = SummaryWriter(comment="_lr0.1")
writer.close()
assert writer.get_logdir().startswith("runs")
assert writer.get_logdir().endswith("_lr0.1")
# endregion

# region proof_same_tag
from pathlib import Path
from tensorboard.backend.event_processing import event_accumulator
from torch.utils.tensorboard import SummaryWriter

with SummaryWriter("log/same") as writer:
    writer.add_scalars("loss", {"train": 0.5, "val": 0.75}, 0)
for run in ("loss_train", "loss_val"):
    path = str(Path("log/same") / run)
    events = event_accumulator.EventAccumulator(path).Reload()
    assert events.Tags()["scalars"] == ["loss"]
# endregion

# region proof_layout
import torch
from tensorboard.backend.event_processing import event_accumulator
from torch.utils.tensorboard import SummaryWriter

with SummaryWriter("log/image") as writer:
    for order in ("HWC", "CHW"):
        picture = torch.zeros(3, 5, 3)
        writer.add_image(order, picture, dataformats=order)
events = event_accumulator.EventAccumulator("log/image").Reload()
(a,), (b,) = events.Images("HWC"), events.Images("CHW")
assert (a.height, a.width, b.height, b.width) == (3, 5, 5, 3)
# endregion

# region proof_three_tags
from torch.utils.tensorboard import SummaryWriter

with SummaryWriter("log/band") as writer:
    writer.add_custom_scalars_marginchart(["mean", "low", "high"])
    try:
        writer.add_custom_scalars_marginchart(["mean", "low"])
        raise RuntimeError
    except AssertionError:
        pass
# endregion

# region proof_pictures
import torch
from tensorboard.backend.event_processing import event_accumulator
from torch.utils.tensorboard import SummaryWriter

with SummaryWriter("log/grid") as w:
    w.add_images("grid", torch.zeros(4, 3, 10, 10))
events = event_accumulator.EventAccumulator("log/grid").Reload()
(grid,) = events.Images("grid")
assert (grid.height, grid.width) == (10, 40)
# endregion
