"""Fits models to all rows of a DataFrame, in the DataFrame's session."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, NamedTuple

from bellman.pairs import column_name, session_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


class HiddenMarkovModel(NamedTuple):
    """A hidden Markov model, and the log-probabilities of the iterations that fitted it."""

    #: The probability of each state at the first step.
    start: list[float]
    #: For each state, the probability of each next state.
    transitions: list[list[float]]
    #: For each state, the probability of each symbol or, for numbers and points, the mean and the variance of each coordinate.
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
    min_variance: float = 0.001,
) -> HiddenMarkovModel:
    """Fits a hidden Markov model to the sequences in all rows, with the Baum-Welch algorithm.

    >>> model = bellman.fit_hmm(visits, "pages", states=3, iterations=50, tolerance=0.01)
    >>> path = bf.viterbi(model.start, model.transitions, model.emissions, "pages")
    >>> visits.select(path["states"]).show()

    Runs immediately, on all executors. The model equals the result of :func:`bellman.functions.hmm_fit` for the same
    sequences, bit for bit, and does not depend on the order or the partitioning of the rows.

    Parameters
    ----------
    df : DataFrame
    column : str
        The column with the sequences. Arrays of integers contain 0-based symbols. Arrays of floats contain numbers, which
        each state emits with a normal distribution. Arrays of arrays contain points, whose coordinates are independent
        and normally distributed. Rows with a NULL sequence are ignored.
    states : int
        The number of states.
    iterations : int
        The maximum number of iterations.
    tolerance : float, optional
        Training stops after an iteration that increases the log-probability by less than this value. By default, all
        iterations run.
    seed : int
        The seed of the random model with which training starts.
    min_variance : float
        The minimum variance of a state, for sequences of numbers or points.

    Returns
    -------
    HiddenMarkovModel
        The model, whose first three fields are arguments of :func:`bellman.functions.viterbi`, and ``log_probabilities``.
    """
    numbers = f"{index(states)}, {index(iterations)}, :tolerance, {index(seed)}, :min_variance"
    call = f"hidden_markov_training(TABLE({{df}}), :column, {numbers})"
    limit = None if tolerance is None else float(tolerance)
    arguments = {"column": column_name("column", column), "tolerance": limit, "min_variance": float(min_variance)}
    row = session_of("df", df).sql(f"SELECT * FROM {call}", args=arguments, df=df).first()
    assert row is not None
    return HiddenMarkovModel(row.start, row.transitions, row.emissions, row.log_probabilities)
