"""Runs each notebook, compares its text output with the committed output, and checks that no labels overlap in its pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[2] / "notebooks"
NOTEBOOKS = sorted(path.name for path in FOLDER.glob("*.ipynb"))


LOOK = """
from itertools import combinations
from matplotlib.figure import Figure
from matplotlib.text import Annotation

overlapping = set()


def look(figure, renderer, draw=Figure.draw):
    draw(figure, renderer)
    labels = [(label.get_text(), label.get_window_extent(renderer).padded(-1)) for label in figure.findobj(Annotation)]
    overlapping.update((one, other) for (one, its), (other, box) in combinations(labels, 2) if its.overlaps(box))


Figure.draw = look
"""


def texts(notebook: Any) -> list[str]:
    """Returns, for each code cell, one string with the text that the cell prints or returns.

    Omits pictures, HTML, Spark's log messages, and cells tagged ``varies``.
    """
    return [
        "".join(
            output.get("text") or output["data"]["text/plain"]
            for output in cell.outputs
            if output.get("name") == "stdout" or "image/png" not in output.get("data", {"image/png": ""})
        )
        for cell in notebook.cells
        if cell.cell_type == "code" and "varies" not in cell.metadata.get("tags", [])
    ]


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS


@pytest.mark.filterwarnings("ignore")  # the libraries that run notebooks cause warnings
@pytest.mark.parametrize("name", NOTEBOOKS)
def test_notebook(classic_only: None, name: str) -> None:
    committed = nbformat.read(FOLDER / name, as_version=4)
    executed = nbformat.read(FOLDER / name, as_version=4)

    executed.cells.insert(0, nbformat.v4.new_code_cell(LOOK))
    executed.cells.append(nbformat.v4.new_code_cell("assert not overlapping, overlapping"))
    NotebookClient(executed, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(FOLDER)}}).execute()

    assert texts(executed)[1:-1] == texts(committed)
