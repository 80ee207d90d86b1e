"""Inductor, the default backend: modes, options, fusion, and what it needs."""

# region modes
import torch

modes = torch._inductor.list_mode_options()
print(modes["default"], modes["reduce-overhead"])
# Output:
# {} {'triton.cudagraphs': True}
# endregion

# region unknown_option
import torch

for options in ({"max_autotune": True}, {"max_autotun": True}):
    try:
        torch.compile(torch.relu, options=options)
        print("accepted")
    except RuntimeError as error:
        print(str(error)[:30])
# Output:
# accepted
# Unexpected optimization option
# endregion

# region backend_options
import torch

def backend(gm, inputs, **kwargs):
    print(kwargs)
    return gm.forward

options = {"level": 3}
f = torch.compile(torch.relu, backend=backend, options=options)
f(torch.ones(1))
# Output:
# {'options': {'level': 3}}
# endregion

# region unknown_backend
import torch

for name in ("eager", "egaer"):
    try:
        f = torch.compile(torch.relu, backend=name)
        print(f(torch.ones(1)))
    except Exception as error:
        print(type(error).__name__)
# Output:
# tensor([1.])
# InvalidBackend
# endregion

# region proof_modes
import torch

listed = torch._inductor.list_mode_options
assert listed("max-autotune")["max_autotune"] is True
assert listed("max-autotune")["triton.cudagraphs"] is True
assert listed("max-autotune-no-cudagraphs")["max_autotune"] is True
assert "triton.cudagraphs" not in listed("max-autotune-no-cudagraphs")
try:
    torch.compile(torch.relu, mode="max-autotune", options={"epilogue_fusion": True})
    raise AssertionError("both taken")
except RuntimeError as error:
    assert str(error).startswith("Either mode or options can be specified")
torch.compile(torch.relu, options={**listed("max-autotune"), "epilogue_fusion": True})
told = " ".join(torch.compile.__doc__.split())
assert "reduces the overhead of python with CUDA graphs, useful for small batches" in told
assert "Reduction of overhead can come at the cost of more memory usage" in told
assert "`max_autotune` which will profile to pick the best matmul configuration" in told
assert '"inductor" is the default backend' in told
# endregion

# region proof_backends
import torch

shown, all_of_them = torch.compiler.list_backends(), torch.compiler.list_backends(())
assert "inductor" in shown and "inductor" in all_of_them
for name in ("eager", "aot_eager"):
    assert name not in shown and name in all_of_them
    assert name not in torch.compiler.list_backends(("debug",))
# what each of them runs
import torch._functorch.aot_autograd as aot
from unittest import mock

ran = []
real = aot.aot_module_simplified
def watched(*args, **kwargs):
    ran.append("aot")
    return real(*args, **kwargs)
with mock.patch("torch._dynamo.backends.common.aot_module_simplified", watched):
    for name in ("eager", "aot_eager"):
        torch.compiler.reset()
        ran.append(name)
        torch.compile(lambda x: x + 1, backend=name)(torch.ones(1))
assert ran == ["eager", "aot_eager", "aot"], ran
# endregion

# region proof_generated_code
import logging
import shutil
import torch

config = torch._inductor.config
if hasattr(config, "cpu_backend"):
    assert config.cpu_backend == "cpp" and config.cuda_backend == "triton"
if shutil.which("g++"):
    from torch._inductor import metrics
    from torch._inductor.utils import run_and_get_code

    torch.compiler.reset()
    x = torch.ones(100_000)
    with config.patch(compile_threads=1, force_disable_caches=True):
        metrics.reset()
        f = torch.compile(lambda x: x.sin().cos() + 1)
        result, (code, *_) = run_and_get_code(f, x)
        assert torch.allclose(result, x.sin().cos() + 1)
        assert metrics.generated_kernel_count == 1
        assert "#pragma omp" in code
        assert code.count("(in_ptr0 + ") == 1 and code.count("(out_ptr0 + ") == 1
        # a product of matrices goes to a library
        metrics.reset()
        f = torch.compile(lambda x: torch.relu(x @ x + 1))
        _, (code, *_) = run_and_get_code(f, torch.ones(64, 64))
        assert metrics.generated_kernel_count == 1 and "extern_kernels.mm(" in code
        # what is between the operations of one kernel is float32
        x = torch.full((1,), 256.0, dtype=torch.bfloat16)
        g = lambda x: (x + 1) - x
        assert g(x) == 0 and torch.compile(g)(x) == 1
        # random numbers of its own, unless asked
        def draw(f):
            torch.manual_seed(0)
            return f()
        r = lambda: torch.rand(3)
        assert not draw(torch.compile(r)).equal(draw(r))
        torch.compiler.reset()
        with config.patch(fallback_random=True):
            assert draw(torch.compile(r)).equal(draw(r))
    # without a C++ compiler the first call fails, not torch.compile
    torch.compiler.reset()
    with config.patch({"cpp.cxx": ("no-such-compiler",), "force_disable_caches": True, "compile_threads": 1}):
        from torch._inductor import cpp_builder
        for name in ("get_cpp_compiler", "_is_gcc", "_is_clang", "_is_intel_compiler"):
            getattr(getattr(cpp_builder, name, None), "cache_clear", lambda: None)()
        f = torch.compile(lambda x: x.tan() + 1)
        logging.disable(logging.CRITICAL)
        try:
            f(torch.ones(9))
            raise SystemExit("ran without a compiler")
        except Exception as error:
            assert "No working C++ compiler found" in str(error), error
        finally:
            logging.disable(logging.NOTSET)
            for name in ("get_cpp_compiler", "_is_gcc", "_is_clang", "_is_intel_compiler"):
                getattr(getattr(cpp_builder, name, None), "cache_clear", lambda: None)()
    torch.compiler.reset()
print("inductor as told")
# endregion
