"""Prints the board of the README: `python docs/board.py > docs/board.svg`."""

import narde

GAME = ("65 43 52 62 61 53 42 64 31 54 63 41", "0 0 0 0 1 1 2 0 1 4 2 0")
"""The dice of the first twelve turns, and which afterstate of each was chosen."""

row = narde.starting_row("long")
for dice, choice in zip(*map(str.split, GAME), strict=True):
    row = narde.afterstates([row], [tuple(map(int, dice))]).positions[int(choice)]

print(
    narde.draw.svg(
        row, dice=(6, 3), moves=[(24, 21), (15, 9)], names=("Light", "Dark"), title="Long nardy: 24/21 15/9"
    )
)
