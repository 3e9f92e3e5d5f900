"""The family of points games: turns earn points, races are run to a target."""
