"""What makes a note not worth learning: the rules of good cards that a program can see, a row each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from deckgen.extract.labels import Kind, labels
from deckgen.extract.worth import answers, asked, code
from deckgen.extract.worth.facts import CodeFacts, Facts, class_above, is_bare_method


@dataclass(frozen=True, slots=True)
class DoubtRow:
    """One reason to doubt a note, or to leave it out."""

    name: str
    """As doubts name it, and refusals behind `worth: `."""
    applies: Callable[[Facts], bool]
    """True for a note that it speaks against."""
    reason: str
    """What is wrong, for the author."""
    example: str
    """Markdown of which this rule doubts a note: its test, and its lines in docs/notations.md."""
    seen: tuple[str, ...]
    """The seeds or real documents, at least two, whose bad cards the rule is for."""
    refuses: bool = False
    """True if nobody could use its card: it is torn, empty or would show markup."""


def _of_code(check: Callable[[CodeFacts], bool]) -> Callable[[Facts], bool]:
    """A check of code that a note asks about."""
    return lambda note: note.code is not None and check(note.code)


_BOOK: Final = "ShusenTang/Dive-into-DL-PyTorch"
_COURSE: Final = "mrdbourke/pytorch-deep-learning"
_BLOG: Final = "Vin-Yuan/Vin-Yuan.github.io/source/_posts"
_DAYS: Final = "lyhue1991/eat_pytorch_in_20_days"
_TUTORIAL: Final = "jadepanths/Python-PyTorch-Tutorial"
_STUDIES: Final = "Travor278/pytorch-learning-notes"
_INTERVIEW: Final = "rohanmistry231/PyTorch-Interview-Preparation"
_NOTES: Final = "g2384/notes/docs/cs-notes.md"

LOGISTICS = "## Reading list\n\n- **Papers**: a list of the papers on attention\n"
LABEL = "- Goal: a model that tells cats from dogs\n"
NO_NAME = "- Make the batch of the loader larger: more memory is needed\n"
NO_THING = "- Easy debugging: errors are shown where they happen\n"
TEXT = "## What does this course cover?\n\nTensors, training and export.\n"
NUMBER = "| Year | Model |\n| --- | --- |\n| 2012 | a network of eight layers |\n| 2015 | a network of many layers |\n"
COLUMN = "| Model | Status |\n| --- | --- |\n| ResNet | still in training |\n| LeNet | it works by now |\n"
TASK = "## Train another model, how does it do?\n\nAbout as well as the first one.\n"
FILE = "- `engine.py`: holds the loop over the batches\n"
OWN_NAME = (
    "- `train_step()`: trains the model on one batch of the loader\n\n"
    "```python\ndef train_step(model, batch):\n    return model(batch)\n```\n"
)
SEVERAL = "## `torch.save()` / `torch.load()`\n\nStores and reads what pickle can store.\n"
MARKS = "- `clamp`: limits the values </div> of a tensor\n"
LINKS = "## What is attention?\n\nA talk: https://example.org/attention\n"
POINTER = "## Why is a view cheap?\n\nAs shown above, it copies nothing.\n"
TRANSITION = "## What is a hook?\n\nLet's first look at how we can see a gradient.\n"
ADVICE = "- `num_workers`: check how many cores there are\n- `lr`: should we make it smaller?\n"
CUT = "## What does eval change?\n\nThe behaviour of two layers, namely\n"
ECHO = "| Name | Meaning |\n| --- | --- |\n| `torch.relu(x)` | relu |\n| `torch.abs(x)` | the absolute value |\n"
COIN = "| Name | Leaf? |\n| --- | --- |\n| created by a user | yes |\n| made by an operation | no |\n"
GRADE = "| Class | Speed |\n| --- | --- |\n| `nn.DataParallel` | rather slow |\n| `DistributedDataParallel` | fast |\n"
FIGURE = "| Model | Layers |\n| --- | --- |\n| small one | 12 |\n| large one | 24 at most |\n"
CHORE = "## Defining the loss\n\n```python\nloss = nn.MSELoss()\n```\n"
SUBJECT = "## `torch.compile()`\n\nOld models are slow on new machines.\n"
LITTLE = "- `torch.utils`: some handy things\n"
RECITAL = (
    "## What does a step need?\n\n1. a batch\n2. a model\n3. a loss\n4. a gradient\n5. an optimizer\n6. a metric\n"
)
NO_FACT = "- Next we call `model.train()` once more, since we want to go on with our epochs\n"
LONG_CODE = (
    "```python\nimport torch\n"
    + "\n".join(f"x{n} = {n}" for n in range(30))
    + "\nprint(torch.tensor(["
    + ", ".join(f"x{n}" for n in range(30))
    + "]).sum())  # tensor(435)\n```\n"
)
LONG_OUTPUT = (
    "```python\nfor n in range(15):\n    print(n)\n```\n\nOutput:\n\n```text\n"
    + "\n".join(map(str, range(15)))
    + "\n```\n"
)
REPEATED = "```python\nimport torch\nx = torch.tensor([7, 8, 9])\nprint(x)  # tensor([7, 8, 9])\n```\n"
MACHINE = (
    "```python\nimport torch\nx = torch.ones(3)\nprint(x.data_ptr())\n```\n\nOutput:\n\n```text\n94212345678901\n```\n"
)
FIGURES = (
    "```python\nimport torch\nprint(torch.tensor([1.0, 2.0, 3.0, 5.0]).sqrt())  # tensor([1.0000, 1.4142, 1.7321, 2.2361])\n"
    "print(torch.tensor([1.0, 2.0, 3.0, 5.0, 7.0]).exp())  # tensor([2.7183, 7.3891, 20.0855, 148.4132, 1096.6332])\n```\n"
)

FIELD = "- `tar`: packs the files of a folder\n\n" + "It asks for no more than a name. " * 70 + "\n"
ASPECT = "| Tool | Drawbacks |\n| --- | --- |\n| Notebooks | a diff of a model is hard to read |\n| Scripts | a tensor is not drawn |\n"
TWICE = "## What is a leaf tensor? Why does it matter?\n\nA tensor that no operation made.\n"
NAMES = "- **Another shape**: `view()`, `reshape()`\n"
AMOUNT = "- **Single precision**: 4 GB of memory for a model\n- **Half precision**: 2 GB of memory for a model\n"
ANY_CODE = (
    "## How do you watch a model?\n\nCounts the calls.\n\n```python\ncalls = 0\n\n"
    "def watch(model, *_):\n    global calls\n    calls += 1\n    if calls > 9:\n        print(model)\n```\n"
)
NO_CODE = "| Problem | Meaning |\n| --- | --- |\n| Classification | to say which of several classes a thing of a batch belongs to |\n| Regression | to say a number |\n"
OPINION = "## Why choose `DataLoader`?\n\nIt fits nearly every data set.\n"
THIS = "## What does this layer do?\n\nIt drops values of a tensor at random.\n"
NO_MEANING = "- `torch.multiply`: `torch.mul(input, other)`\n- `torch.negative`: `torch.neg(input)`\n"
NO_TORCH = "```python\na = {1: 2}\na.update({3: 4})\nprint(a)  # {1: 2, 3: 4}\n```\n"
SEVERAL_SHOWN = (
    "```python\nimport torch\nx = torch.arange(6)\nprint(x.sum()); print(x.max()); print(x.shape); print(x[2:])\n```\n\n"
    "Output:\n\n```text\ntensor(15)\ntensor(5)\ntorch.Size([6])\ntensor([2, 3, 4, 5])\n```\n"
)
CATEGORY = "## Elementwise operations\n\n```python\ny = torch.abs(x)\nz = torch.cos(x)\n```\n"
PARAMETER = "## Joining\n\n- `dim` (int): the dimension along which tensors are joined\n- `out` (Tensor): a tensor for the result\n"
OWN_AMOUNT = "```python\nimport torch\nX = torch.arange(50)\ntrain, test = X[:40], X[40:]\nprint(len(train), len(test))  # 40 10\n```\n"
DRAWN_MODEL = (
    "```python\nfrom torch import nn\nnet = nn.Sequential(nn.Linear(4, 3), nn.Linear(3, 2), nn.Linear(2, 2), nn.Linear(2, 1))\nprint(net)\n```\n\n"
    "Output:\n\n```text\nSequential(\n  (0): Linear(in_features=4, out_features=3, bias=True)\n  (1): Linear(in_features=3, out_features=2, bias=True)\n"
    "  (2): Linear(in_features=2, out_features=2, bias=True)\n  (3): Linear(in_features=2, out_features=1, bias=True)\n)\n```\n"
)
METHOD = "- `forward()`: computes the output of the layers\n"
TYPED = "```python\nimport torch\nx = torch.ones(6).view(2, 3)\nprint(x.shape)  # torch.Size([2, 3])\n```\n"
TWO_PRINTS = (
    "```python\nimport torch\nx = torch.arange(4)\nprint(x.sum())\nprint(x.max())\n```\n\n"
    "Output:\n\n```text\ntensor(6)\ntensor(3)\n```\n"
)
DEAD = "```python\nimport torch\nx = torch.arange(4)\nspare = list(x)\nprint(x.sum())  # tensor(6)\n```\n"
SISTER = "```python\nimport torch\nx = torch.arange(4)\nprint(x.sum())  # tensor(6)\nprint(x.cumsum(0)[3])  # tensor(6)\n```\n"
AGAIN = "".join(
    f"## {part}\n\n```python\nimport torch\nprint(torch.arange(3).sum())  # tensor(3)\n```\n\n"
    for part in ("Sums", "Again")
)
SEVERAL_FACTS = "## Why is `torch.compile` fast?\n\nIt fuses kernels, leaves out copies, and runs less Python.\n"
NAME_ABOVE = (
    "| Aspect | `reshape` | `view` |\n| --- | --- | --- |\n| Memory | copies if it has to | never copies it |\n"
)

DOUBTS: tuple[DoubtRow, ...] = (
    DoubtRow("logistics", asked.is_logistics, "it stands under a heading over what nobody learns", LOGISTICS,
              (f"{_STUDIES}/README_CN.md", f"{_INTERVIEW}/README.md")),
    DoubtRow("label", asked.asks_of_label, "it asks for a label of its list, and of no thing that has a name", LABEL,
              ("seed 000", f"{_BLOG}/PCA.md", f"{_COURSE}/08_pytorch_paper_replicating.ipynb")),
    DoubtRow("no name", asked.asks_of_no_name, "what stands before its colon is no name of anything", NO_NAME,
              ("seed 004", f"{_COURSE}/09_pytorch_model_deployment.ipynb", _NOTES)),
    DoubtRow("no thing", asked.asks_of_no_thing, "plain words, and behind them no meaning of theirs", NO_THING,
              ("seed 003", f"{_BLOG}/integer-solutions.md", f"{_COURSE}/08_pytorch_paper_replicating.ipynb")),
    DoubtRow("the text itself", asked.asks_of_text, "it asks about the text that it stands in", TEXT,
              (f"{_COURSE}/08_pytorch_paper_replicating.ipynb", "Ebazhanov/linkedin-skill-assessments-quizzes/python/python-quiz.md")),
    DoubtRow("number", asked.asks_of_number, "it asks for a row by its number", NUMBER,
              (f"{_DAYS}/README.md", f"{_COURSE}/extras/pytorch_2_intro.ipynb")),
    DoubtRow("column", asked.asks_of_idle_column, "its column holds nothing to learn", COLUMN,
              (f"{_DAYS}/README.md", f"{_COURSE}/06_pytorch_transfer_learning.ipynb")),
    DoubtRow("two questions", asked.asks_twice, "it asks two things at once", TWICE,
              (f"{_DAYS}/5-3,损失函数.ipynb", f"{_STUDIES}/Transformer/0_to_1.ipynb")),
    DoubtRow("task", asked.asks_a_task, "it is an exercise of the text that it stands in", TASK,
              (f"{_INTERVIEW}/PyTorch Interview Questions/README.md",
               f"{_COURSE}/extras/exercises/06_pytorch_transfer_learning_exercises.ipynb")),
    DoubtRow("file", asked.asks_of_file, "it is about a file of a project", FILE,
              (f"{_STUDIES}/Transformer/0_to_1.ipynb", f"{_COURSE}/going_modular/going_modular/README.md")),
    DoubtRow("own name", asked.asks_of_own_name, "it is a name that the text gives to its own code", OWN_NAME,
              (f"{_COURSE}/04_pytorch_custom_datasets.ipynb", f"{_BOOK}/docs/chapter10_natural-language-processing/10.8_sentiment-analysis-cnn.md")),
    DoubtRow("several names", asked.asks_of_several, "several names are several facts", SEVERAL,
              ("seed 001", f"{_DAYS}/4-3,nn.functional和nn.Module.ipynb", f"{_STUDIES}/README.md")),
    DoubtRow("marks", answers.shows_marks, "marks of Markdown or HTML would show on its card", MARKS,
              (f"{_TUTORIAL}/Datasets_and_Dataloaders.ipynb", f"{_COURSE}/06_pytorch_transfer_learning.ipynb"), refuses=True),
    DoubtRow("links", answers.is_links, "its answer only leads to other pages", LINKS,
              ("StarlitVienna/pytorch-notes/README.md", f"{_BLOG}/hive.md")),
    DoubtRow("pointer", lambda note: Kind.POINTER in labels(note.prose).words, "its answer points at what the card does not show", POINTER,
              ("seed 002", f"{_DAYS}/5-1,Dataset和DataLoader.ipynb", f"{_BLOG}/Entropy.md")),
    DoubtRow("transition", answers.leads_on, "its answer leads on to something else", TRANSITION,
              ("seed 000", f"{_STUDIES}/nn_module_summary.md", f"{_COURSE}/03_pytorch_computer_vision.ipynb")),
    DoubtRow("advice", answers.is_advice, "it says what to do, and not what something is", ADVICE,
              ("seed 003", f"{_BLOG}/spark.md", f"{_COURSE}/03_pytorch_computer_vision.ipynb")),
    DoubtRow("cut", answers.is_cut, "its answer breaks off", CUT,
              ("seed 001", f"{_BLOG}/least-square-method.md",
               f"{_INTERVIEW}/PyTorch Fundamentals/05 PyTorch Interview Questions/README.md")),
    DoubtRow("echo", answers.is_echo, "its answer says no more than its question", ECHO,
              ("seed 004", f"{_COURSE}/04_pytorch_custom_datasets.ipynb")),
    DoubtRow("coin", answers.is_coin, "its answer is yes or no", COIN,
              ("seed 003", f"{_BLOG}/least-square-method.md", f"{_COURSE}/extras/pytorch_2_intro.ipynb")),
    DoubtRow("grade", answers.is_grade, "its answer is how good or how much somebody finds something", GRADE,
              ("seed 001", "seed 003", "Yomi017/Pytorch-Learning/python/ComputingPerformance.py/MultiGPU.md")),
    DoubtRow("figure", answers.is_figure, "its answer is a number that nobody should know", FIGURE,
              (f"{_BOOK}/docs/chapter10_natural-language-processing/10.5_glove.md",
               f"{_COURSE}/08_pytorch_paper_replicating.ipynb")),
    DoubtRow("aspect", asked.asks_of_aspect, "its row is compared with others, and has no one answer", ASPECT,
              ("seed 000", "seed 003", f"{_COURSE}/05_pytorch_going_modular.ipynb")),
    DoubtRow("chore", answers.is_chore, "it says what code is for, and not what its call does", CHORE,
              ("seed 001", f"{_BOOK}/code/chapter03_DL-basics/3.3_linear-regression-pytorch.ipynb", f"{_BLOG}/tensorflow.md")),
    DoubtRow("any code", answers.is_any_code, "its code could be written in many ways", ANY_CODE,
              (f"{_INTERVIEW}/README.md", f"{_DAYS}/A-7,30分钟吃掉wandb可视化自动调参.ipynb")),
    DoubtRow("amount", answers.is_amount, "its answer is an amount, and no meaning", AMOUNT,
              ("AbhinavGor/Pytorch-Learning/NOTES_hf_vs_tinygpt.md", f"{_STUDIES}/README.md")),
    DoubtRow("names", answers.is_names, "its answer is names, and no meaning", NAMES,
              ("seed 001", "seed 003", f"{_DAYS}/5-4,TensorBoard可视化.ipynb")),
    DoubtRow("other subject", answers.speaks_of_another, "its text says nothing of the name", SUBJECT,
              (f"{_TUTORIAL}/Tensors.ipynb", f"{_COURSE}/extras/pytorch_2_intro.ipynb")),
    DoubtRow("other field", asked.asks_of_other_field, "nothing in it is about torch or what it is used for", FIELD,
              (f"{_BLOG}/linux.md", _NOTES)),
    DoubtRow("little", answers.says_little, "its answer says next to nothing", LITTLE,
              (f"{_BOOK}/docs/chapter03_DL-basics/3.5_fashion-mnist.md", f"{_STUDIES}/README.md")),
    DoubtRow("category", answers.is_shared_meaning, "its meaning is a heading over several names", CATEGORY,
              ("seed 003", "Bingmang/pytorch-cheatsheet/README.md", "hermanyu/PyTorch-Notes/03-linear-logistic-regression.ipynb")),
    DoubtRow("parameter", asked.asks_of_lone_parameter, "it is a parameter, and its card does not say of which call", PARAMETER,
              ("mpampuch/pytorch-notes/README.md", f"{_COURSE}/03_pytorch_computer_vision.ipynb")),
    DoubtRow("recital", answers.is_recital, "its answer is too long to be recalled as one thing", RECITAL,
              ("seed 001", f"{_DAYS}/5-2,模型层.ipynb", f"{_STUDIES}/Transformer/0_to_1.ipynb")),
    DoubtRow("no fact", answers.states_no_fact, "its sentence states no fact that stands by itself", NO_FACT,
              ("seed 001", f"{_TUTORIAL}/Optimizing_Model_Parameters.ipynb", _NOTES)),
    DoubtRow("long code", _of_code(code.has_long_code), "its code is longer than anybody reads on a card", LONG_CODE,
              ("seed 003", f"{_BOOK}/docs/chapter09_computer-vision/9.4_anchor.md", f"{_DAYS}/5-3,损失函数.ipynb")),
    DoubtRow("long output", _of_code(code.has_long_output), "its output is longer than anybody recalls", LONG_OUTPUT,
              ("seed 001", f"{_DAYS}/6-1,构建模型的3种方法.ipynb", f"{_TUTORIAL}/Build_The_Neural_Network.ipynb")),
    DoubtRow("repeated code", _of_code(code.repeats_code), "its output stands in its code already", REPEATED,
              (f"{_DAYS}/4-1,张量的结构操作.ipynb", f"{_COURSE}/00_pytorch_fundamentals.ipynb")),
    DoubtRow("several outputs", _of_code(code.has_several), "its code shows more than three values", SEVERAL_SHOWN,
              (f"{_DAYS}/2-1,张量数据结构.ipynb", f"{_COURSE}/00_pytorch_fundamentals.ipynb")),
    DoubtRow("own amounts", _of_code(code.counts_own_data), "it asks how many elements somebody's data has", OWN_AMOUNT,
              (f"{_COURSE}/extras/pytorch_cheatsheet.ipynb", "aashu-0/learn-pytorch/01_pytorch_device_agnostic.ipynb")),
    DoubtRow("drawn model", _of_code(code.is_drawn_model), "its output repeats the layers of a model", DRAWN_MODEL,
              ("skynyrd/pytorch-notes/3-building-neural-network.ipynb", f"{_TUTORIAL}/Build_The_Neural_Network.ipynb")),
    DoubtRow("no torch", _of_code(code.is_without_torch), "its code has nothing of torch", NO_TORCH,
              (f"{_BLOG}/python.md", f"{_BOOK}/code/chapter10_natural-language-processing/10.3_word2vec-pytorch.ipynb")),
    DoubtRow("machine", _of_code(code.asks_machine), "its output depends on the machine", MACHINE,
              ("seed 001", f"{_DAYS}/6-3,使用GPU训练模型.ipynb", f"{_TUTORIAL}/Build_The_Neural_Network.ipynb")),
    DoubtRow("figures", _of_code(code.has_figures), "its output is numbers that nobody should know", FIGURES,
              ("seed 001", f"{_BOOK}/code/chapter02_prerequisite/2.2_tensor.ipynb", f"{_TUTORIAL}/Autograd.ipynb")),
    DoubtRow("no code", asked.is_without_code, "nothing that is asked or answered is code", NO_CODE,
              (f"{_COURSE}/02_pytorch_classification.ipynb", f"{_INTERVIEW}/README.md", f"{_STUDIES}/README.md")),
    DoubtRow("opinion", asked.asks_for_opinion, "it asks for an opinion", OPINION,
              (f"{_INTERVIEW}/README.md", f"{_COURSE}/08_pytorch_paper_replicating.ipynb")),
    DoubtRow("this", asked.asks_of_this, "it asks about something that its card does not show", THIS,
              (f"{_STUDIES}/nn_module_summary.md", "jshn9515/deep-learning-notes/dnnlpy/README.md")),
    DoubtRow("bare method", lambda note: is_bare_method(note.note) and not class_above(note.note), "it is a method, and its card does not say of which class", METHOD,
              (f"{_STUDIES}/nn_module_summary.md", f"{_COURSE}/04_pytorch_custom_datasets.ipynb")),
    DoubtRow("typed numbers", _of_code(code.has_numbers_of_code), "the numbers of its output stand side by side in its code", TYPED,
              (f"{_COURSE}/00_pytorch_fundamentals.ipynb", f"{_DAYS}/4-1,张量的结构操作.ipynb")),
    DoubtRow("two prints", _of_code(code.prints_twice), "its code prints more than once", TWO_PRINTS,
              ("seed 001", f"{_COURSE}/00_pytorch_fundamentals.ipynb")),
    DoubtRow("dead code", _of_code(code.has_dead_code), "its code gives a name to what is not used", DEAD,
              ("MuhammedBuyukkinaci/PyTorch-Notes/README.md", "hermanyu/PyTorch-Notes/02-pipeline.ipynb")),
    DoubtRow("sister", lambda note: id(note.note) in note.document.shown_again, "a card above of the same code has the same output", SISTER,
              (f"{_COURSE}/00_pytorch_fundamentals.ipynb", f"{_DAYS}/2-1,张量数据结构.ipynb")),
    DoubtRow("asked again", asked.is_asked_again, "a card above asks the same", AGAIN,
              (f"{_COURSE}/00_pytorch_fundamentals.ipynb", "aaronespasa/pytorch-notes/0.Tensors.ipynb")),
    DoubtRow("several facts", answers.tells_several, "its answer tells several things", SEVERAL_FACTS,
              (f"{_INTERVIEW}/README.md", f"{_STUDIES}/README.md")),
    DoubtRow("name above", asked.asks_of_name_above, "its column is a name of the API, and its row an aspect of it", NAME_ABOVE,
              ("seed 003", f"{_STUDIES}/README.md")),
    DoubtRow("no meaning", answers.says_no_meaning, "its text is names or parameters, and not what the call does", NO_MEANING,
              ("seed 003", "seed 004", "ys1305/pytorch-note/2面向 Numpy 用户的 PyTorch 速查表.md")),
)  # fmt: skip
