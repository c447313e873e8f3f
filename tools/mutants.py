"""Breaks the rules one small thing at a time and sees whether the tests notice: `make mutants`.

Each mutant is a copy of the package with one comparison, number, operator, condition or statement of the kernel
changed. It runs uncompiled: first the clause tests, then, if they pass, random races against the referee and the
laws of legality. What all of them let live is printed, and is either a hole in the tests or a change that changes
nothing (`EQUIVALENT` says which and why). Exit status 1 if an unexplained one survives.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from subprocess import DEVNULL, run

ROOT = Path(__file__).parent.parent
MODULES = ("cards", "movement", "six", "tribute", "turn", "ending")
CLAUSE_TESTS = ("test_movement.py", "test_six.py", "test_tribute.py", "test_ending.py", "test_windows.py")
TIME_LIMIT = 40
RACES = 150

# Changes that change nothing: module, source line and what it became, each with its reason.
AT_THE_END = "no reach comes near the window's end"
BIT = "return ONE << np.uint64(ahead) if ahead < 64 else NONE"
BEYOND = "return ~NONE << np.uint64(to_line) if to_line < 64 else NONE"
EQUIVALENT: dict[tuple[str, str, str], str] = {
    ("movement", "if ahead < 0:", "ahead <= 0"): "nobody asks for the window of a space that holds that space itself",
    ("movement", "if ahead < 0:", "1"): "nobody asks for the window of a space that holds that space itself",
    ("movement", BIT, "ahead <= 64"): AT_THE_END,
    ("movement", BIT, "65"): AT_THE_END,
    ("movement", BIT, "63"): AT_THE_END,
    ("movement", BEYOND, "to_line <= 64"): AT_THE_END,
    ("movement", BEYOND, "65"): AT_THE_END,
    ("movement", BEYOND, "63"): AT_THE_END,
    ("movement", "if there < race.space[i]:", "there <= race.space[i]"): "a move never ends where it began",
    ("six", "fewest = np.int64(FAR - 1)", "2"): "any number larger than a race and smaller than FAR will do",
}


@dataclass
class Mutant:
    """One change: where, what it was, what it is, and the whole changed module."""

    module: str
    line: int
    was: str
    now: str
    source: str


COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.Mult: ast.FloorDiv,
    ast.Mod: ast.Mult,
}


def changes(node: ast.AST) -> Iterator[Callable[[ast.AST], ast.AST]]:
    """Ways to change one node; each takes a copy of it."""
    match node:
        case ast.Compare(ops=[op]):
            for other in COMPARISONS.get(type(op), ()):
                yield lambda n, other=other: _set(n, ops=[other()])  # type: ignore[misc]
        case ast.BoolOp(op=op):
            yield lambda n: _set(n, op=ast.Or() if isinstance(op, ast.And) else ast.And())
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield lambda n: copy.deepcopy(operand)
        case ast.UnaryOp(op=ast.Invert(), operand=operand):
            yield lambda n: copy.deepcopy(operand)
        case ast.BinOp(op=op) | ast.AugAssign(op=op) if type(op) in OPERATORS:
            yield lambda n: _set(n, op=OPERATORS[type(op)]())
        case ast.Constant(value=bool() as value):
            yield lambda n: ast.Constant(not value)
        case ast.Constant(value=int() as value):
            yield lambda n: ast.Constant(value + 1)
            if value > 0:
                yield lambda n: ast.Constant(value - 1)
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
            yield lambda n: _set(n, test=ast.UnaryOp(ast.Not(), copy.deepcopy(test)))
        case ast.Assign() | ast.AugAssign():
            yield lambda n: ast.Pass()
        case ast.Expr(value=ast.Call()):
            yield lambda n: ast.Pass()
        case ast.Continue() | ast.Break():
            yield lambda n: ast.Pass()


def _set(node: ast.AST, **fields: object) -> ast.AST:
    for name, value in fields.items():
        setattr(node, name, value)
    return node


class _Change(ast.NodeTransformer):
    """Applies one change to the n-th node of a walk."""

    def __init__(self, target: int, change: Callable[[ast.AST], ast.AST]) -> None:
        self.target, self.change, self.at = target, change, -1

    def generic_visit(self, node: ast.AST) -> ast.AST:
        self.at += 1
        if self.at == self.target:
            return ast.copy_location(self.change(copy.deepcopy(node)), node)
        return super().generic_visit(node)


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """In the order in which a NodeTransformer visits."""
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _walk(child)


def mutants_of(module: str, text: str) -> Iterator[Mutant]:
    tree = ast.parse(text)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    inside = {id(node) for function in functions for statement in function.body for node in _walk(statement)}
    lines = text.splitlines()
    for number, node in enumerate(_walk(tree)):
        if id(node) not in inside:
            continue
        for change in changes(node):
            changed = ast.fix_missing_locations(_Change(number, change).visit(copy.deepcopy(tree)))
            line = getattr(node, "lineno", 0)
            now = ast.unparse(ast.copy_location(change(copy.deepcopy(node)), node))
            yield Mutant(module, line, lines[line - 1].strip(), now, ast.unparse(changed))


def survives(mutant: Mutant) -> bool:
    with tempfile.TemporaryDirectory(prefix="mutant-") as folder:
        sources = Path(folder) / "src"
        shutil.copytree(ROOT / "src", sources, ignore=shutil.ignore_patterns("__pycache__"))
        (sources / "avecaesar" / "kernel" / f"{mutant.module}.py").write_text(mutant.source, encoding="utf-8")
        environment = os.environ | {
            "PYTHONPATH": os.pathsep.join([str(sources), str(ROOT / "tests"), os.environ.get("PYTHONPATH", "")]),
            "NUMBA_DISABLE_JIT": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONWARNINGS": "ignore",
        }
        tests = [str(ROOT / "tests" / name) for name in CLAUSE_TESTS]
        quick = ["-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-W", "ignore::RuntimeWarning", *tests]
        races = [str(ROOT / "tests" / "lockstep.py"), "--races", str(RACES), "--jobs", "1"]
        laws = [*quick[: -len(tests)], "-k", "agree or refused", str(ROOT / "tests" / "test_laws.py")]
        return all(passes([sys.executable, *command], environment) for command in (quick, races, laws))


def passes(command: list[str], environment: dict[str, str]) -> bool:
    """Whether a command succeeds in time; a mutant that runs for ever is noticed too."""
    limited = ["timeout", "--signal", str(signal.SIGKILL.value), str(TIME_LIMIT), *command]
    return run(limited, env=environment, cwd=ROOT, stdout=DEVNULL, stderr=DEVNULL, check=False).returncode == 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="*", default=MODULES, help=f"of {', '.join(MODULES)} (default: all)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    unbroken = {m: (ROOT / "src" / "avecaesar" / "kernel" / f"{m}.py").read_text("utf-8") for m in options.modules}
    if not survives(Mutant(*[options.modules[0], 0, "", "", unbroken[options.modules[0]]])):
        sys.exit("The tests fail without any mutant: mend that first.")
    mutants = [mutant for module, text in unbroken.items() for mutant in mutants_of(module, text)]
    alive = known = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for done, (mutant, lives) in enumerate(zip(mutants, pool.map(survives, mutants), strict=True), 1):
            if sys.stderr.isatty():
                print(f"\r{done}/{len(mutants)} mutants, {alive} alive ", end="", file=sys.stderr, flush=True)
            if not lives:
                continue
            if (mutant.module, mutant.was, mutant.now) in EQUIVALENT:
                known += 1
                continue
            alive += 1
            print(f"\nALIVE {mutant.module}.py:{mutant.line}  {mutant.was}\n      now  {mutant.now}", flush=True)
    killed = len(mutants) - alive - known
    print(f"\n{len(mutants)} mutants: {killed} killed, {known} change nothing, {alive} alive "
          f"({100 * killed / (len(mutants) - known):.1f} % of those that change something).")  # fmt: skip
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main())
