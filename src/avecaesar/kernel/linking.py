"""Two ways through Numba's compiler: a part as far as LLVM's intermediate code, an entry together with all its parts.

By default Numba optimises a function together with all that it calls, so one that lies six calls deep is optimised six
times, and wrapped for Python each time, though only entries are ever called from there: half of the time. So a part is
translated once and waits; an entry gathers its parts, the parts of these and so on, and LLVM sees all of them once.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from llvmlite.binding import create_new_module_pass_manager
from numba.core.codegen import CodeLibrary, JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder, _LowerResult
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.typed_passes import NativeLowering


class PartLibrary(JITCodeLibrary):  # type: ignore[misc]  # Numba is untyped
    """One function as intermediate code, and the libraries of those that it calls."""

    _linking_libraries: list[Any]
    _with_parts: Any = None

    def finalize(self) -> None:
        """It is complete: there is nothing to optimise or load."""
        self._raise_if_finalized()
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """For callers that Numba compiles in its own way, such as people's own: with all that it calls."""
        if self._with_parts is None:
            self._with_parts = super()._get_module_for_linking().clone()
            for library in _gathered(self._linking_libraries):
                self._with_parts.link_in(library._get_module_for_linking(), preserve=True)
        return self._with_parts


class _Alone:
    """A part without those that it calls, for an entry that has them already."""

    def __init__(self, part: PartLibrary) -> None:
        self._part = part
        self._reload_init = part._reload_init

    def _get_module_for_linking(self) -> Any:
        return JITCodeLibrary._get_module_for_linking(self._part)


def _gathered(libraries: Iterable[Any]) -> list[Any]:
    """Libraries and all that they need, each once."""
    found: dict[CodeLibrary, Any] = {}
    waiting = list(libraries)
    while waiting:
        library = waiting.pop(0)
        if library not in found:
            part = isinstance(library, PartLibrary)  # any other has its own linked already
            found[library] = _Alone(library) if part else library
            waiting += library._linking_libraries if part else []
    return list(found.values())


class EntryLibrary(JITCodeLibrary):  # type: ignore[misc]
    """An entry and all its parts as machine code."""

    _linking_libraries: list[Any]

    def finalize(self) -> None:
        """Link what the entry calls, and what that calls; then optimise and load it all."""
        self._linking_libraries = _gathered(self._linking_libraries)
        super().finalize()

    def serialize_using_object_code(self) -> Any:
        """For the cache, and without the names of local values, which are half of what every start would read."""
        stripping = create_new_module_pass_manager()
        stripping.add_strip_symbols_pass()
        stripping.run(self._get_module_for_linking(), self._codegen._pass_builder())
        return super().serialize_using_object_code()


@register_pass(mutates_CFG=True, analysis_only=False)
class PartLowering(NativeLowering):  # type: ignore[misc]
    """Translates a part."""

    _name = "avecaesar_part_lowering"

    def run_pass(self, state: Any) -> bool:
        """Make no machine code, and nothing that Python could call."""
        state.library = PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_cpython_wrapper = state.flags.no_cfunc_wrapper = state.flags.no_compile = True
        super().run_pass(state)
        state.library.finalize()
        lowered = state["cr"]
        name = object()  # by which its callers find it, where otherwise its wrapper would stand
        state.targetctx.insert_user_function(name, lowered.fndesc, [state.library])
        state["cr"] = _LowerResult(lowered.fndesc, lowered.call_helper, cfunc=name, env=lowered.env)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class EntryLowering(NativeLowering):  # type: ignore[misc]
    """Translates an entry."""

    _name = "avecaesar_entry_lowering"

    def run_pass(self, state: Any) -> bool:
        """As Numba does it, but for the parts; and nobody calls it from C."""
        state.library = EntryLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        state.flags.no_cfunc_wrapper = True
        return bool(super().run_pass(state))


def _pipeline(state: Any, lowering: type[NativeLowering]) -> PassManager:
    manager = DefaultPassBuilder.define_nopython_pipeline(state)
    manager.passes = [(lowering, words) if each is NativeLowering else (each, words) for each, words in manager.passes]
    manager.finalize()
    return manager


class PartCompiler(CompilerBase):  # type: ignore[misc]
    """The compiler for a function that only compiled code calls."""

    def define_pipelines(self) -> list[PassManager]:
        """Numba's own, but for the translation."""
        return [_pipeline(self.state, PartLowering)]


class EntryCompiler(CompilerBase):  # type: ignore[misc]
    """The compiler for a function that Python calls."""

    def define_pipelines(self) -> list[PassManager]:
        """Likewise."""
        return [_pipeline(self.state, EntryLowering)]
