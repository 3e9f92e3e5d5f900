"""Every value of a solution as a table in a file: CSV, JSON, NPY, NPZ or Parquet, with what it is about.

The columns are the parts of a position in the words of `advise`, then `value`. A cell is a whole number, a float, true or
false, or a text (a fraction, or a mode that is neither). `docs/data.md` documents the columns of every goal.
"""

import csv
import io
import json
from math import isfinite
from typing import Any

import numpy as np

from jeopardice.types import Array, Blocks, Json, Keywords

SUFFIXES = (".csv", ".json", ".npy", ".npz", ".parquet")
KINDS: tuple[type, ...] = (bool, int, float)
"""The types of cells that are not texts."""


def value_rows(solution: Any) -> tuple[list[str], list[list[Json]]]:
    """Return the column names and the rows of a solution's values."""
    if not hasattr(solution, "rows"):
        raise TypeError(f"a solution with a table of values is needed, as solve returns it, got {type(solution)!r}")
    rows = [dict(row) for row in solution.rows()]
    return list(rows[0]), [list(row.values()) for row in rows]


def table_file(suffix: str, columns: list[str], rows: list[list[Json]], about: Keywords) -> bytes:
    """Return the content of a file; `about` goes into the kinds that have room for it (JSON, NPZ, Parquet)."""
    if suffix == ".json":
        finite = [[None if isinstance(cell, float) and not isfinite(cell) else cell for cell in row] for row in rows]
        return json.dumps({**about, "columns": columns, "rows": finite}, default=str).encode()
    if suffix == ".csv":
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([columns, *rows])
        return text.getvalue().encode()
    content = io.BytesIO()
    if suffix == ".npy":
        np.save(content, np.array(_numbers(columns, rows)), allow_pickle=False)
    elif suffix == ".npz":
        arrays = as_arrays(columns, rows)
        np.savez_compressed(content, allow_pickle=False, about=np.array(json.dumps(about, default=str)), **arrays)
    else:
        _write_parquet(content, as_arrays(columns, rows), about)
    return content.getvalue()


def _numbers(columns: list[str], rows: list[list[Json]]) -> list[list[float]]:
    for name, cells in zip(columns, zip(*rows, strict=True), strict=True):
        for cell in cells:
            if isinstance(cell, str | tuple):
                raise ValueError(
                    f".npy files hold numbers only, and {name} has {cell!r} here; write .csv, .json or .npz"
                )
    return [[float(cell) for cell in row] for row in rows]


def as_arrays(columns: list[str], rows: list[list[Json]]) -> dict[str, Array]:
    """Return one array for each column: whole numbers, floats, truths, or texts where cells are anything else.

    >>> as_arrays(["mine", "mode"], [[1, (2, "x")], [3, None]])
    {'mine': array([1, 3]), 'mode': array(["(2, 'x')", 'None'], dtype='<U8')}
    """
    arrays = {}
    for name, cells in zip(columns, zip(*rows, strict=True), strict=True):
        plain = all(isinstance(cell, (*KINDS, np.integer, np.floating, np.bool_)) for cell in cells)
        arrays[name] = np.array(cells if plain else [str(cell) for cell in cells])
    return arrays


def _write_parquet(content: io.BytesIO, arrays: Blocks, about: Keywords) -> None:
    try:
        import pyarrow
        from pyarrow import parquet
    except ModuleNotFoundError:
        raise ValueError(
            "Parquet files need the package pyarrow, which is not installed; pip install 'jeopardice[data]', or write "
            ".csv or .npz"
        ) from None
    columns = {name: pyarrow.array(array.tolist()) for name, array in arrays.items()}
    table = pyarrow.table(columns, metadata={"jeopardice": json.dumps(about, default=str)})
    parquet.write_table(table, content)
