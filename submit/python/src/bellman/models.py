"""Fits models to all rows of a DataFrame, in the session of the DataFrame."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


class HiddenMarkovModel(NamedTuple):
    """A hidden Markov model, and the log-probabilities of the iterations that fitted it."""

    #: The probability of each state at the first step.
    start: list[float]
    #: For each state, the probability of each next state.
    transitions: list[list[float]]
    #: For each state, the probability of each symbol.
    emissions: list[list[float]]
    #: The natural logarithm of the probability of all sequences before each iteration.
    log_probabilities: list[float]


def fit_hmm(
    df: DataFrame,
    column: str,
    states: int,
    iterations: int = 10,
    tolerance: float | None = None,
    seed: int = 0,
) -> HiddenMarkovModel:
    """Fits a hidden Markov model to all rows, each of which has a sequence of symbols, with the Baum-Welch algorithm.

    >>> model = bellman.fit_hmm(visits, "pages", states=3, iterations=50, tolerance=0.01)
    >>> path = bf.viterbi(model.start, model.transitions, model.emissions, "pages")
    >>> visits.select(path["states"]).show()

    Runs immediately, on all executors. The model equals that of :func:`bellman.functions.hmm_fit` for all sequences, bit
    for bit, and does not depend on the order or the partitions of the rows.

    Parameters
    ----------
    df : DataFrame
    column : str
        The column with the sequences, arrays of symbols (0-based). Rows with NULL are not used.
    states : int
        The number of states.
    iterations : int
        The maximum number of iterations.
    tolerance : float, optional
        Stops after an iteration that increases the log-probability by less. By default, all iterations run.
    seed : int
        Determines the random model with which training starts.

    Returns
    -------
    HiddenMarkovModel
        The model, as arguments of :func:`bellman.functions.viterbi`, and ``log_probabilities``.
    """
    limit = "NULL" if tolerance is None else f"{float(tolerance)!r}D"
    call = f"hidden_markov_training(TABLE({{df}}), :column, {int(states)}, {int(iterations)}, {limit}, {int(seed)})"
    row = df.sparkSession.sql(f"SELECT * FROM {call}", args={"column": column}, df=df).first()
    assert row is not None
    return HiddenMarkovModel(row.start, row.transitions, row.emissions, row.log_probabilities)
