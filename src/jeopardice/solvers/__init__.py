"""The numeric solvers: one file per kind of goal. They return values and never print, cache or save."""
