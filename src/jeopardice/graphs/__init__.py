"""Any game written out: game graphs, stochastic games and matrix games."""
