"""What every family's solver shares, and no game: fixed points, the order of work, estimates, progress."""
