"""The notebooks run from the first cell to the last."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parent.parent / "examples" / "notebooks").glob("*.ipynb"))


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    assert not [cell for cell in notebook.cells if cell.cell_type == "code" and cell.outputs]  # kept without output
    NotebookClient(notebook, timeout=None, kernel_name="python3").execute()
    assert all(cell.execution_count for cell in notebook.cells if cell.cell_type == "code")
