"""Facts about objects that lie, raise or never end: the session goes on, and what is certain is told."""

import json
import subprocess
import sys
from typing import Any

import pytest
from running import Sessions, brief

from deckgen.verify.engine import records as wire
from deckgen.verify.engine.runner import FrameReader

ODD = {
    "a repr that raises": "class A:\n    def __repr__(self): raise ValueError('no')\nx = A()\nx",
    "a repr that leaves": "class A:\n    def __repr__(self): raise SystemExit\nx = [A()]",
    "a repr that is no text": "class A:\n    def __repr__(self): return 3\nx = A()",
    "a repr of another kind of text": (
        "class S(str):\n    def __getitem__(self, at): raise ValueError\n    def encode(self, *_): raise ValueError\n"
        "class A:\n    def __repr__(self): return S('a')\n    __str__ = __repr__\nx = A()\nprint(x)\nx"
    ),
    "an error whose text raises": (
        "class E(Exception):\n    def __str__(self): raise ValueError\n    __repr__ = __str__\nx = E()\nraise x"
    ),
    "equality that raises": "class A:\n    def __eq__(self, other): raise ValueError\n    __hash__ = None\nx = [A(), A()]",
    "a class that lies about itself": "class A:\n    __class__ = property(lambda self: 1 / 0)\nx = A()",
    "a metaclass that raises": (
        "class M(type):\n    def __getattribute__(self, name): raise ValueError\n"
        "class A(metaclass=M): pass\nx = A()"
    ),
    "a module name that is none": "class A: pass\nA.__module__ = 3\nx = A()",
    "a huge number": "x = 10 ** 6000\ny = -x\nx",
    "a huge number whose digits are wanted": "import sys\nsys.set_int_max_str_digits(0)\nx = 10 ** 6000\nprint(x)\nx",
    "a number of another kind": (
        "class I(int):\n    def __repr__(self): raise ValueError\n    def __index__(self): raise ValueError\nx = I(3)\n"
        "class F(float):\n    def __float__(self): raise ValueError\n    item = 3\ny = F(3)"
    ),
    "a number with an item": "class I(int):\n    def item(self): return object()\nx = I(3)",
    "no numbers": "x = [float('nan'), float('inf'), -float('inf'), complex('nan')]\nprint(x)",
    "half a character": "x = '\\ud800'\nprint(x)\nx",
    "bytes": "x = [b'\\xff\\x00', bytearray(b'a'), memoryview(b'a')]",
    "a control character": "x = '\\x00\\n\\r\\x1b\\u2028'\nprint(x)",
    "a text of another kind": "class S(str):\n    def __str__(self): raise ValueError\n    def __len__(self): return -1\nx = S('a')",
    "a list without end": "import itertools\nclass L(list):\n    def __iter__(self): return itertools.count()\nx = L()",
    "a mapping without end": (
        "import itertools\nclass D(dict):\n    def keys(self): return itertools.count()\n"
        "    values = keys\nx = D()"
    ),
    "a mapping of odd keys": "x = {(1, 2): 3, None: 4, frozenset([1]): 5, 1.5: 6}",
    "a list of itself": "x = []\nx.extend([x] * 1000)",
    "a deep list": "x = []\nfor _ in range(900): x = [x]",
    "a deep mapping": "x = 0\nfor _ in range(100_000): x = {'a': x}",
    "a property that raises": "class A:\n    shape = property(lambda self: 1 / 0)\n    dtype = shape\nx = A()",
    "a tensor whose shape has symbols": (
        "import torch\nx = torch.nested.nested_tensor([torch.ones(2, 3), torch.ones(4, 3)], layout=torch.jagged)\n"
        "s = x.shape\nt = x.shape[1]\nx.shape"
    ),
    "a nested tensor without a shape": (
        "import torch\nx = torch.nested.nested_tensor([torch.ones(2), torch.ones(3)], layout=torch.strided)\nx"
    ),
    "a tensor that raises": (
        "import torch\nclass T(torch.Tensor):\n    @classmethod\n"
        "    def __torch_function__(cls, *_, **__): raise ValueError\nx = torch.ones(2).as_subclass(T)"
    ),
    "exotic tensors": (
        "import torch\nx = [torch.ones(2, device='meta'), torch.eye(2).to_sparse(), torch.ones(2).to_mkldnn(),\n"
        "     torch.quantize_per_tensor(torch.ones(2), 0.1, 0, torch.quint8), torch.ones(2, dtype=torch.complex32),\n"
        "     torch.ones(2).to(torch.float8_e4m3fn), torch.empty(0), torch.tensor(1j)]\ny = x[0]\nz = x[1]"
    ),
    "arrays of anything": (
        "import numpy as np\nx = [np.array([object(), None]), np.array(['a', 'ü']), np.array([b'a']), np.float16(1),\n"
        "     np.datetime64('2020-01-01'), np.array([1, (2, 3)], dtype=object), np.longdouble(1), np.ma.masked]\nprint(x)"
    ),
    "a thing that is always missing": "class A:\n    def __getattr__(self, name): raise SystemExit(name)\nx = A()",
}  # fmt: skip


def test_no_fact_breaks_a_session(sessions: Sessions) -> None:
    asked = [{"code": code, "probes": [[code.count("\n"), "x"], [0, "x.shape"]]} for code in ODD.values()]
    for thing, odd in zip(ODD, sessions.each(*asked), strict=True):
        assert [one["target"] for one in odd if one["kind"] == "probe" and one["target"] == "x"], thing
        for one in odd:
            assert wire.event(one).text == one["text"], thing
            json.dumps(one).encode("ascii")


def test_who_comes_after_odd_things_is_seen(sessions: Sessions) -> None:
    events = sessions.run(*(part for code in ODD.values() for part in (code, "print(1)")), reset=True)
    assert [brief(after, "stdout") for after in events[1::2]] == [[("stdout", "1\n", 0)]] * len(ODD)


FACTS = {
    "10 ** 6000": ("number", [hex(10**6000)]),
    "True": ("bool", [True]),
    "float('inf')": ("number", [float("inf")]),
    "1 - 2j": ("number", [{"re": 1.0, "im": -2.0}]),
    "type('I', (int,), {})(7)": ("number", [7]),
    "type('S', (str,), {})('a')": ("str", ["a"]),
    "'\\ud800'": ("str", ["\ud800"]),
}


def test_what_is_certain_of_odd_things_is_told(sessions: Sessions) -> None:
    seen = [events[0]["values"][0] for events in sessions.each(*(f"x = {expression}" for expression in FACTS))]
    assert [(value["kind"], value["data"]) for value in seen] == [*FACTS.values()]


def test_a_dimension_that_is_no_number_is_told_as_minus_one(sessions: Sessions) -> None:
    (events,) = sessions.run(ODD["a tensor whose shape has symbols"])
    shapes = [value["shape"] for one in events for value in one.get("values", ()) if value.get("shape")]
    assert shapes
    assert {tuple(shape) for shape in shapes} == {(2, -1, 3)}


def test_a_description_looks_at_a_bounded_number_of_objects(sessions: Sessions) -> None:
    def count(value: dict[str, Any]) -> int:
        return 1 + sum(count(item) for item in (*value.get("items", ()), *value.get("keys", ())))

    (events,) = sessions.run("x = [[[0] * 200 for _ in range(200)] for _ in range(20)]\nprint(x[:1])")
    assert max(count(value) for one in events for value in one["values"]) <= 21_000


LOOKED_UP = """
import json, sys
import torch
from deckgen.verify.worker.introspect import introspect

class Metaclass(type):
    def __getattribute__(self, name): raise ValueError

class Odd(metaclass=Metaclass):
    def __getattribute__(self, name): raise ValueError
    def __call__(self): pass

class Default:
    def __repr__(self): raise ValueError

def function(a=Default()): pass

torch.odd, torch.odder, torch.function = Odd(), Odd, function
names = ["torch.odd", "torch.odd.a", "torch.odd::a", "torch.odder", "torch.odder.a", "torch.function", "torch.ones"]
json.dump(introspect({"names": names}), sys.stdout)
"""


def test_an_object_that_breaks_when_it_is_looked_up_hides_no_other() -> None:
    ran = subprocess.run([sys.executable, "-c", LOOKED_UP], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    assert len(found["names"]) == 7
    assert found["names"]["torch.ones"]["object"] == "torch.ones"
    assert found["objects"]["torch.ones"]["signatures"]


WRITTEN = """
from deckgen.verify.worker.answer import frame_text
print(frame_text({"event": 0, "values": [{"shape": (object, {1: {2}}), "data": [10**6000, float("nan"), chr(0xd800)]}]}))
"""


def test_a_frame_that_holds_what_json_has_no_word_for_is_written_all_the_same() -> None:
    ran = subprocess.run([sys.executable, "-c", WRITTEN], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["values"][0]["data"][::2] == [hex(10**6000), "\ud800"]


FORGED = (
    b"[]", b"3", b'{"event": []}', b'{"event": 0, "kind": 3}', b'{"begin": {}}', b'{"end": 0}', b'{"begin": 0}',
    b"{", b'{"end": 0, "events": null}', b'{"broken": ""}',
)  # fmt: skip


@pytest.mark.parametrize("frame", FORGED)
def test_a_frame_that_our_worker_would_never_write_ends_the_session_not_deckgen(frame: bytes) -> None:
    reader = FrameReader("t")
    reader.feed(b'{"no": "token"}\n')
    taken = reader.feed(b"t " + frame + b"\n")
    outcome = reader.close({"exit": 0})
    assert not taken or outcome.reason
    assert outcome.culprit is not None
