"""Breaks the rules one small thing at a time and sees whether the tests notice: `make mutants`.

    python tools/mutants.py                                       all of them: hours
    python tools/mutants.py six                                   those of one module
    python tools/mutants.py --sample 300 --save build/300.jsonl   so many, drawn by --seed; goes on where it was stopped

Each mutant is a copy of the package with one comparison, number, operator, condition or statement of the kernel
changed. It runs uncompiled: first the clause tests, then, if they pass, random races against the referee and the
laws of legality. What all of them let live is printed, and is either a hole in the tests or a change that changes
nothing: `mutants_alike.py` says which and why, and those are only counted (`--explained` runs them too). A mutant
that takes many times as long as the unbroken package runs for ever; that is noticed too, and counted apart. Exit
status 1 if an unexplained one survives.

Whether a great change has blunted the tests, the same mutants tell before it and after it:

    git worktree add ../before v0.6.0
    python tools/mutants.py --sample 300 --common-with . --checkout ../before --save build/before.jsonl
    python tools/mutants.py --sample 300 --common-with ../before --save build/after.jsonl
    python tools/mutants.py --compare build/before.jsonl build/after.jsonl        status 1 if one lives that was killed

They are drawn from those that both checkouts have: the same function, line and change, in whichever module.
"""

from __future__ import annotations

import argparse
import ast
import copy
import hashlib
import json
import os
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import Enum
from functools import partial
from pathlib import Path
from subprocess import DEVNULL, Popen, TimeoutExpired

from mutants_alike import EQUIVALENT

ROOT = Path(__file__).resolve().parent.parent
MODULES = ("cards", "movement", "six", "tribute", "reach", "move_codes", "piles", "riderless", "turn", "ending")
CLAUSE_TESTS = (
    "test_movement.py",
    "test_six.py",
    "test_tribute.py",
    "test_ending.py",
    "test_bit_sets.py",
    "test_riderless.py",
    "test_riderless_moves.py",
    "test_teams.py",
    "test_ausgebremst.py",
    "test_ausgebremst_tribute.py",
)
UP_TO_06 = {  # what a test or a module was called, or a part of
    "test_bit_sets.py": "test_windows.py",
    "test_riderless_moves.py": "test_riderless.py",
    "test_ausgebremst_tribute.py": "test_ausgebremst.py",
    "move_codes": "moves",
}
SLOW = "shuffled_whatever or all_the_time or players_alternate or add_up"  # many shuffles, whole tournaments
RACES = 100
PYTEST = ("-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-W", "ignore::RuntimeWarning")


@dataclass
class Mutant:
    """One change: where, the line that it was, the line that it is, and the whole changed module."""

    module: str
    function: str
    line: int
    was: str
    now: str
    source: str
    number: int = 1  # of those in this function that read alike

    @property
    def name(self) -> str:
        """What it is called in every checkout that has it."""
        return f"{self.function}: {self.was} -> {self.now}" + (f" ({self.number})" if self.number > 1 else "")

    @property
    def explained(self) -> bool:
        """Whether it is known to change nothing."""
        return (f"{self.module}.{self.function}", self.was, self.now) in EQUIVALENT


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
    inside = {id(node): f.name for f in functions for statement in f.body for node in _walk(statement)}
    plain = ast.unparse(tree).splitlines()
    alike = Counter[tuple[str, str, str]]()
    for number, node in enumerate(_walk(tree)):
        if id(node) not in inside:
            continue
        for change in changes(node):
            changed = ast.unparse(ast.fix_missing_locations(_Change(number, change).visit(copy.deepcopy(tree))))
            pairs = zip(plain, changed.splitlines(), strict=True)
            was, now = next((old.strip(), new.strip()) for old, new in pairs if old != new)
            reads = inside[id(node)], was, now
            alike[reads] += 1
            yield Mutant(module, reads[0], getattr(node, "lineno", 0), was, now, changed, alike[reads])


class Fate(Enum):
    ALIVE = "ALIVE"
    KILLED = "KILLED"
    FOR_EVER = "RUNS FOR EVER"


def stages(module: str, checkout: Path) -> tuple[tuple[str, ...], ...]:
    """What a mutant of a module has to pass, as arguments of Python; the tests of its own clauses come first."""
    own = "ausgebremst" if module == "piles" else module
    tests = sorted(CLAUSE_TESTS, key=lambda name: own not in name)
    return (
        (*PYTEST, "-k", f"not ({SLOW})", *(test_in(checkout, name) for name in tests)),
        (test_in(checkout, "lockstep.py"), "--races", str(RACES), "--jobs", "1"),
        (*PYTEST, "-k", "agree or refused", test_in(checkout, "test_laws.py")),
    )


def test_in(checkout: Path, name: str) -> str:
    """Where a checkout has a test: in which folder differs from release to release."""
    for known in (name, UP_TO_06.get(name, name)):
        for file in sorted((checkout / "tests").rglob(known)):
            return str(file.relative_to(checkout))
    sys.exit(f"{checkout} has no {name} among its tests: say in tools/mutants.py what it is called now.")


def fate(mutant: Mutant, limits: list[float], checkout: Path) -> Fate:
    """What becomes of a mutant, with so many seconds for each stage."""
    with tempfile.TemporaryDirectory(prefix="mutant-") as folder:
        environment = package(mutant, Path(folder), checkout)
        for stage, limit in zip(stages(mutant.module, checkout), limits, strict=True):
            try:
                if not passes(stage, environment, checkout, limit):
                    return Fate.KILLED
            except TimeoutExpired:
                return Fate.FOR_EVER
    return Fate.ALIVE


def unbroken_times(module: str, checkout: Path) -> list[float]:
    """How many seconds each stage takes without any change."""
    times = []
    with tempfile.TemporaryDirectory(prefix="mutant-") as folder:
        environment = package(Mutant(module, "", 0, "", "", source(checkout, module)), Path(folder), checkout)
        for stage in stages(module, checkout):
            begun = time.monotonic()
            if not passes(stage, environment, checkout, None):
                sys.exit("The tests fail without any mutant: mend that first.")
            times.append(time.monotonic() - begun)
    return times


def source(checkout: Path, module: str) -> str:
    """A module of the kernel as it is."""
    return module_file(checkout / "src", module).read_text(encoding="utf-8")


def module_file(sources: Path, module: str) -> Path:
    """Where a module of the kernel is, whatever it is called in these sources."""
    kernel = sources / "avecaesar" / "kernel"
    file = kernel / f"{module}.py"
    return file if file.exists() else kernel / f"{UP_TO_06.get(module, module)}.py"


def package(mutant: Mutant, folder: Path, checkout: Path) -> dict[str, str]:
    """Write the mutant's package into a folder; returns the environment in which Python finds it."""
    sources, tests = folder / "src", checkout / "tests"
    shutil.copytree(checkout / "src", sources, ignore=shutil.ignore_patterns("__pycache__"))
    module_file(sources, mutant.module).write_text(mutant.source, encoding="utf-8")
    places = [str(sources), str(tests), str(tests / "support"), os.environ.get("PYTHONPATH", "")]
    return os.environ | {
        "PYTHONPATH": os.pathsep.join(places),
        "NUMBA_DISABLE_JIT": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONWARNINGS": "ignore",
    }


def passes(stage: tuple[str, ...], environment: dict[str, str], checkout: Path, limit: float | None) -> bool:
    """Whether a stage succeeds; TimeoutExpired if it takes longer than so many seconds."""
    command = [sys.executable, *stage]
    with Popen(command, env=environment, cwd=checkout, stdout=DEVNULL, stderr=DEVNULL, process_group=0) as process:
        try:
            return process.wait(limit) == 0
        except TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # its own processes too
            raise


# ---------------------------------------------------------------------- which, and what became of them


def mutants_in(checkout: Path, modules: Sequence[str]) -> list[Mutant]:
    """All that a checkout's modules can become."""
    return [mutant for module in modules for mutant in mutants_of(module, source(checkout, module))]


def drawn(mutants: Sequence[Mutant], many: int, seed: int) -> list[Mutant]:
    """So many of them, as they would be drawn from any checkout that has the same."""

    def lot(mutant: Mutant) -> bytes:
        return hashlib.sha256(f"{seed} {mutant.name}".encode()).digest()

    chosen = {mutant.name for mutant in sorted(mutants, key=lot)[:many]}
    return [mutant for mutant in mutants if mutant.name in chosen]


class Kept:
    """What became of mutants, in a file to go on with and to compare: a line each, after one that says of what."""

    def __init__(self, file: Path | None, checkout: Path) -> None:
        self.file = file
        self.fates: dict[str, Fate] = {}
        if file is None:
            return
        head = json.dumps({"mutants of": digest(checkout)})
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"{head}\n", encoding="utf-8")
        file.write_text(whole_lines(file), encoding="utf-8")  # to go on after them
        first, self.fates = read(file)
        if first != head:
            sys.exit(f"{file} tells of mutants of other sources or tests: name another file, or remove it.")

    def keep(self, mutant: Mutant, became: Fate) -> None:
        """Write it down at once."""
        if self.file is None or mutant.name in self.fates:
            return
        line = {"mutant": mutant.name, "module": mutant.module, "line": mutant.line, "became": became.name}
        with self.file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


def whole_lines(file: Path) -> str:
    """What is in a file, but for a line that was being written when somebody stopped it."""
    text = file.read_text(encoding="utf-8")
    return text[: text.rfind("\n") + 1]


def read(file: Path) -> tuple[str, dict[str, Fate]]:
    """Of what a file tells, and the fates in it."""
    first, *lines = whole_lines(file).splitlines() or [""]
    told = map(json.loads, lines)
    return first, {line["mutant"]: Fate[line["became"]] for line in told}


def digest(checkout: Path) -> str:
    """What changes with any of a checkout's sources and tests."""
    found = hashlib.sha256()
    for file in sorted(file for folder in ("src", "tests") for file in (checkout / folder).rglob("*.py")):
        found.update(f"{file.relative_to(checkout)}\0".encode() + file.read_bytes())
    return found.hexdigest()


def compare(before: Path, after: Path) -> int:
    """Print what became of mutants in two files; how many are not killed any more, or are in one of them only."""
    (_, one), (_, other) = read(before), read(after)
    both = [name for name in one if name in other]
    killed = {name: (one[name] != Fate.ALIVE, other[name] != Fate.ALIVE) for name in both}
    print(f"{len(both)} mutants in both: {sum(was for was, _ in killed.values())} killed before,"
          f" {sum(now for _, now in killed.values())} after.")  # fmt: skip
    lost = [f"lives now: {name}" for name in both if killed[name] == (True, False)]
    won = [f"killed now: {name}" for name in both if killed[name] == (False, True)]
    apart = [f"only in {before}: {name}" for name in one if name not in other]
    apart += [f"only in {after}: {name}" for name in other if name not in one]
    for line in (*lost, *won, *apart):
        print(line)
    return len(lost) + len(apart)


def main() -> int:
    """Run them, or compare what became of them; returns the exit status."""
    options = asked_for()
    if options.compare:
        return 1 if compare(*options.compare) else 0
    found = mutants_in(options.checkout, options.modules)
    if options.common_with:
        there = {mutant.name for mutant in mutants_in(options.common_with, options.modules)}
        found = [mutant for mutant in found if mutant.name in there]
    mutants = [mutant for mutant in found if options.explained or not mutant.explained]
    if options.sample is not None:
        found = mutants = drawn(mutants, options.sample, options.seed)
    kept = Kept(options.save, options.checkout)
    fates, known = Counter[Fate](), len(found) - len(mutants)
    for done, (mutant, became) in enumerate(run(mutants, kept, options), 1):
        kept.keep(mutant, became)
        if became == Fate.ALIVE and mutant.explained:
            known += 1
        else:
            fates[became] += 1
            if became != Fate.KILLED:
                print(
                    f"\n{became.value} {mutant.module}.py:{mutant.line}  {mutant.was}\n      now  {mutant.now}",
                    flush=True,
                )
        show_progress(done, len(mutants), fates[Fate.ALIVE])
    alive, for_ever = fates[Fate.ALIVE], fates[Fate.FOR_EVER]
    killed = fates[Fate.KILLED] + for_ever
    print(f"\n{len(found)} mutants: {killed} killed (of which {for_ever} ran for ever), {known} change nothing, "
          f"{alive} alive ({100 * killed / (len(found) - known):.1f} % of those that change something).")  # fmt: skip
    return 1 if alive else 0


def asked_for() -> argparse.Namespace:
    """What the command line wants."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="*", default=MODULES, help=f"of {', '.join(MODULES)} (default: all)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--explained", action="store_true", help="run also those that are known to change nothing")
    parser.add_argument("--sample", type=int, metavar="N", help="only so many")
    parser.add_argument("--seed", type=int, default=17, help="which ones those are (default: 17)")
    parser.add_argument("--checkout", type=Path, default=ROOT, metavar="FOLDER", help="break the rules of another one")
    parser.add_argument("--common-with", type=Path, metavar="FOLDER", help="only those that this checkout has as well")
    parser.add_argument("--save", type=Path, metavar="FILE", help="keep there what became of each, and go on with it")
    parser.add_argument("--compare", type=Path, nargs=2, metavar="FILE", help="what became of the same, twice")
    options = parser.parse_args()
    options.checkout = options.checkout.resolve()
    return options


def run(mutants: Sequence[Mutant], kept: Kept, options: argparse.Namespace) -> Iterator[tuple[Mutant, Fate]]:
    """What becomes of each, those that are known already first."""
    known = [mutant for mutant in mutants if mutant.name in kept.fates]
    yield from ((mutant, kept.fates[mutant.name]) for mutant in known)
    left = [mutant for mutant in mutants if mutant.name not in kept.fates]
    if not left:
        return
    limits = [5 * seconds + 10 for seconds in unbroken_times(left[0].module, options.checkout)]
    with ThreadPoolExecutor(options.jobs) as pool:
        yield from zip(left, pool.map(partial(fate, limits=limits, checkout=options.checkout), left), strict=True)


def show_progress(done: int, of: int, alive: int) -> None:
    """On a terminal one line that changes, in a log a line now and then."""
    text = f"{done}/{of} mutants, {alive} alive"
    if sys.stderr.isatty():
        print(f"\r{text} ", end="", file=sys.stderr, flush=True)
    elif done % 25 == 0:
        print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
