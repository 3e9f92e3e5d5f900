"""Figures, drawn on a matplotlib `Figure`: races alone (`alone`), duels (`duel`).

Drawing needs the extra `figures` (matplotlib), which is imported when something is drawn.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from jeopardice.figures.duel import draw_maps, draw_surface, paint_surface, stop_surface, write_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_maps", "draw_surface", "new_figure", "paint_surface", "save_figure", "stop_surface"]

SUFFIXES = (".png", ".svg", ".pdf")


def new_figure(width: float = 7.0, height: float = 4.4) -> Any:
    """Return an empty matplotlib figure, in inches."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def save_figure(figure: "Figure", path: str | Path) -> Path:
    """Write a figure to a PNG, SVG or PDF file, named by its ending."""
    if Path(path).suffix not in SUFFIXES:
        raise ValueError(f"a figure is written to {', '.join(SUFFIXES)}, got {str(path)!r}")
    return write_figure(figure, path)
