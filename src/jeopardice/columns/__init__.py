"""The family of column games: Can't Stop, where markers climb columns."""
