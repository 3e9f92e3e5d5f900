"""Exact laws under given strategies: what a turn earns, how many turns a race takes, and both in the long run."""
