"""The games as environments of other libraries: Gymnasium, PettingZoo and OpenSpiel.

All three walk the same match (`rules/match.py`) in the same numbers (`rules/coding.py`), so a play and an observation
mean the same everywhere. Each needs its library: `pip install 'jeopardice[gymnasium]'` and so on.
"""
