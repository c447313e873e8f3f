"""What to type next is told so that it works where one is."""

from __future__ import annotations

from pathlib import Path

import pytest

from avecaesar.program_name import called


def test_by_its_name_where_the_shell_finds_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "bin" / "avecaesar"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setattr("sys.argv", [str(program)])
    monkeypatch.setenv("PATH", str(program.parent))
    assert called() == "avecaesar"
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert called() == "bin/avecaesar"
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert called() == str(program)
    monkeypatch.setattr("sys.argv", ["src/avecaesar/__main__.py"])
    assert called().endswith(" -m avecaesar")
