"""GNU Backgammon (package `gnubg`) rolls out a play: `python benchmarks/gnubg_rollout.py TRIALS SEED`.

A program of its own, because GNU Backgammon tells what it has found on standard output alone and keeps its
state for the whole process.
"""

from __future__ import annotations

import sys
import time

COMMANDS = """
set player 0 human
set player 1 human
set automatic roll off
set automatic game off
set sound enable off
new session
set board 4HPwATDgc/ABMA
set turn 1
set dice 3 1
set threads 1
set rollout trials {trials}
set rollout seed {seed}
set rollout cubeful off
set rollout varredn on
set rollout quasirandom on
set rollout initial off
set rollout truncation enable off
set rollout bearofftruncation exact off
set rollout bearofftruncation onesided off
set rollout chequerplay plies 0
set rollout cubedecision plies 0
move 8/5 6/5
previous
analyse move
cmark move set rollout 1
"""
"""Up to the rollout of 3-1: 8/5 6/5 from the starting position, which is the play that it ranks first."""


def main() -> None:
    """Roll out, which prints the outcome, and print how long that took."""
    import gnubg

    trials, seed = map(int, sys.argv[1:])
    for command in COMMANDS.format(trials=trials, seed=seed).strip().splitlines():
        gnubg.command(command)
    start = time.perf_counter()
    gnubg.command("analyse rollout move")
    print(f"took {time.perf_counter() - start} s", flush=True)


if __name__ == "__main__":
    main()
