"""The bear-off database: how many rolls any home board needs, and who wins, from tables built on this
machine.

`narde.bearoff(rules)` gives the database; the subpackage is called `bearoff_db` because `narde.bearoff` is
the function. Left to right: `homes` numbers the home boards, `turns` lists their afterstates, `one_sided` and
`two_sided` solve them, `tables` puts both together, `store` keeps them in a file, `domain` says which rows
they cover, `chances` and `best` work questions out, `database` answers them. All of it is loaded by the first
call, which keeps `import narde` fast.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from narde.kernels import as_threads, check_progress
from narde.rules import Rules
from narde.rules import rules as rules_of

if TYPE_CHECKING:
    from narde.bearoff_db.database import BearoffDatabase

__all__ = ["bearoff"]


def bearoff(
    rules: str | Rules = "long", *, threads: int = 1, progress: Callable[[int, int], None] | None = None
) -> BearoffDatabase:
    """The bear-off database for these rules.

    The first call builds the tables, which takes seconds, and keeps them in the user's cache folder, or in
    the one that the environment variable NARDE_CACHE names; later calls map that file into memory. Both games
    bear off alike and share it. `threads` and `progress`, called with (steps done, all steps), concern the
    build alone.

    Raises `InvalidRulesError` for house rules under which bearing off is another game (`prime_rule="never"`,
    `last_roll=True`), `InvalidArgumentError` for the options. Where the tables cannot be kept, a
    `RuntimeWarning` says so once and they stay in memory.
    """
    from narde.bearoff_db.database import BearoffDatabase
    from narde.bearoff_db.domain import check_rules
    from narde.bearoff_db.store import open_tables

    rule = check_rules(rules_of(rules))
    check_progress(progress)
    tables, path = open_tables(as_threads(threads), progress)
    return BearoffDatabase(rule, tables, path)
