"""Every code block of the README and of docs/ does what it says."""

import doctest
import re
import shlex
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import pytest

from narde.cli import Parser
from narde.rules import Rules, rules, variants

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "benchmarks" / "README.md"]
PAGES += sorted((ROOT / "docs").glob("*.md"))


class Block(NamedTuple):
    """A fenced code block: the page, the line on which its code begins, its language, its code, and the word
    after the language, which names what it needs to run."""

    page: Path
    line: int
    language: str
    code: str
    needs: str = ""

    def __str__(self) -> str:
        return f"{self.page.name}:{self.line}"


def blocks_of(page: Path) -> list[Block]:
    """The fenced blocks of a page in order."""
    text = page.read_text(encoding="utf-8")
    found = re.finditer(r"^```([\w-]*) *([\w-]*)[^\n]*\n(.*?)^```[ \t]*$", text, re.M | re.S)
    return [Block(page, text.count("\n", 0, m.start()) + 2, m[1], m[3], m[2]) for m in found]


BLOCKS = [block for page in PAGES if page.exists() for block in blocks_of(page)]
PYTHON = [block for block in BLOCKS if block.language in {"python", "pycon"} and not block.needs]
NEEDS = {
    "dask": "test_executors_dask.py",
    "ray": "test_executors_ray.py",
    "slurm": "test_job_arrays.py",
    "slurm-after": "test_job_arrays.py",
    "torch": "test_peers_torch.py",
}
"""Blocks that other tests run, by the word after their language."""

EXTRAS = {"onnx.md": ("onnx", "onnxruntime")}
"""Pages whose blocks need more than the package itself."""

SHELL = [block for block in BLOCKS if block.language in {"bash", "console", "sh"}]


@pytest.mark.parametrize("page", sorted({block.page for block in PYTHON}), ids=lambda page: page.name)
def test_python_blocks_of_a_page_run_in_order(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page is one session: later blocks see the names of earlier ones, files land in a folder that is
    thrown away."""
    for library in EXTRAS.get(page.name, ()):
        pytest.importorskip(library)
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "docs"}
    for block in PYTHON:
        if block.page == page:
            run(block, names)


def run(block: Block, names: dict[str, object]) -> None:
    """Run a block, as a doctest where it shows prompts, as a script otherwise; its names are kept in
    `names`."""
    if ">>>" not in block.code:
        exec(compile("\n" * (block.line - 1) + block.code, str(block.page), "exec"), names)
        return
    examples = doctest.DocTestParser().get_doctest(
        block.code, names, str(block), str(block.page), block.line - 1
    )
    complaints: list[str] = []
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    doctest.DocTestRunner(verbose=False, optionflags=flags).run(
        examples, out=complaints.append, clear_globs=False
    )
    names.update(examples.globs)
    assert not complaints, "\n".join(complaints)


def shell_commands(block: Block) -> list[list[str]]:
    """The commands of a block as word lists, prompts, comments, output and pipes' right sides taken away."""
    lines = block.code.replace("\\\n", " ").splitlines()
    if any(line.startswith("$ ") for line in lines):
        lines = [line[2:] for line in lines if line.startswith("$ ")]
    commands = []
    for line in lines:
        lexer = shlex.shlex(line.split(" #")[0] + " ;", posix=True, punctuation_chars=True)
        lexer.whitespace_split = True
        words: list[str] = []
        for word in lexer:
            if word in {"&&", "||", "|", ";", "&", ">"}:
                commands += [words] if words else []
                words = []
            else:
                words.append(word)
    return commands


def test_shell_commands_are_split_as_a_shell_would() -> None:
    block = Block(
        Path("x.md"), 1, "bash", "$ pip install '.[all]' && narde games -n 3  # play\noutput\n$ a | b\n"
    )
    assert shell_commands(block) == [
        ["pip", "install", ".[all]"],
        ["narde", "games", "-n", "3"],
        ["a"],
        ["b"],
    ]


def test_blocks_know_their_language_and_line(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("text\n\n```python\nx = 1\n```\n\n```bash\nls\n```\n")
    assert [(b.line, b.language, b.code) for b in blocks_of(page)] == [
        (4, "python", "x = 1\n"),
        (8, "bash", "ls\n"),
    ]


def test_blocks_that_need_something_are_run_elsewhere() -> None:
    for needs in {block.needs for block in BLOCKS} - {""}:
        assert f'"{needs}"' in (ROOT / "tests" / NEEDS[needs]).read_text(encoding="utf-8")


def test_a_wrong_doctest_is_noticed() -> None:
    with pytest.raises(AssertionError, match="Expected"):
        run(Block(Path("x.md"), 1, "python", ">>> 1 + 1\n3\n"), {})


@pytest.mark.parametrize(
    ("words", "block"),
    [(words, block) for block in SHELL for words in shell_commands(block) if words[0] == "narde"],
    ids=lambda value: " ".join(value) if isinstance(value, list) else str(value),
)
def test_narde_commands_are_understood(words: list[str], block: Block) -> None:
    """What the documents say of the command line its parsers accept."""
    _, command, *rest = words
    parser = Parser(prog=f"narde {command}")
    import_module(f"narde.cli.{command}").add_arguments(parser)
    parser.parse_intermixed_args(rest)


def test_the_readme_begins_with_install_and_test() -> None:
    """`.ci/run` takes these commands from the README: one that installs and plays, one that tests."""
    commands = [words for block in SHELL if block.page.name == "README.md" for words in shell_commands(block)]
    assert commands[0][:4] == ["python", "-m", "pip", "install"]
    assert commands[1:3] == [["narde", "games"], ["python", "-m", "pytest"]]


def rules_table() -> dict[str, dict[str, str]]:
    """The first table of options in docs/rules.md: each with its value by variant, the sources taken away."""
    blocks = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8").split("\n\n")
    lines = next(block for block in blocks if block.startswith("| option |")).splitlines()
    head, _, *body = ([cell.strip(" `") for cell in line.strip("|").split("|")] for line in lines)
    return {row[0]: {name: cell.split(" (")[0] for name, cell in zip(head, row, strict=True)} for row in body}


def in_words(value: object) -> str:
    """A value of `Rules` as the page writes it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return (", ".join(map(str, value)) or "any") if isinstance(value, tuple) else str(value)


def test_the_table_of_rules_is_that_of_the_code() -> None:
    table = rules_table()
    assert list(table) == [field.name for field in fields(Rules) if field.name != "name"]
    for option, row in table.items():
        expected = {name: in_words(getattr(rules(name), option)) for name in variants()}
        assert {name: row[name] for name in variants()} == expected, option
