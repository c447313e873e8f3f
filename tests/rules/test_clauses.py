"""Every clause is data, is told to players, and is proved by a test that names it."""

from __future__ import annotations

import ast
import re

from avecaesar.rules import EDITIONS, Rules, clauses, offered
from checkout import TESTS

RULES_MD = (TESTS.parent / "docs" / "RULES.md").read_text(encoding="utf-8")


def in_rules_md() -> list[str]:
    return re.findall(r"^- \*\*([A-Z]+-\d+)\*\*", RULES_MD, re.MULTILINE)


def named_by_tests() -> set[str]:
    named: set[str] = set()
    for file in TESTS.rglob("test_*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                for mark in node.decorator_list:
                    if isinstance(mark, ast.Call) and ast.unparse(mark.func) in ("clause", "pytest.mark.clause"):
                        named |= {ast.literal_eval(argument) for argument in mark.args}
    return named


def test_no_clause_of_rules_md_is_missing_and_they_stand_in_its_order() -> None:
    ours = [name for name in clauses() if not name.startswith("OWN-")]
    assert ours == in_rules_md()


def test_every_clause_is_named_by_a_test() -> None:
    assert set(clauses()) - named_by_tests() == set()


def test_no_test_names_a_clause_that_does_not_exist() -> None:
    assert named_by_tests() - set(clauses()) == set()


def test_clauses_name_known_editions_options_and_sources() -> None:
    for clause in clauses().values():
        assert set(clause.editions) <= set(EDITIONS)
        assert set(clause.options) <= set(offered())
        assert set(clause.sources) <= {"000", "001", "002", "003", "004", "design", "ruling"}
        assert clause.sources
        assert clause.title
        assert clause.text


def test_editions_set_what_the_table_of_rules_md_says() -> None:
    rows = re.findall(r"^\| `(\w+)` \|(.+)\|$", RULES_MD, re.MULTILINE)
    assert [name for name, _ in rows] == list(offered())
    for name, row in rows:
        for edition, cell in zip(EDITIONS, (cell.strip() for cell in row.split("|")), strict=True):
            value = getattr(EDITIONS[edition].rules, name)
            told = " ".join(map(str, value)) if isinstance(value, tuple) else str(value)
            assert told == cell.strip("()"), (edition, name)


def test_the_default_is_ravensburger() -> None:
    assert Rules() == EDITIONS["ravensburger"].rules
