"""Games at a terminal or in a pipe: what is shown, what is typed, and how a match is kept on disk."""
