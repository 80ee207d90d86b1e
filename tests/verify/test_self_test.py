"""The self-test notices each layer that is taken away: no word about the sandbox without a proof that could fail."""

import json
import subprocess
import sys

import pytest
from processes import GUARD

from deckgen.verify.engine.runner import WORKER

pytestmark = [
    pytest.mark.own_workers,
    pytest.mark.slow,
    pytest.mark.linux("the layers are Linux's"),
]

ATTEMPT = """
import json, sys, tempfile, types
package = sys.modules["worker"] = types.ModuleType("worker")
package.__path__ = [{folder!r}]
from worker.sandbox import confine, layers, root, seccomp, self_test, world
{change}
world = world.World(tempfile.mkdtemp(prefix="deckgen-"), True)
guard, verdict = world.guarded()
print(json.dumps([guard.layers(), verdict["sandbox"]]))
"""

NO_NAMESPACES = "root.works = lambda folder: False\n"
NO_LANDLOCK = "layers.abi = lambda: 0\n"
NO_SECCOMP = "seccomp.Seccomp.is_there = staticmethod(lambda: False)\n"
NO_ROOT_RULES = (
    "made = seccomp.Seccomp.__init__\n"
    "seccomp.Seccomp.__init__ = lambda self, rules: made(self, rules._replace(own_root=True))\n"
)
KEPT_POWERS = "layers.drop_capabilities = lambda: None\n"

LAYERS = {
    "nothing": ("", []),
    "seccomp": (
        NO_SECCOMP,
        [
            "open a network socket",
            "change the parent's limits",
            "leave the process group",
            "have others wait for a file",
        ],
    ),
    "namespaces and Landlock": (
        NO_NAMESPACES + NO_LANDLOCK,
        ["read outside", "write outside", "use the machine's shared memory", "list the home folder"],
    ),
    "namespaces and the rules for a root that others share": (
        NO_NAMESPACES + NO_ROOT_RULES,
        ["connect to a socket with a path", "send to a socket with a path", "change a mode outside"],
    ),
    "mounts that are read-only": (
        "root.kernel.restrict_mount = lambda *_, **__: None\n",
        ["change a mode outside", "change a time outside"],
    ),
    "limits": ("confine.set_limits = lambda limits: None\n", ["take memory without bound"]),
    "the watch over memory": (
        "self_test.processes.memory = lambda pid: 0\n",
        ["take memory in many processes"],
    ),
    "dropped capabilities, Landlock and seccomp": (
        NO_SECCOMP + NO_LANDLOCK + KEPT_POWERS,
        ["use powers of root", "mount a file system"],
    ),
    "everything": (
        NO_NAMESPACES + NO_LANDLOCK + NO_SECCOMP + KEPT_POWERS,
        ["read outside", "signal the parent", "gain powers by a program", "read the parent's environment"],
    ),
}
"""What is taken away -> acts that then go through, among others."""


@pytest.mark.parametrize("layer", LAYERS)
def test_the_self_test_names_what_a_missing_layer_lets_through(layer: str) -> None:
    change, acts = LAYERS[layer]
    code = ATTEMPT.format(folder=str(WORKER.parent), change=change)
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=GUARD)
    layers, found = json.loads(ran.stdout)
    assert "rlimits" in layers
    if acts:
        assert {act for act in acts if act not in found} == set()
    else:
        assert "open" not in found
