# Written by `submit/bellman functions --format python` from the catalogue. Do not edit.
"""Bellman's functions on DataFrame columns, for classic PySpark and Spark Connect.

A ``str`` names a column, as in ``pyspark.sql.functions``, except for ``format``, ``costs``,
``coefficient``, ``metric``, ``linkage``, ``mode``, ``scoring``, ``options``, ``cost``, ``algorithm``,
``grammar`` and ``operator``, where it is the value. Numbers and sequences (lists, tuples, NumPy
arrays, and pandas and Arrow columns) are passed as values. Edges are tuples. Optional arguments can
be passed by name: ``bf.dtw("a", "b", power=1)``. ``None`` means that an argument is omitted; for
SQL's NULL, pass ``lit(None)``.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from bellman._call import alternatives, function, try_variant

if TYPE_CHECKING:
    from pyspark.sql import Column

    from bellman._call import (
        Algorithm,
        Coefficient,
        ColumnOrName,
        Criterion,
        Edges,
        IntegerMatrix,
        Integers,
        Linkage,
        Matrices,
        Matrix,
        Metric,
        Mode,
        Numbers,
        Op,
        Setting,
        Similarity,
        Texts,
        WeightedOp,
    )

__all__ = [
    "edit_distance",
    "edit_cigar",
    "hamming_distance",
    "try_hamming_distance",
    "damerau_levenshtein",
    "osa_distance",
    "jaro_winkler_similarity",
    "jaro_similarity",
    "word_errors",
    "tree_edit_distance",
    "try_tree_edit_distance",
    "ratio",
    "partial_ratio",
    "token_sort_ratio",
    "token_set_ratio",
    "partial_token_sort_ratio",
    "weighted_ratio",
    "edit_distance_infix",
    "edit_distance_infix_position",
    "edit_distance_prefix",
    "edit_distance_prefix_position",
    "edit_distance_infix_all",
    "try_edit_distance_infix_all",
    "weighted_edit_distance",
    "try_weighted_edit_distance",
    "qgram_similarity",
    "try_qgram_similarity",
    "monge_elkan",
    "try_monge_elkan",
    "pairwise_min",
    "try_pairwise_min",
    "pairwise_max",
    "try_pairwise_max",
    "affine_gap_similarity",
    "text_clusters",
    "try_text_clusters",
    "lcs_length",
    "lcs",
    "scs_length",
    "scs",
    "scs_all",
    "try_scs_all",
    "line_diff",
    "gap_alignment",
    "try_gap_alignment",
    "alignment_score",
    "try_alignment_score",
    "alignment",
    "try_alignment",
    "bit_score",
    "try_bit_score",
    "e_value",
    "try_e_value",
    "consensus",
    "try_consensus",
    "accordion_fold",
    "try_accordion_fold",
    "max_base_pairs",
    "try_max_base_pairs",
    "max_base_pairs_structure",
    "try_max_base_pairs_structure",
    "rna_fold",
    "try_rna_fold",
    "rna_fold_energy",
    "try_rna_fold_energy",
    "rna_eval",
    "try_rna_eval",
    "rna_duplex",
    "try_rna_duplex",
    "rna_cofold",
    "try_rna_cofold",
    "rna_cofold_ensemble",
    "try_rna_cofold_ensemble",
    "rna_fold_windows",
    "try_rna_fold_windows",
    "rna_ensemble",
    "try_rna_ensemble",
    "rna_pair_probabilities",
    "try_rna_pair_probabilities",
    "mea_structure",
    "try_mea_structure",
    "dtw",
    "try_dtw",
    "dtw_path",
    "try_dtw_path",
    "dtw_search",
    "try_dtw_search",
    "lcss",
    "try_lcss",
    "edr",
    "try_edr",
    "erp",
    "try_erp",
    "frechet_distance",
    "try_frechet_distance",
    "soft_dtw",
    "try_soft_dtw",
    "z_normalized",
    "try_z_normalized",
    "change_points",
    "try_change_points",
    "change_points_of",
    "try_change_points_of",
    "piecewise_linear",
    "try_piecewise_linear",
    "isotonic",
    "try_isotonic",
    "optimal_bins",
    "try_optimal_bins",
    "viterbi",
    "try_viterbi",
    "forward",
    "try_forward",
    "posterior",
    "try_posterior",
    "hmm_fit",
    "try_hmm_fit",
    "hmm_refit",
    "try_hmm_refit",
    "ctc_align",
    "try_ctc_align",
    "ctc_score",
    "try_ctc_score",
    "pair_hmm",
    "try_pair_hmm",
    "profile_score",
    "try_profile_score",
    "cyk",
    "try_cyk",
    "word_break",
    "try_word_break",
    "matrix_chain_cost",
    "try_matrix_chain_cost",
    "matrix_chain_order",
    "try_matrix_chain_order",
    "matrix_chain",
    "try_matrix_chain",
    "triangulation_cost",
    "try_triangulation_cost",
    "triangulation",
    "try_triangulation",
    "optimal_bst_cost",
    "try_optimal_bst_cost",
    "optimal_bst",
    "try_optimal_bst",
    "parenthesization",
    "try_parenthesization",
    "lu",
    "try_lu",
    "linear_solve",
    "try_linear_solve",
    "determinant",
    "try_determinant",
    "linear_least_squares",
    "try_linear_least_squares",
    "shortest_paths",
    "try_shortest_paths",
    "shortest_path_next",
    "try_shortest_path_next",
    "knapsack",
    "try_knapsack",
    "bounded_knapsack",
    "try_bounded_knapsack",
    "subset_sum",
    "try_subset_sum",
    "multiple_choice_knapsack",
    "try_multiple_choice_knapsack",
    "longest_increasing",
    "try_longest_increasing",
    "maximum_subarray",
    "try_maximum_subarray",
    "weighted_schedule",
    "try_weighted_schedule",
    "lot_sizes",
    "try_lot_sizes",
    "shortest_tour",
    "try_shortest_tour",
    "join_order",
    "try_join_order",
    "s_dp",
    "try_s_dp",
    "s_dp_last",
    "try_s_dp_last",
    "s_dp_weighted",
    "try_s_dp_weighted",
]


def __dir__() -> list[str]:
    return __all__


@function
def edit_distance(
    a: ColumnOrName | Integers | Texts,
    b: ColumnOrName | Integers | Texts,
    max: ColumnOrName | int | None = 2147483647,
) -> Column:
    """Returns the Levenshtein distance: the smallest number of insertions, deletions and substitutions of
    characters that turn ``a`` into ``b``. If ``max`` is given, returns -1 for larger distances, and for
    every distance if ``max`` is negative. Both arguments may also be arrays of words or other tokens
    (STRING, INT or BIGINT), which are then compared instead of characters. NULL entries are equal to each
    other.

    A ``str`` names a column.

    Returns ``INT``.

    >>> bf.edit_distance(sf.lit("kitten"), sf.lit("sitting"))
    3
    """


@function
def edit_cigar(a: ColumnOrName | Integers | Texts, b: ColumnOrName | Integers | Texts) -> Column:
    """Returns an alignment with the fewest edits as a CIGAR string: ``=`` and ``X`` consume one character of
    each string, ``I`` one character of ``a``, and ``D`` one of ``b``. Ties are broken while tracing back
    from the ends of both strings: ``=`` and ``X`` are preferred to ``I``, and ``I`` to ``D``. Both
    arguments may also be arrays of words or other tokens (STRING, INT or BIGINT), which are then compared
    instead of characters. NULL entries are equal to each other.

    A ``str`` names a column.

    Returns ``STRING``.

    >>> bf.edit_cigar(sf.lit("kitten"), sf.lit("sitting"))
    1X3=1X1=1D
    """


@function
def hamming_distance(a: ColumnOrName, b: ColumnOrName) -> Column:
    """Returns the number of positions at which ``a`` and ``b`` differ. Both strings must have the same
    length.

    A ``str`` names a column.

    Rejects strings of different lengths. For such inputs, :func:`try_hamming_distance` returns NULL.

    Returns ``INT``.

    >>> bf.hamming_distance(sf.lit("karolin"), sf.lit("kathrin"))
    3
    """


try_hamming_distance = try_variant(hamming_distance)


@function
def damerau_levenshtein(
    a: ColumnOrName,
    b: ColumnOrName,
    max: ColumnOrName | int | None = 2147483647,
) -> Column:
    """Returns the Damerau-Levenshtein distance: like ``edit_distance``, but swapping two adjacent characters
    also counts as one edit. Swapped characters may be edited again, so the distance between ``ca`` and
    ``abc`` is 2. If ``max`` is given, returns -1 for larger distances, and for every distance if ``max``
    is negative.

    A ``str`` names a column.

    Returns ``INT``.

    >>> bf.damerau_levenshtein(sf.lit("ca"), sf.lit("abc"))
    2
    """


@function
def osa_distance(
    a: ColumnOrName | Integers | Texts,
    b: ColumnOrName | Integers | Texts,
    max: ColumnOrName | int | None = 2147483647,
) -> Column:
    """Returns the optimal string alignment distance: like ``damerau_levenshtein``, but swapped characters
    cannot be edited again, so the distance between ``ca`` and ``abc`` is 3. If ``max`` is given, returns
    -1 for larger distances, and for every distance if ``max`` is negative. Both arguments may also be
    arrays of words or other tokens (STRING, INT or BIGINT), which are then compared instead of
    characters. NULL entries are equal to each other.

    A ``str`` names a column.

    Returns ``INT``.

    >>> bf.osa_distance(sf.lit("ca"), sf.lit("abc"))
    3
    """


@function
def jaro_winkler_similarity(a: ColumnOrName, b: ColumnOrName) -> Column:
    """Returns the Jaro-Winkler similarity, from 0 to 1, as rapidfuzz does. If the Jaro similarity is above
    0.7, each of up to 4 common prefix characters adds a tenth of the difference between the Jaro
    similarity and 1.

    A ``str`` names a column.

    Returns ``DOUBLE``.

    >>> bf.jaro_winkler_similarity(sf.lit("martha"), sf.lit("marhta"))
    0.9611111111111111
    """


@function
def jaro_similarity(a: ColumnOrName, b: ColumnOrName) -> Column:
    """Returns the Jaro similarity, from 0 to 1, as rapidfuzz does. For strings of ``n_a`` and ``n_b``
    characters with ``m`` matches, it is ``(m / n_a + m / n_b + (m - t) / m) / 3``, or 0 without matches.
    Each character of ``b``, from first to last, matches the first equal character of ``a`` that has no
    match yet and is at most ``max(n_a, n_b) / 2 - 1`` positions away (rounded down, but at least 0).
    ``t`` is half the number of ``k`` for which the ``k``-th matched characters of ``a`` and ``b`` differ,
    rounded down. Returns 1 for two empty strings.

    A ``str`` names a column.

    Returns ``DOUBLE``.

    >>> bf.jaro_similarity(sf.lit("martha"), sf.lit("marhta"))
    0.9444444444444445
    """


@function
def word_errors(
    reference: ColumnOrName | Integers | Texts,
    hypothesis: ColumnOrName | Integers | Texts,
) -> Column:
    """Returns the word errors in ``hypothesis``, as jiwer does: the numbers of substitutions, deletions and
    insertions in a shortest sequence of edits from ``reference`` to ``hypothesis``, the number of equal
    words (``hits``), and the word error rate. The rate is the number of errors divided by the number of
    words in ``reference``; if ``reference`` is empty, it is the number of errors. Words may be strings or
    integers. NULL entries are equal to each other. To split a text into words, use
    ``regexp_extract_all(text, '\\S+', 0)``, which, unlike ``split``, returns no empty words. Ties: words
    in the common prefix and suffix are hits. Between the two, ties are broken while tracing back from the
    end: a deletion is preferred to a substitution, a substitution to an insertion, and an insertion to a
    hit.

    A ``str`` names a column.

    Returns ``STRUCT<substitutions: INT NOT NULL, deletions: INT NOT NULL, insertions: INT NOT NULL, hits: INT NOT NULL, rate: DOUBLE NOT NULL>``.

    >>> bf.word_errors(sf.expr("split('the cat sat on', ' ')"), sf.expr("split('a cat sat on it', ' ')"))
    {1, 0, 1, 3, 0.5}
    """


@function
def tree_edit_distance(
    a: ColumnOrName,
    b: ColumnOrName,
    insert: ColumnOrName | int | None = 1,
    delete: ColumnOrName | int | None = 1,
    rename: ColumnOrName | int | None = 1,
    format: Setting | None = "brackets",
) -> Column:
    """Returns the edit distance between two ordered labeled trees, as apted does: the minimum total cost of
    deleting, inserting and renaming nodes to turn ``a`` into ``b``. The children of a deleted node become
    children of its parent. ``insert``, ``delete`` and ``rename`` are the costs for one node. Trees are in
    bracket notation: a node is an opening bracket, a label, the node's children and a closing bracket, as
    in ``{root{child}{child}}``. In a label, escape brackets and backslashes with a backslash. Whitespace
    after a child is ignored. If ``format`` is ``json`` instead of ``brackets``, trees are JSON values. An
    object is a node with a child for each member, in the order in which the members are written. A member
    is a node whose label is its name and whose only child is its value. An array is a node with a child
    for each element. Strings, numbers, ``true``, ``false`` and ``null`` are leaves. All objects have the
    same label, and all arrays have the same label. Nodes of different kinds never have the same label:
    the string ``"1"`` differs from the number ``1``, and the member name ``"b"`` differs from the string
    ``"b"``. Escapes in strings and names are decoded, but numbers are equal only if they are written in
    the same way. Most pairs of trees with 1,000 nodes take less than a second, but deep trees that branch
    on alternating sides take about a minute.

    For ``a``, ``b``, ``insert``, ``delete`` and ``rename``, a ``str`` names a column; for ``format``, it
    is the value.

    Rejects a string that is not one tree in bracket notation or, if ``format`` is ``json``, one JSON
    value; a negative cost; and an unknown ``format``. For such inputs, :func:`try_tree_edit_distance`
    returns NULL.

    Returns ``BIGINT``.

    >>> bf.tree_edit_distance(sf.lit("{a{b}{c}}"), sf.lit("{a{b{d}}}"))
    2
    """


try_tree_edit_distance = try_variant(tree_edit_distance)


@function
def ratio(a: ColumnOrName, b: ColumnOrName, normalize: Column | bool | None = False) -> Column:
    """Returns the similarity between two strings, from 0 to 100, as rapidfuzz's ``fuzz.ratio`` does: the
    percentage of both strings' characters that belong to a longest common subsequence. Returns 100 for
    two empty strings. If ``normalize`` is true, both strings are first lowercased, characters other than
    letters and numbers are replaced with spaces, and leading and trailing spaces are removed.

    A ``str`` names a column.

    Returns ``DOUBLE``.

    >>> bf.ratio(sf.lit("this is a test"), sf.lit("this is a test!"))
    96.55172413793103
    """


@function
def partial_ratio(a: ColumnOrName, b: ColumnOrName, normalize: Column | bool | None = False) -> Column:
    """Returns the largest ``ratio`` between the shorter string and any window of the longer string, as
    rapidfuzz's ``fuzz.partial_ratio`` does. A window is as long as the shorter string; at either end of
    the longer string, it may be shorter. If both strings have the same length, each is tried as the
    shorter one. If ``normalize`` is true, both strings are first lowercased, characters other than
    letters and numbers are replaced with spaces, and leading and trailing spaces are removed.

    A ``str`` names a column.

    Returns ``DOUBLE``.

    >>> bf.partial_ratio(sf.lit("a certain string"), sf.lit("cetain"))
    83.33333333333334
    """


@function
def token_sort_ratio(a: ColumnOrName, b: ColumnOrName, normalize: Column | bool | None = False) -> Column:
    """Returns the ``ratio`` of two strings after sorting their words, as rapidfuzz's
    ``fuzz.token_sort_ratio`` does. If ``normalize`` is true, both strings are first lowercased,
    characters other than letters and numbers are replaced with spaces, and leading and trailing spaces
    are removed.

    A ``str`` names a column.

    Returns ``DOUBLE``.

    >>> bf.token_sort_ratio(sf.lit("fuzzy was a bear"), sf.lit("was a bear  fuzzy"))
    100.0
    """


@function
def token_set_ratio(a: ColumnOrName, b: ColumnOrName, normalize: Column | bool | None = False) -> Column:
    """Returns the similarity between two word sets, as rapidfuzz's ``fuzz.token_set_ratio`` does. The
    function builds three strings: the common words, the common words plus the other words of ``a``, and
    the common words plus the other words of ``b``. It returns the largest ``ratio`` between two of these
    strings. Returns 100 if one set contains the other, and 0 if either string has no words. If
    ``normalize`` is true, both strings are first lowercased, characters other than letters and numbers
    are replaced with spaces, and leading and trailing spaces are removed.

    A ``str`` names a column.

    Returns ``DOUBLE``.

    >>> bf.token_set_ratio(sf.lit("fuzzy was a bear"), sf.lit("fuzzy fuzzy was a bear"))
    100.0
    """


@function
def partial_token_sort_ratio(
    a: ColumnOrName,
    b: ColumnOrName,
    normalize: Column | bool | None = False,
) -> Column:
    """Returns the ``partial_ratio`` of two strings after sorting their words, as rapidfuzz's
    ``fuzz.partial_token_sort_ratio`` does. If ``normalize`` is true, both strings are first lowercased,
    characters other than letters and numbers are replaced with spaces, and leading and trailing spaces
    are removed.

    A ``str`` names a column.

    Returns ``DOUBLE``.

    >>> bf.partial_token_sort_ratio(sf.lit("Ann Lee Smith"), sf.lit("Smith Ann"))
    80.0
    """


@function
def weighted_ratio(a: ColumnOrName, b: ColumnOrName, normalize: Column | bool | None = False) -> Column:
    """Returns the largest of several ratios, as rapidfuzz's ``fuzz.WRatio`` does. These are ``ratio``, and
    0.95 times ``token_sort_ratio`` and ``token_set_ratio``. If one string is at least 1.5 times as long
    as the other, they are instead ``ratio``, ``w`` times ``partial_ratio``, and ``0.95 * w`` times a
    ratio of words, where ``w`` is 0.9, or 0.6 if one string is more than 8 times as long. The ratio of
    words is 100 if the strings have a word in common; otherwise, it is ``partial_token_sort_ratio``, with
    or without repeated words, whichever is larger. Returns 0 if either string is empty. If ``normalize``
    is true, both strings are first lowercased, characters other than letters and numbers are replaced
    with spaces, and leading and trailing spaces are removed.

    A ``str`` names a column.

    Returns ``DOUBLE``.

    >>> bf.weighted_ratio(sf.lit("fuzzy was a bear"), sf.lit("bear fuzzy"))
    85.5
    """


@function
def edit_distance_infix(
    pattern: ColumnOrName,
    text: ColumnOrName,
    max: ColumnOrName | int | None = 2147483647,
) -> Column:
    """Returns the smallest edit distance between ``pattern`` and any substring of ``text`` (edlib's HW
    mode). If ``max`` is given, returns -1 for larger distances, and for every distance if ``max`` is
    negative.

    A ``str`` names a column.

    Returns ``INT``.

    >>> bf.edit_distance_infix(sf.lit("surgery"), sf.lit("the suregry was short"))
    2
    """


@function
def edit_distance_infix_position(pattern: ColumnOrName, text: ColumnOrName) -> Column:
    """Returns the substring of ``text`` with the smallest edit distance to ``pattern``: the distance, and
    the substring's start and end positions (0-based, end exclusive). The result corresponds to edlib's
    first location, except that edlib's end positions are inclusive. Ties: the substring that ends first,
    then the longest one.

    A ``str`` names a column.

    Returns ``STRUCT<distance: INT NOT NULL, begin: INT NOT NULL, end: INT NOT NULL>``.

    >>> bf.edit_distance_infix_position(sf.lit("surgery"), sf.lit("the suregry was short"))
    {2, 4, 11}
    """


@function
def edit_distance_prefix(
    pattern: ColumnOrName,
    text: ColumnOrName,
    max: ColumnOrName | int | None = 2147483647,
) -> Column:
    """Returns the smallest edit distance between ``pattern`` and any prefix of ``text`` (edlib's SHW mode).
    If ``max`` is given, returns -1 for larger distances, and for every distance if ``max`` is negative.

    A ``str`` names a column.

    Returns ``INT``.

    >>> bf.edit_distance_prefix(sf.lit("surgery"), sf.lit("suregry was short"))
    2
    """


@function
def edit_distance_prefix_position(pattern: ColumnOrName, text: ColumnOrName) -> Column:
    """Returns the prefix of ``text`` with the smallest edit distance to ``pattern``: the distance, the start
    position (always 0), and the end position (0-based, end exclusive). The result corresponds to edlib's
    first location, except that edlib's end positions are inclusive. Ties: the shortest prefix.

    A ``str`` names a column.

    Returns ``STRUCT<distance: INT NOT NULL, begin: INT NOT NULL, end: INT NOT NULL>``.

    >>> bf.edit_distance_prefix_position(sf.lit("surgery"), sf.lit("suregry was short"))
    {2, 0, 7}
    """


@function
def edit_distance_infix_all(
    pattern: ColumnOrName | Texts,
    text: ColumnOrName,
    max: Column | int,
    iupac: Column | bool | None = False,
) -> Column:
    """Returns the end positions, in ascending order, of all substrings of ``text`` whose edit distance to
    ``pattern`` is at most ``max``. For each end position, returns the smallest distance, and the start
    and end of the longest substring with this distance (0-based, end exclusive). For an array of
    patterns, returns the matches of each pattern in turn, with the 0-based index of the pattern as
    ``pattern``. If ``iupac`` is true, patterns and text are nucleotides in IUPAC codes, in uppercase or
    lowercase. A letter of the pattern matches a letter of the text if the pattern's letter stands for all
    bases that the text's letter stands for. So ``N`` in the pattern matches any code, but ``N`` in the
    text matches only ``N``. A character of the text that is not a code matches nothing. If a repetitive
    pattern of thousands of characters has many matches, the time grows with the product of the two
    lengths.

    A ``str`` names a column.

    Rejects a negative ``max``; an array of patterns with a NULL entry; and if ``iupac`` is true, a
    pattern with a character that is not an IUPAC code. For such inputs,
    :func:`try_edit_distance_infix_all` returns NULL.

    Returns ``ARRAY<STRUCT<distance: INT NOT NULL, begin: INT NOT NULL, end: INT NOT NULL>>`` or ``ARRAY<STRUCT<pattern: INT NOT NULL, distance: INT NOT NULL, begin: INT NOT NULL, end: INT NOT NULL>>``.

    >>> bf.edit_distance_infix_all(sf.lit("ACGT"), sf.lit("TTACGTTTAGGTAA"), 1)
    [{1, 2, 5}, {0, 2, 6}, {1, 2, 7}, {1, 8, 12}]
    """


try_edit_distance_infix_all = try_variant(edit_distance_infix_all)


@function
def weighted_edit_distance(
    a: ColumnOrName,
    b: ColumnOrName,
    insert: Column | float,
    delete: Column | float,
    substitute: Column | float,
    costs: Setting | None = "",
) -> Column:
    """Returns the smallest total cost of insertions, deletions and substitutions of characters that turn
    ``a`` into ``b``. ``costs`` lists the substitutions whose cost differs from ``substitute``, each as
    two characters and a cost, separated by whitespace. These costs apply in both directions.

    For ``a`` and ``b``, a ``str`` names a column; for ``costs``, it is the value.

    Rejects a cost that is negative, NaN or infinite, and malformed ``costs``. For such inputs,
    :func:`try_weighted_edit_distance` returns NULL.

    Returns ``DOUBLE``.

    >>> bf.weighted_edit_distance(sf.lit("B0b"), sf.lit("Bobs"), 1, 1, 2, "o 0 0.25 l 1 0.5")
    1.25
    """


try_weighted_edit_distance = try_variant(weighted_edit_distance)


@function
def qgram_similarity(
    a: ColumnOrName,
    b: ColumnOrName,
    q: Column | int,
    coefficient: Coefficient | Column,
) -> Column:
    """Returns the similarity between the q-gram sets of two strings, from 0 to 1. Q-grams are the substrings
    of ``q`` characters; a shorter string counts as one q-gram. If the sets have ``n_a`` and ``n_b``
    q-grams, ``coefficient`` is ``jaccard`` (shared / all), ``dice`` (2 * shared / (n_a + n_b)) or
    ``cosine`` (shared / sqrt(n_a * n_b)). Returns 1 for two empty strings.

    For ``a`` and ``b``, a ``str`` names a column; for ``coefficient``, it is the value.

    Rejects ``q`` below 1, and an unknown ``coefficient``. For such inputs, :func:`try_qgram_similarity`
    returns NULL.

    Returns ``DOUBLE``.

    >>> bf.qgram_similarity(sf.lit("night"), sf.lit("nacht"), 2, "dice")
    0.25
    """


try_qgram_similarity = try_variant(qgram_similarity)


@function
def monge_elkan(a: ColumnOrName, b: ColumnOrName, metric: Similarity | Column) -> Column:
    """Returns the Monge-Elkan similarity: the mean similarity between a word in ``a`` and its most similar
    word in ``b``. ``metric`` is ``jaro_similarity``, ``jaro_winkler_similarity``, ``ratio``,
    ``partial_ratio``, ``token_sort_ratio``, ``token_set_ratio`` or ``weighted_ratio``. Words are split as
    in ``token_sort_ratio``. Returns 0 if either string has no words. Swapping ``a`` and ``b`` may change
    the result.

    For ``a`` and ``b``, a ``str`` names a column; for ``metric``, it is the value.

    Rejects an unknown ``metric``. For such inputs, :func:`try_monge_elkan` returns NULL.

    Returns ``DOUBLE``.

    >>> bf.monge_elkan(sf.lit("paul johnson"), sf.lit("johson paule"), "jaro_similarity")
    0.915079365079365
    """


try_monge_elkan = try_variant(monge_elkan)


@function
def pairwise_min(a: ColumnOrName | Texts, b: ColumnOrName | Texts, metric: Metric | Column) -> Column:
    """Compares each string in ``a`` with each string in ``b`` and returns the smallest value of a metric.
    ``metric`` is ``edit_distance``, ``osa_distance``, ``damerau_levenshtein``, ``jaro_similarity``,
    ``jaro_winkler_similarity``, ``ratio``, ``partial_ratio``, ``token_sort_ratio``, ``token_set_ratio``
    or ``weighted_ratio``.

    For ``a`` and ``b``, a ``str`` names a column; for ``metric``, it is the value.

    Rejects an empty array, a NULL entry, and an unknown ``metric``. For such inputs,
    :func:`try_pairwise_min` returns NULL.

    Returns ``DOUBLE``.

    >>> bf.pairwise_min(["Jon", "Johnny"], ["John", "Jack"], "edit_distance")
    1.0
    """


try_pairwise_min = try_variant(pairwise_min)


@function
def pairwise_max(a: ColumnOrName | Texts, b: ColumnOrName | Texts, metric: Metric | Column) -> Column:
    """Compares each string in ``a`` with each string in ``b`` and returns the largest value of a metric.
    ``metric`` is ``edit_distance``, ``osa_distance``, ``damerau_levenshtein``, ``jaro_similarity``,
    ``jaro_winkler_similarity``, ``ratio``, ``partial_ratio``, ``token_sort_ratio``, ``token_set_ratio``
    or ``weighted_ratio``.

    For ``a`` and ``b``, a ``str`` names a column; for ``metric``, it is the value.

    Rejects an empty array, a NULL entry, and an unknown ``metric``. For such inputs,
    :func:`try_pairwise_max` returns NULL.

    Returns ``DOUBLE``.

    >>> bf.pairwise_max(["Jon", "Johnny"], ["John", "Jack"], "ratio")
    85.71428571428572
    """


try_pairwise_max = try_variant(pairwise_max)


@function
def affine_gap_similarity(a: ColumnOrName, b: ColumnOrName) -> Column:
    """Returns the score of the best global alignment of two strings with affine gaps, as py_stringmatching
    does: each pair of equal characters adds 1, a pair of different characters adds 0, the first character
    of a gap subtracts 1, and each further character of the gap subtracts 0.5. Returns 0 if either string
    is empty. For other costs, use ``alignment_score``.

    A ``str`` names a column.

    Returns ``DOUBLE``.

    >>> bf.affine_gap_similarity(sf.lit("dva"), sf.lit("deeva"))
    1.5
    """


@function
def text_clusters(texts: ColumnOrName | Texts, max: Column | int, linkage: Linkage | Column) -> Column:
    """Clusters strings by edit distance. Each string starts as its own cluster. Then the two closest
    clusters are merged repeatedly, as long as the distance between them is at most ``max``. ``linkage``
    defines the distance between two clusters: ``single`` is the smallest distance between their strings,
    ``complete`` the largest, and ``average`` the mean (UPGMA). Clusters are ordered by their first
    strings. Ties: the pair whose first cluster comes first, then the pair whose second cluster comes
    first. The result contains a struct for each string. ``cluster`` is the 0-based position of the first
    string in its cluster. ``medoid`` is the position of the string with the smallest sum of distances to
    the other strings in the cluster (ties: the first one). ``diameter`` is the largest distance within
    the cluster. ``neighbours`` is the number of other strings in the cluster whose distance to this
    string is at most ``max``.

    For ``texts``, a ``str`` names a column; for ``linkage``, it is the value.

    Rejects a NULL string, a negative ``max``, and an unknown ``linkage``. For such inputs,
    :func:`try_text_clusters` returns NULL.

    Returns ``ARRAY<STRUCT<cluster: INT NOT NULL, medoid: INT NOT NULL, diameter: INT NOT NULL, neighbours: INT NOT NULL>>``.

    >>> bf.text_clusters(["anna", "anne", "bob"], 1, "complete")
    [{0, 0, 1, 1}, {0, 0, 1, 1}, {2, 2, 0, 0}]
    """


try_text_clusters = try_variant(text_clusters)


@function
def lcs_length(a: ColumnOrName | Integers | Texts, b: ColumnOrName | Integers | Texts) -> Column:
    """Returns the length of a longest common subsequence of ``a`` and ``b``. Both arguments may also be
    arrays of words or other tokens (STRING, INT or BIGINT), which are then compared instead of
    characters. NULL entries are equal to each other.

    A ``str`` names a column.

    Returns ``INT``.

    >>> bf.lcs_length(sf.lit("kitten"), sf.lit("sitting"))
    4
    """


@function
def lcs(a: ColumnOrName | Integers | Texts, b: ColumnOrName | Integers | Texts) -> Column:
    """Returns a longest common subsequence: a longest string whose characters occur in both ``a`` and ``b``,
    in the same order. Ties are broken while tracing back from the ends of both strings: equal characters
    are matched; otherwise, a character of ``a`` is skipped if that does not shorten the result, and a
    character of ``b`` if it does. Both arguments may also be arrays of words or other tokens (STRING, INT
    or BIGINT), which are then compared instead of characters. NULL entries are equal to each other.

    A ``str`` names a column.

    Returns ``STRING`` or ``ARRAY<INT>`` or ``ARRAY<BIGINT>`` or ``ARRAY<STRING>``.

    >>> bf.lcs(sf.lit("kitten"), sf.lit("sitting"))
    ittn
    """


@function
def scs_length(a: ColumnOrName, b: ColumnOrName) -> Column:
    """Returns the length of a shortest common supersequence of ``a`` and ``b``.

    A ``str`` names a column.

    Returns ``INT``.

    >>> bf.scs_length(sf.lit("kitten"), sf.lit("sitting"))
    9
    """


@function
def scs(a: ColumnOrName, b: ColumnOrName) -> Column:
    """Returns a shortest common supersequence: a shortest string that contains ``a`` and ``b`` as
    subsequences. Ties: the result is ``lcs(a, b)`` with the other characters inserted. If characters of
    both strings are inserted at the same place, those of ``b`` come first.

    A ``str`` names a column.

    Returns ``STRING``.

    >>> bf.scs(sf.lit("kitten"), sf.lit("sitting"))
    skittieng
    """


@function
def scs_all(texts: ColumnOrName | Texts) -> Column:
    """Returns a common supersequence of all strings in ``texts``. For two strings, the result is a shortest
    common supersequence. For more strings, it is a shortest one if the product of ``length + 1``, over
    all strings that are not subsequences of others, is at most 4,194,304; otherwise, it is the shorter of
    a majority merge and a progressive merge. Returns the empty string for an empty array. Only merges of
    two strings run on the GPU.

    A ``str`` names a column.

    Rejects ``texts`` with a NULL entry. For such inputs, :func:`try_scs_all` returns NULL.

    Returns ``STRING``.

    >>> bf.scs_all(["kitten", "sitting", "mitten"])
    mskittieng
    """


try_scs_all = try_variant(scs_all)


@function
def line_diff(a: ColumnOrName, b: ColumnOrName) -> Column:
    """Compares two texts line by line, as ``diff`` does, with as few deleted and inserted lines as possible.
    The result contains an entry for each line: its ``kind`` (``equal``, ``delete`` or ``insert``), its
    1-based line numbers in both texts (``a_line`` and ``b_line``), and its ``text``. ``a_line`` is NULL
    for inserted lines, and ``b_line`` is NULL for deleted lines. In each run of changed lines, deleted
    lines come before inserted lines. Lines end with a line feed, which may be missing after the last
    line. Ties are broken as in ``lcs``.

    A ``str`` names a column.

    Returns ``ARRAY<STRUCT<kind: STRING NOT NULL, a_line: INT, b_line: INT, text: STRING NOT NULL>>``.

    >>> bf.line_diff(sf.lit("kitten"), sf.lit("sitting"))
    [{delete, 1, null, kitten}, {insert, null, 1, sitting}]
    """


@function
def gap_alignment(
    a: ColumnOrName,
    b: ColumnOrName,
    match: ColumnOrName | int,
    mismatch: ColumnOrName | int,
    gap_costs: ColumnOrName | Integers,
    b_gap_costs: ColumnOrName | Integers | None = None,
) -> Column:
    """Returns the best global alignment of two sequences with arbitrary gap costs. Equal letters score
    ``match``, and different letters score ``mismatch``, which is usually negative. A gap of ``k`` letters
    costs ``gap_costs[k - 1]``. Pass one array for both sequences or one for each; an array needs a cost
    for every gap length up to the length of its sequence. Gaps are maximal: no two gaps in one sequence
    are adjacent. In the CIGAR, ``=`` is a pair of equal letters, ``X`` a pair of different letters, ``I``
    a letter of ``a``, and ``D`` a letter of ``b``. Ties are broken while tracing back from the ends of
    both sequences: a pair is preferred to a letter of ``a``, and a letter of ``a`` to a letter of ``b``.
    Affine costs (each letter after the first adds the same amount) and concave costs (no letter adds more
    than the previous one) are faster; ``auto`` detects them.

    A ``str`` names a column.

    Rejects a cost array that is shorter than its sequence; a cost that is NULL or negative; a score or
    cost of at least 2^60 divided by the total number of letters, which could overflow 64 bits; and costs
    that the strategy does not support. For such inputs, :func:`try_gap_alignment` returns NULL.

    Returns ``STRUCT<score: BIGINT NOT NULL, cigar: STRING NOT NULL>``.

    >>> bf.gap_alignment(sf.lit("GATTACA"), sf.lit("GACA"), 2, -3, [4, 5, 5, 6, 6, 6, 6])
    {3, 1=3I3=}
    """


try_gap_alignment = try_variant(gap_alignment)


@function
def alignment_score(
    a: ColumnOrName,
    b: ColumnOrName,
    mode: Mode | Column,
    scoring: Setting,
    min_score: ColumnOrName | int | None = -9223372036854775808,
    band: ColumnOrName | int | None = 2147483647,
    z_drop: ColumnOrName | int | None = 2147483647,
) -> Column:
    """Returns the score of the best alignment of ``a`` and ``b``. ``mode`` is ``global``, ``local``,
    ``overlap`` (unaligned ends of both sequences are free), ``fit_a_in_b``, ``fit_b_in_a`` (unaligned
    ends of the sequence named last are free), or ``extension`` (the beginnings of both sequences are
    aligned, up to the highest score). ``scoring`` is a string such as ``blosum62 open 11 extend 1`` or
    ``match 2 mismatch -3 open 5 extend 2``. A gap of ``k`` letters costs ``open + (k - 1) * extend``.
    With two-piece costs, such as ``open 6 extend 2 open2 25 extend2 1``, it costs the smaller of this and
    ``open2 + (k - 1) * extend2``. If ``min_score`` is given, returns NULL for lower scores. The mode
    ``extension`` accepts two limits, as in minimap2. With ``band``, the numbers of letters of ``a`` and
    ``b`` in each prefix of the alignment differ by at most ``band``. With ``z_drop``, the extension stops
    at the first letter of ``a`` whose best score is too far below the highest score so far: by more than
    ``z_drop`` plus the cost of extending a gap from the diagonal of one score to the diagonal of the
    other, unless this best score ends earlier in ``b`` than the highest one.

    For ``a``, ``b``, ``min_score``, ``band`` and ``z_drop``, a ``str`` names a column; for ``mode`` and
    ``scoring``, it is the value.

    Rejects an unknown ``mode``; an invalid ``scoring``; a letter that is missing from the matrix, unless
    ``scoring`` contains ``other``; a negative ``band`` or ``z_drop``; and a ``band`` or ``z_drop`` with a
    mode other than ``extension``. For such inputs, :func:`try_alignment_score` returns NULL.

    Returns ``BIGINT``.

    >>> bf.alignment_score(sf.lit("HEAGAWGHEE"), sf.lit("PAWHEAE"), "local", "blosum50 open 8 extend 8")
    28
    """


try_alignment_score = try_variant(alignment_score)


@function
def alignment(
    a: ColumnOrName,
    b: ColumnOrName,
    mode: Mode | Column,
    scoring: Setting,
    min_score: ColumnOrName | int | None = -9223372036854775808,
    band: ColumnOrName | int | None = 2147483647,
    z_drop: ColumnOrName | int | None = 2147483647,
) -> Column:
    """Returns the best alignment of ``a`` and ``b``, with the same arguments as ``alignment_score``: the
    score, the start and end positions in both sequences (0-based, end exclusive), the CIGAR, the number
    of identical letters, and the number of letters opposite a gap. Ties: the alignment that ends first in
    ``a``, then in ``b``. From this end, the traceback prefers a match or mismatch, then a letter of ``a``
    opposite a gap, and closes each gap as soon as possible.

    For ``a``, ``b``, ``min_score``, ``band`` and ``z_drop``, a ``str`` names a column; for ``mode`` and
    ``scoring``, it is the value.

    Rejects an unknown ``mode``; an invalid ``scoring``; a letter that is missing from the matrix, unless
    ``scoring`` contains ``other``; a negative ``band`` or ``z_drop``; and a ``band`` or ``z_drop`` with a
    mode other than ``extension``. For such inputs, :func:`try_alignment` returns NULL.

    Returns ``STRUCT<score: BIGINT NOT NULL, begin_a: INT NOT NULL, end_a: INT NOT NULL, begin_b: INT NOT NULL, end_b: INT NOT NULL, cigar: STRING NOT NULL, identities: INT NOT NULL, gaps: INT NOT NULL>``.

    >>> bf.alignment(sf.lit("HEAGAWGHEE"), sf.lit("PAWHEAE"), "local", "blosum50 open 8 extend 8")
    {28, 4, 9, 1, 5, 2=1I2=, 4, 1}
    """


try_alignment = try_variant(alignment)


@function
def bit_score(score: ColumnOrName | int, scoring: Setting) -> Column:
    """Returns the bit score of a local alignment, ``(lambda * score - ln K) / ln 2``. Unlike raw scores, bit
    scores from different scorings can be compared. ``lambda`` and ``K`` are the values that NCBI
    publishes for BLOSUM45, 50, 62, 80 and 90 and PAM30, 70 and 250. BLAST's BLOSUM62 with gap costs 11
    and 1 is ``blosum62 open 12 extend 1``.

    For ``score``, a ``str`` names a column; for ``scoring``, it is the value.

    Rejects a ``scoring`` without published values of ``lambda`` and ``K``, and a negative ``score``. For
    such inputs, :func:`try_bit_score` returns NULL.

    Returns ``DOUBLE``.

    >>> bf.bit_score(100, "blosum62 open 12 extend 1")
    43.12818987177933
    """


try_bit_score = try_variant(bit_score)


@function
def e_value(
    score: ColumnOrName | int,
    query_letters: ColumnOrName | int,
    target_letters: ColumnOrName | int,
    scoring: Setting,
) -> Column:
    """Returns the expected number of chance local alignments with at least this score between a query of
    ``query_letters`` letters and unrelated targets of ``target_letters`` letters in total: ``K *
    query_letters * target_letters * exp(-lambda * score)``, with ``lambda`` and ``K`` as in
    ``bit_score``. Lengths are not corrected, so the value is larger than BLAST's.

    For ``score``, ``query_letters`` and ``target_letters``, a ``str`` names a column; for ``scoring``, it
    is the value.

    Rejects a ``scoring`` without published values of ``lambda`` and ``K``, and a negative argument. For
    such inputs, :func:`try_e_value` returns NULL.

    Returns ``DOUBLE``.

    >>> bf.e_value(100, 350, 1000000, "blosum62 open 12 extend 1")
    3.640736386385883E-5
    """


try_e_value = try_variant(e_value)


@function
def consensus(
    sequences: ColumnOrName | Texts,
    scoring: Setting | None = "match 5 mismatch -4 open 8 extend 6",
) -> Column:
    """Returns the consensus of several strings, such as reads of the same molecule, by partial order
    alignment, as spoa does. Each string is aligned globally with the graph of the strings before it. The
    result is the path through the graph with the most support, which is called the heaviest bundle.
    ``scoring`` has the same form as in ``alignment_score``; the new string takes the role of ``a``, and
    the graph that of ``b``. Empty strings are ignored. If all strings are empty, the result is the empty
    string. If ``sequences`` is a string instead of an array, ``consensus`` is an aggregate function over
    the rows, in ascending order of the strings; it ignores NULL, and returns NULL if there are no
    strings. It supports DISTINCT, FILTER and OVER.

    For ``sequences``, a ``str`` names a column; for ``scoring``, it is the value.

    Rejects ``sequences`` with a NULL entry; an invalid ``scoring``; and a letter that is missing from the
    matrix, unless ``scoring`` contains ``other``. For such inputs, :func:`try_consensus` returns NULL.

    Returns ``STRING``.

    >>> bf.consensus(["ACGTTGCA", "ACGTGCA", "ACTTTGCA"])
    ACGTTGCA
    """


try_consensus = try_variant(consensus)


@function
def accordion_fold(hp_sequence: ColumnOrName) -> Column:
    """Returns the best folding of a protein into strands that lie side by side, like an accordion.
    ``hp_sequence`` contains a letter for each residue: ``H`` or ``1`` if it is hydrophobic, ``P`` or
    ``0`` if not. For amino acids, use ``translate(protein, 'ACDEFGHIKLMNPQRSTVWY',
    'HHPPHPPHPHHPPPPPPHHH')``. Strands have at least two residues, unless the chain has only one. Two
    hydrophobic residues that face each other in neighbouring strands form a contact, except for the two
    residues at the fold, which are neighbours in the chain. ``score`` is the maximum number of contacts;
    ``ends`` lists the last residue of each strand, counted from 1. Ties: the shortest first strand, then
    the shortest second strand, and so on.

    A ``str`` names a column.

    Rejects a letter other than ``H``, ``P``, ``1`` or ``0``. For such inputs, :func:`try_accordion_fold`
    returns NULL.

    Returns ``STRUCT<score: INT NOT NULL, ends: ARRAY<INT> NOT NULL>``.

    >>> bf.accordion_fold(sf.lit("HHPPHHPPHH"))
    {4, [3, 7, 10]}
    """


try_accordion_fold = try_variant(accordion_fold)


@function
def max_base_pairs(sequence: ColumnOrName, min_loop: Column | int | None = 3) -> Column:
    """Returns the maximum number of non-crossing base pairs (C-G, A-U or G-U) in an RNA. At least
    ``min_loop`` bases separate the two bases of a pair. T counts as U, and lowercase as uppercase; N does
    not pair.

    A ``str`` names a column.

    Rejects a letter other than a base or ``N``, and a negative ``min_loop``. For such inputs,
    :func:`try_max_base_pairs` returns NULL.

    Returns ``INT``.

    >>> bf.max_base_pairs(sf.lit("GGGAAAUCC"))
    3
    """


try_max_base_pairs = try_variant(max_base_pairs)


@function
def max_base_pairs_structure(sequence: ColumnOrName, min_loop: Column | int | None = 3) -> Column:
    """Returns an RNA structure with the maximum number of base pairs, as in ``max_base_pairs``, in
    dot-bracket notation. Ties: the first base is unpaired if possible; otherwise, it pairs with the first
    possible base. The same rule then applies to each following base.

    A ``str`` names a column.

    Rejects a letter other than a base or ``N``, and a negative ``min_loop``. For such inputs,
    :func:`try_max_base_pairs_structure` returns NULL.

    Returns ``STRING``.

    >>> bf.max_base_pairs_structure(sf.lit("GGGAAAUCC"))
    (((...)))
    """


try_max_base_pairs_structure = try_variant(max_base_pairs_structure)


@function
def rna_fold(sequence: ColumnOrName, options: Setting | None = "") -> Column:
    """Returns the minimum-free-energy structure of an RNA in dot-bracket notation, and its energy in
    kcal/mol, as ViennaRNA's RNAfold does, including ties (except with ``dangles 1`` and ``dangles 3``).
    ``options`` may contain ``dangles 0``, ``dangles 1`` or ``dangles 3`` (default: 2), ``no_lp`` (no
    lonely pairs), ``temperature 25`` (default: 37), ``constraint TEXT`` (a character per base, one of
    ViennaRNA's ``. x | < > ( )``), ``enforce`` (bases with ``|``, ``(`` or ``)`` must pair), ``circular``
    (a circular RNA; not with ``dangles 1`` or ``dangles 3``) and ``parameters FILE`` (energies in
    ViennaRNA's format 2), which must come last. T counts as U, and lowercase as uppercase; N does not
    pair.

    For ``sequence``, a ``str`` names a column; for ``options``, it is the value.

    Rejects a letter other than a base or ``N``; unknown or unsupported options; a sequence of more than
    32,767 bases; a constraint whose length differs from the length of ``sequence``, or that contains an
    unknown character, unbalanced brackets, or brackets at bases that cannot pair; and a constraint that
    no structure satisfies. For such inputs, :func:`try_rna_fold` returns NULL.

    Returns ``STRUCT<energy: DOUBLE NOT NULL, structure: STRING NOT NULL>``.

    >>> bf.rna_fold(sf.lit("GGGGAAAACCCC"))
    {-5.4, ((((....))))}
    """


try_rna_fold = try_variant(rna_fold)


@function
def rna_fold_energy(sequence: ColumnOrName, options: Setting | None = "") -> Column:
    """Returns the minimum free energy of an RNA in kcal/mol, as ``rna_fold`` does.

    For ``sequence``, a ``str`` names a column; for ``options``, it is the value.

    Rejects a letter other than a base or ``N``; unknown or unsupported options; a sequence of more than
    32,767 bases; a constraint whose length differs from the length of ``sequence``, or that contains an
    unknown character, unbalanced brackets, or brackets at bases that cannot pair; and a constraint that
    no structure satisfies. For such inputs, :func:`try_rna_fold_energy` returns NULL.

    Returns ``DOUBLE``.

    >>> bf.rna_fold_energy(sf.lit("GGGGAAAACCCC"), "temperature 25")
    -6.76
    """


try_rna_fold_energy = try_variant(rna_fold_energy)


@function
def rna_eval(sequence: ColumnOrName, structure: ColumnOrName, options: Setting | None = "") -> Column:
    """Returns the energy of a given RNA structure in kcal/mol, and the structure's loops: the exterior loop
    first, then the other loops in the order of the 5' bases of their closing pairs. A loop has a ``kind``
    (``exterior``, ``hairpin``, ``stack``, ``bulge``, ``internal`` or ``multiloop``), its closing pair
    ``i``, ``j`` (NULL for the exterior loop), its inner pair ``p``, ``q`` (NULL except for stacks, bulges
    and internal loops), and its energy. Bases are counted from 1. ``options`` are as in ``rna_fold``,
    except for constraints and ``circular``.

    For ``sequence`` and ``structure``, a ``str`` names a column; for ``options``, it is the value.

    Rejects a letter other than a base or ``N``; a ``structure`` whose length differs from the length of
    ``sequence``, or that contains a character other than a dot or bracket, unbalanced brackets, a base
    pair other than C-G, A-U or G-U, or a hairpin of fewer than 3 bases; unknown or unsupported options;
    and a sequence of more than 32,767 bases. For such inputs, :func:`try_rna_eval` returns NULL.

    Returns ``STRUCT<energy: DOUBLE NOT NULL, loops: ARRAY<STRUCT<kind: STRING NOT NULL, i: INT, j: INT, p: INT, q: INT, energy: DOUBLE NOT NULL>> NOT NULL>``.

    >>> bf.rna_eval(sf.lit("GAAAC"), sf.lit("(...)"))
    {5.4, [{exterior, null, null, null, null, 0.0}, {hairpin, 1, 5, null, null, 5.4}]}
    """


try_rna_eval = try_variant(rna_eval)


@function
def rna_duplex(a: ColumnOrName, b: ColumnOrName, options: Setting | None = "") -> Column:
    """Returns the minimum-energy duplex of two RNAs, as ViennaRNA's RNAduplex does. Bases pair only with
    bases of the other RNA. The result contains the energy in kcal/mol, including duplex initiation; the
    structure of the two binding parts with their unpaired neighbours, separated by ``&``; and the start
    and end positions of these parts (0-based, end exclusive). If no bases can pair, the energy is NULL
    and the parts are empty. Ties: the last base of ``a`` that pairs is as early as possible, then its
    partner as late as possible; each pair before it is as close to the next pair as possible, first in
    ``a``, then in ``b``. ``options`` may contain ``dangles 0``, ``temperature`` and ``parameters``, as in
    ``rna_fold``.

    For ``a`` and ``b``, a ``str`` names a column; for ``options``, it is the value.

    Rejects a letter other than a base or ``N``, and unknown or unsupported options. For such inputs,
    :func:`try_rna_duplex` returns NULL.

    Returns ``STRUCT<energy: DOUBLE, structure: STRING NOT NULL, begin_a: INT NOT NULL, end_a: INT NOT NULL, begin_b: INT NOT NULL, end_b: INT NOT NULL>``.

    >>> bf.rna_duplex(sf.lit("AGGGGA"), sf.lit("UUCCCCU"))
    {-9.5, ((((((&.)))))), 0, 6, 0, 7}
    """


try_rna_duplex = try_variant(rna_duplex)


@function
def rna_cofold(a: ColumnOrName, b: ColumnOrName, options: Setting | None = "") -> Column:
    """Returns the minimum-free-energy structure of two RNAs in dot-bracket notation, and its energy in
    kcal/mol, as ViennaRNA's RNAcofold does. Bases may pair within each RNA and with the other RNA. In the
    structure, ``&`` separates the two RNAs. If the RNAs pair with each other, the energy includes duplex
    initiation. ``options`` may contain ``dangles 0``, ``temperature`` and ``parameters``, as in
    ``rna_fold``.

    For ``a`` and ``b``, a ``str`` names a column; for ``options``, it is the value.

    Rejects a letter other than a base or ``N``, unknown or unsupported options, and RNAs with more than
    32,767 bases in total. For such inputs, :func:`try_rna_cofold` returns NULL.

    Returns ``STRUCT<energy: DOUBLE NOT NULL, structure: STRING NOT NULL>``.

    >>> bf.rna_cofold(sf.lit("CCAGGGGAAA"), sf.lit("UUUAACCCCGG"))
    {-8.8, ((.((((...&.....))))))}
    """


try_rna_cofold = try_variant(rna_cofold)


@function
def rna_cofold_ensemble(a: ColumnOrName, b: ColumnOrName, options: Setting | None = "") -> Column:
    """Returns ensemble free energies of two RNAs in kcal/mol, as ViennaRNA's RNAcofold computes them:
    ``ensemble_energy`` of all structures, ``dimer_energy`` of the structures in which the RNAs pair with
    each other (NULL if they cannot pair), and ``energy_a`` and ``energy_b`` of each RNA alone.
    ``ensemble_energy`` and ``dimer_energy`` include duplex initiation and a correction for symmetry;
    ``uncorrected_energy`` is ``ensemble_energy`` without these two terms. ``options`` are as in
    ``rna_cofold``.

    For ``a`` and ``b``, a ``str`` names a column; for ``options``, it is the value.

    Rejects a letter other than a base or ``N``, unknown or unsupported options, and RNAs with more than
    32,767 bases in total. For such inputs, :func:`try_rna_cofold_ensemble` returns NULL.

    Returns ``STRUCT<ensemble_energy: DOUBLE NOT NULL, dimer_energy: DOUBLE, energy_a: DOUBLE NOT NULL, energy_b: DOUBLE NOT NULL, uncorrected_energy: DOUBLE NOT NULL>``.

    >>> bf.rna_cofold_ensemble(sf.lit("GGGG"), sf.lit("CCCC"))
    {-5.929384961461523, -5.92934406919686, 0.0, 0.0, -10.029344121988315}
    """


try_rna_cofold_ensemble = try_variant(rna_cofold_ensemble)


@function
def rna_fold_windows(
    sequence: ColumnOrName,
    window: Column | int,
    step: Column | int,
    options: Setting | None = "",
) -> Column:
    """Folds the windows of an RNA. Returns, for each window, its start and end positions in ``sequence``
    (0-based, end exclusive), and the energy and structure that ``rna_fold`` returns for the window.
    Windows have ``window`` bases and start at every ``step``-th base. The last window is the first one
    that reaches the end of the sequence; it may be shorter. ``options`` are as in ``rna_eval``. On CPUs,
    overlapping windows share table cells, so a small step adds little work.

    For ``sequence``, a ``str`` names a column; for ``options``, it is the value.

    Rejects a letter other than a base or ``N``, a ``window`` or ``step`` below 1, unknown or unsupported
    options, and windows of more than 32,767 bases. For such inputs, :func:`try_rna_fold_windows` returns
    NULL.

    Returns ``ARRAY<STRUCT<begin: INT NOT NULL, end: INT NOT NULL, energy: DOUBLE NOT NULL, structure: STRING NOT NULL>>``.

    >>> bf.rna_fold_windows(sf.lit("GGGGAAAACCCCA"), 12, 6)
    [{0, 12, -5.4, ((((....))))}, {6, 13, 0.0, .......}]
    """


try_rna_fold_windows = try_variant(rna_fold_windows)


@function
def rna_ensemble(sequence: ColumnOrName, options: Setting | None = "") -> Column:
    """Returns properties of the Boltzmann ensemble of all structures of an RNA: its free energy in kcal/mol,
    the frequency of the minimum-free-energy structure, and the mean number of base pairs by which two
    structures of the ensemble differ. ``options`` are as in ``rna_fold``, except that ``dangles 1`` and
    ``dangles 3`` are not supported and ``no_lp`` applies only to the minimum-free-energy structure.

    For ``sequence``, a ``str`` names a column; for ``options``, it is the value.

    Rejects a letter other than a base or ``N``; unknown or unsupported options; a sequence of more than
    32,767 bases; a constraint whose length differs from the length of ``sequence``, or that contains an
    unknown character, unbalanced brackets, or brackets at bases that cannot pair; and a constraint that
    no structure satisfies. For such inputs, :func:`try_rna_ensemble` returns NULL.

    Returns ``STRUCT<ensemble_energy: DOUBLE NOT NULL, mfe_frequency: DOUBLE NOT NULL, diversity: DOUBLE NOT NULL>``.

    >>> bf.rna_ensemble(sf.lit("GGGGAAAACCCC"))
    {-5.507422000966854, 0.8400485404116158, 1.6238058274721638}
    """


try_rna_ensemble = try_variant(rna_ensemble)


@function
def rna_pair_probabilities(
    sequence: ColumnOrName,
    min_probability: Column | float,
    options: Setting | None = "",
) -> Column:
    """Returns the base pairs with a probability of at least ``min_probability`` in the ensemble of
    ``rna_ensemble``: base ``i`` pairs with base ``j`` with probability ``p``. Bases are counted from 1;
    pairs are sorted by ``i``, then by ``j``.

    For ``sequence``, a ``str`` names a column; for ``options``, it is the value.

    Rejects a letter other than a base or ``N``; unknown or unsupported options; a sequence of more than
    32,767 bases; a constraint whose length differs from the length of ``sequence``, or that contains an
    unknown character, unbalanced brackets, or brackets at bases that cannot pair; a constraint that no
    structure satisfies; and a ``min_probability`` outside the range 0 to 1. For such inputs,
    :func:`try_rna_pair_probabilities` returns NULL.

    Returns ``ARRAY<STRUCT<i: INT NOT NULL, j: INT NOT NULL, p: DOUBLE NOT NULL>>``.

    >>> sf.size(bf.rna_pair_probabilities(sf.lit("GGGGAAAACCCC"), 0.5))
    4
    """


try_rna_pair_probabilities = try_variant(rna_pair_probabilities)


@function
def mea_structure(sequence: ColumnOrName, gamma: Column | float, options: Setting | None = "") -> Column:
    """Returns the RNA structure with the maximum expected accuracy: the sum of ``2 * gamma * p`` over its
    base pairs, with ``p`` from ``rna_pair_probabilities``, plus the sum of the probabilities that its
    other bases are unpaired. A larger ``gamma`` gives more pairs. With ``gamma`` 1, paired and unpaired
    bases have equal weights. The structure may leave bases unpaired that ``enforce`` requires to pair.
    Ties are broken as in ``max_base_pairs_structure``. ``options`` are as in ``rna_ensemble``.

    For ``sequence``, a ``str`` names a column; for ``options``, it is the value.

    Rejects a letter other than a base or ``N``; unknown or unsupported options; a sequence of more than
    32,767 bases; a constraint whose length differs from the length of ``sequence``, or that contains an
    unknown character, unbalanced brackets, or brackets at bases that cannot pair; a constraint that no
    structure satisfies; and a ``gamma`` outside the range 0 to 1,000,000. For such inputs,
    :func:`try_mea_structure` returns NULL.

    Returns ``STRING``.

    >>> bf.mea_structure(sf.lit("GGGGAAAACCCC"), 1.0)
    ((((....))))
    """


try_mea_structure = try_variant(mea_structure)


@function
def dtw(
    a: ColumnOrName | Numbers | Matrix,
    b: ColumnOrName | Numbers | Matrix,
    band: ColumnOrName | int | None = 2147483647,
    max: ColumnOrName | float | None = inf,
    power: ColumnOrName | int | None = 2,
) -> Column:
    """Returns the dynamic time warping distance between two series, as dtaidistance and tslearn do: the
    square root of the minimum sum of squared differences over all alignments of ``a`` and ``b`` from
    their first to their last points. A point may be aligned to several points. A series is an array of
    numbers, or of points, which are arrays of equal length. ``band`` is the Sakoe-Chiba band: the
    alignment stays within ``band`` points of the diagonal. If the series differ in length, the alignment
    stays between the two diagonals through the table's first and last cells, or within ``band`` points of
    one of them. If ``max`` is given, returns Infinity for larger distances. If ``power`` is 1 instead of
    2, returns the minimum sum of absolute differences. If both series are ``ARRAY<FLOAT>``, the sums are
    computed in FLOAT, which is faster. Returns Infinity for sums beyond the range of DOUBLE or FLOAT.

    A ``str`` names a column.

    Rejects an entry that is NULL, NaN or infinite; points of different dimensions; an empty series; a
    negative ``band``; a ``max`` that is NaN; and a ``power`` other than 1 or 2. For such inputs,
    :func:`try_dtw` returns NULL.

    Returns ``DOUBLE``.

    >>> bf.dtw([1, 2, 3, 5], [1, 2, 2, 3, 4])
    1.0
    """


try_dtw = try_variant(dtw)


@function
def dtw_path(
    a: ColumnOrName | Numbers | Matrix,
    b: ColumnOrName | Numbers | Matrix,
    band: ColumnOrName | int | None = 2147483647,
    power: ColumnOrName | int | None = 2,
) -> Column:
    """Returns the ``dtw`` distance and an alignment with that distance: pairs of a point ``i`` of ``a`` and
    a point ``j`` of ``b``, counted from 0. Ties are broken while tracing back from the last points: the
    alignment steps back in both series if possible, otherwise in ``a`` if possible.

    A ``str`` names a column.

    Rejects an entry that is NULL, NaN or infinite; points of different dimensions; an empty series; a
    negative ``band``; a ``power`` other than 1 or 2; and a distance beyond the range of DOUBLE. For such
    inputs, :func:`try_dtw_path` returns NULL.

    Returns ``STRUCT<distance: DOUBLE NOT NULL, path: ARRAY<STRUCT<i: INT NOT NULL, j: INT NOT NULL>> NOT NULL>``.

    >>> bf.dtw_path([1, 2, 4], [1, 2, 2, 3])
    {1.0, [{0, 0}, {1, 1}, {1, 2}, {2, 3}]}
    """


try_dtw_path = try_variant(dtw_path)


@function
def dtw_search(
    query: ColumnOrName | Numbers | Matrix,
    series: ColumnOrName | Numbers | Matrix,
    power: ColumnOrName | int | None = 2,
) -> Column:
    """Returns the part of ``series`` with the smallest ``dtw`` distance to ``query``: the distance, and the
    start and end positions of the part (0-based, end exclusive). Ties: the part that ends first; among
    parts with the same end, the part found by tracing back as in ``dtw_path``.

    A ``str`` names a column.

    Rejects an entry that is NULL, NaN or infinite; points of different dimensions; an empty series; a
    ``power`` other than 1 or 2; and a distance beyond the range of DOUBLE. For such inputs,
    :func:`try_dtw_search` returns NULL.

    Returns ``STRUCT<distance: DOUBLE NOT NULL, begin: INT NOT NULL, end: INT NOT NULL>``.

    >>> bf.dtw_search([2, 3], [9, 9, 2, 2, 3, 9])
    {0.0, 3, 5}
    """


try_dtw_search = try_variant(dtw_search)


@function
def lcss(
    a: ColumnOrName | Numbers | Matrix,
    b: ColumnOrName | Numbers | Matrix,
    tolerance: ColumnOrName | float,
    band: ColumnOrName | int | None = 2147483647,
) -> Column:
    """Returns the length of the longest common subsequence of two series: the maximum number of points that
    can be paired in the order of both series, if paired points may differ by at most ``tolerance`` in
    each dimension. This length divided by the length of the shorter series is the LCSS similarity.
    ``band`` is as in ``dtw``.

    A ``str`` names a column.

    Rejects an entry that is NULL, NaN or infinite; points of different dimensions; a ``tolerance`` that
    is negative, NaN or infinite; and a negative ``band``. For such inputs, :func:`try_lcss` returns NULL.

    Returns ``INT``.

    >>> bf.lcss([1, 2, 3, 9], [1.1, 3.2, 9], 0.25)
    3
    """


try_lcss = try_variant(lcss)


@function
def edr(
    a: ColumnOrName | Numbers | Matrix,
    b: ColumnOrName | Numbers | Matrix,
    tolerance: ColumnOrName | float,
    band: ColumnOrName | int | None = 2147483647,
) -> Column:
    """Returns the edit distance on real sequences: the minimum number of insertions, deletions and
    substitutions of points that turn ``a`` into ``b``. Points that differ by at most ``tolerance`` in
    each dimension count as equal. ``band`` is as in ``dtw``.

    A ``str`` names a column.

    Rejects an entry that is NULL, NaN or infinite; points of different dimensions; a ``tolerance`` that
    is negative, NaN or infinite; and a negative ``band``. For such inputs, :func:`try_edr` returns NULL.

    Returns ``INT``.

    >>> bf.edr([1, 2, 3, 9], [1.1, 3.2, 9], 0.25)
    1
    """


try_edr = try_variant(edr)


@function
def erp(
    a: ColumnOrName | Numbers | Matrix,
    b: ColumnOrName | Numbers | Matrix,
    gap: ColumnOrName | float,
    band: ColumnOrName | int | None = 2147483647,
) -> Column:
    """Returns the edit distance with real penalty: the minimum cost of an alignment. Two aligned points cost
    the sum of their absolute differences in all dimensions. An unaligned point costs the sum of its
    absolute differences from ``gap``, which is usually 0. ``band`` is as in ``dtw``; without it, the
    distance satisfies the triangle inequality.

    A ``str`` names a column.

    Rejects an entry that is NULL, NaN or infinite; points of different dimensions; a ``gap`` that is NaN
    or infinite; and a negative ``band``. For such inputs, :func:`try_erp` returns NULL.

    Returns ``DOUBLE``.

    >>> bf.erp([1, 2, 3], [1, 3], 0)
    2.0
    """


try_erp = try_variant(erp)


@function
def frechet_distance(a: ColumnOrName | Numbers | Matrix, b: ColumnOrName | Numbers | Matrix) -> Column:
    """Returns the discrete Fréchet distance between two curves: the largest Euclidean distance between two
    aligned points, in the alignment (as in ``dtw``) that minimizes this distance.

    A ``str`` names a column.

    Rejects an entry that is NULL, NaN or infinite; points of different dimensions; and an empty series.
    For such inputs, :func:`try_frechet_distance` returns NULL.

    Returns ``DOUBLE``.

    >>> bf.frechet_distance([[0, 0], [1, 0], [2, 0]], [[0, 1], [2, 1]])
    1.4142135623730951
    """


try_frechet_distance = try_variant(frechet_distance)


@function
def soft_dtw(
    a: ColumnOrName | Numbers | Matrix,
    b: ColumnOrName | Numbers | Matrix,
    gamma: ColumnOrName | float,
) -> Column:
    """Returns the soft-DTW value of two series, as tslearn does: like ``dtw`` without the square root, but
    with the smooth minimum ``-gamma * ln(exp(-x / gamma) + exp(-y / gamma) + exp(-z / gamma))`` instead
    of the minimum of three numbers. The result may be negative.

    A ``str`` names a column.

    Rejects an entry that is NULL, NaN or infinite; points of different dimensions; an empty series; and a
    ``gamma`` that is zero, negative, NaN or infinite. For such inputs, :func:`try_soft_dtw` returns NULL.

    Returns ``DOUBLE``.

    >>> bf.soft_dtw([1, 2, 3], [1, 3], 1)
    0.12265356040414976
    """


try_soft_dtw = try_variant(soft_dtw)


@function
def z_normalized(series: ColumnOrName | Numbers | Matrix) -> Column:
    """Returns a series scaled to mean 0 and standard deviation 1 in each dimension, so that shapes can be
    compared: ``(x - mean) / deviation``, with the population standard deviation. If all values in a
    dimension are equal, their results are 0.

    A ``str`` names a column.

    Rejects an entry that is NULL, NaN or infinite; points of different dimensions; and a dimension whose
    variance overflows, or underflows although its values differ. For such inputs,
    :func:`try_z_normalized` returns NULL.

    Returns ``ARRAY<DOUBLE>`` or ``ARRAY<ARRAY<DOUBLE>>``.

    >>> bf.z_normalized([1, 3, 1, 3])
    [-1.0, 1.0, -1.0, 1.0]
    """


try_z_normalized = try_variant(z_normalized)


@function
def change_points(
    values: ColumnOrName | Numbers | Matrix,
    penalty: ColumnOrName | float | Criterion,
    cost: Setting | None = "l2",
    min_size: ColumnOrName | int | None = 2,
) -> Column:
    """Returns the 0-based positions at which a series changes: the starts of all segments except the first,
    in the partition with the minimum total cost. The total cost is the sum of the segments' costs plus
    ``penalty`` for each change point. Each segment has at least ``min_size`` values, so a series with
    fewer than ``2 * min_size`` values has no change points. ``cost`` is ``l2`` (the sum of squared
    deviations from the segment's mean), ``l1`` (the sum of absolute deviations from the median),
    ``normal`` (``n * ln(variance + 1e-6)`` for ``n`` values, which also detects changes in the variance)
    or ``poisson`` (``2 * sum * ln(n / sum)``, or 0 if the sum is 0; for counts). A series may also
    consist of points, which are arrays of equal length. The cost of a segment of points is the sum of its
    costs in each dimension, so ``normal`` assumes that the dimensions are independent. If ``penalty`` is
    ``'bic'``, the Bayesian information criterion determines the penalty. For ``d`` dimensions (a series
    of numbers has one), the penalty is ``(1 + d) * ln(size(values))`` for ``poisson``, ``(1 + 2 * d) *
    ln(size(values))`` for ``normal``, and ``(1 + d) * ln(size(values))`` times the noise variance for
    ``l2``. The noise variance is the mean of ``(mad / 0.6745)^2 / 2`` over the dimensions, where ``mad``
    is the median absolute deviation of the differences between neighbours. Ties: the longest last
    segment, then the longest segment before it, and so on.

    For ``values``, ``penalty`` and ``min_size``, a ``str`` names a column; for ``cost``, it is the value.
    For ``penalty``, ``bic`` is the value; for a column, use ``col``.

    Rejects an entry of ``values`` that is NULL, NaN or beyond 1e100 in magnitude; a point that is NULL or
    empty; points of different dimensions; a ``penalty`` that is negative, NaN or beyond 1e100, or a
    string other than ``bic``; ``bic`` with the cost ``l1``; an unknown ``cost``; a negative entry with
    the cost ``poisson``; and a ``min_size`` below 1. For such inputs, :func:`try_change_points` returns
    NULL.

    Returns ``ARRAY<INT>``.

    >>> bf.change_points([1, 1, 2, 1, 8, 9, 8, 8], 4)
    [4]
    """


try_change_points = try_variant(change_points)


@function
def change_points_of(
    values: ColumnOrName | Numbers | Matrix,
    count: ColumnOrName | int,
    cost: Setting | None = "l2",
    min_size: ColumnOrName | int | None = 2,
) -> Column:
    """Like ``change_points``, but finds exactly ``count`` change points instead of using a penalty.

    For ``values``, ``count`` and ``min_size``, a ``str`` names a column; for ``cost``, it is the value.

    Rejects an entry of ``values`` that is NULL, NaN or beyond 1e100 in magnitude; a point that is NULL or
    empty; points of different dimensions; a negative ``count``; a series too short for ``count`` change
    points; an unknown ``cost``; a negative entry with the cost ``poisson``; and a ``min_size`` below 1.
    For such inputs, :func:`try_change_points_of` returns NULL.

    Returns ``ARRAY<INT>``.

    >>> bf.change_points_of([1, 1, 2, 1, 8, 9, 8, 8, 3, 3], 2)
    [4, 8]
    """


try_change_points_of = try_variant(change_points_of)


@function
def piecewise_linear(values: ColumnOrName | Numbers, penalty: ColumnOrName | float) -> Column:
    """Returns a piecewise linear fit by segmented least squares: the partition of a series into segments
    with the minimum total cost. The total cost is the sum of squared deviations from each segment's line
    plus ``penalty`` for each segment. The result contains the start and end of each segment (0-based, end
    exclusive), the value of the segment's line at its start, and the slope. A segment has at least two
    values, unless the series has only one value. Ties are broken as in ``change_points``.

    A ``str`` names a column.

    Rejects an entry of ``values`` that is NULL, NaN or beyond 1e100 in magnitude, and a ``penalty`` that
    is negative, NaN or beyond 1e100. For such inputs, :func:`try_piecewise_linear` returns NULL.

    Returns ``ARRAY<STRUCT<begin: INT NOT NULL, end: INT NOT NULL, value: DOUBLE NOT NULL, slope: DOUBLE NOT NULL>>``.

    >>> bf.piecewise_linear([0, 1, 2, 3, 9, 7, 5], 1)
    [{0, 4, 0.0, 1.0}, {4, 7, 9.0, -2.0}]
    """


try_piecewise_linear = try_variant(piecewise_linear)


@function
def isotonic(values: ColumnOrName | Numbers, weights: ColumnOrName | Numbers | None = None) -> Column:
    """Returns the isotonic regression of a series: the nondecreasing series with the minimum sum of squared
    deviations from ``values``. If ``weights`` is given, each squared deviation is multiplied by its
    weight. For a nonincreasing series, negate ``values`` and the result.

    A ``str`` names a column.

    Rejects an entry of ``values`` that is NULL, NaN or beyond 1e100 in magnitude; a weight that is NULL,
    NaN, below 1e-100 or above 1e100; and arrays of different lengths. For such inputs,
    :func:`try_isotonic` returns NULL.

    Returns ``ARRAY<DOUBLE>``.

    >>> bf.isotonic([1, 3, 2, 4, 3, 3])
    [1.0, 2.5, 2.5, 3.3333333333333335, 3.3333333333333335, 3.3333333333333335]
    """


try_isotonic = try_variant(isotonic)


@function
def optimal_bins(values: ColumnOrName | Numbers, k: ColumnOrName | int) -> Column:
    """Returns the ``k`` bins of numbers with the minimum sum of squared deviations from the bin means
    (natural breaks, or optimal one-dimensional k-means). ``centers`` are the bin means in ascending
    order. ``bounds`` contains the smallest of all numbers, followed by the largest number in each bin.
    ``cost`` is the sum of squared deviations. If there are fewer than ``k`` distinct numbers, each
    distinct number has its own bin. Ties: the last bin has as many numbers as possible, then the bin
    before it, and so on. Costs are tied if their relative difference is less than 2^-36.

    A ``str`` names a column.

    Rejects an entry of ``values`` that is NULL, NaN or beyond 1e100 in magnitude; a ``k`` below 1; and an
    empty array. For such inputs, :func:`try_optimal_bins` returns NULL.

    Returns ``STRUCT<centers: ARRAY<DOUBLE> NOT NULL, bounds: ARRAY<DOUBLE> NOT NULL, cost: DOUBLE NOT NULL>``.

    >>> bf.optimal_bins([1, 2, 9, 2, 8, 10], 2)
    {[1.6666666666666667, 9.0], [1.0, 2.0, 10.0], 2.6666666666666665}
    """


try_optimal_bins = try_variant(optimal_bins)


@function
@alternatives(values="symbols")
def viterbi(
    start: ColumnOrName | Numbers,
    transitions: ColumnOrName | Matrix,
    emissions: ColumnOrName | Matrix,
    symbols: ColumnOrName | Numbers | Matrix | None = None,
    logarithms: Column | bool | None = False,
    *,
    values: ColumnOrName | Numbers | Matrix | None = None,
) -> Column:
    """Returns the most likely state sequence of a hidden Markov model, with states counted from 0, and the
    natural logarithm of its probability. ``start`` contains a probability for each state; ``transitions``
    contains an array for each state, with the probability of each next state. ``emissions`` contains an
    array for each step, with the probability of the observation in each state. If ``symbols`` is given,
    it contains the 0-based index of the symbol at each step, and ``emissions`` instead contains an array
    for each state, with the probability of each symbol. The numbers need not sum to 1: densities are also
    valid. If ``values`` is given, it contains the number that was observed at each step. Each state then
    emits normally distributed numbers, and ``emissions`` contains an array for each state, with the mean
    and the variance. ``values`` may also contain points, which are arrays of coordinates. The coordinates
    are independent, and ``emissions`` contains an array for each state, with the mean and the variance of
    the first coordinate, then of the second coordinate, and so on. Integers are interpreted as
    ``symbols`` unless the argument is named ``values``. If ``logarithms`` is true, all numbers are
    natural logarithms instead, such as those of probabilities too small for DOUBLE, or scores of a
    conditional random field. -Infinity then represents a probability of 0. With ``values``, only
    ``start`` and ``transitions`` contain logarithms. Ties: the smallest last state, then the smallest
    state before it, and so on.

    A ``str`` names a column.

    Rejects an entry that is NULL or NaN; a probability or density that is negative or infinite; with
    ``logarithms``, a logarithm that is Infinity, or finite and beyond 1e9 in magnitude; with ``values``,
    a probability above 1 (logarithm above 0), a number or a mean beyond 1e100 in magnitude, or a variance
    below 1e-80 or above 1e200; a model without states or a sequence without steps; arrays of different
    lengths; a symbol without emissions; and a sequence that is impossible in the model. For such inputs,
    :func:`try_viterbi` returns NULL.

    Returns ``STRUCT<log_probability: DOUBLE NOT NULL, states: ARRAY<INT> NOT NULL>``.

    >>> bf.viterbi([0.6, 0.4], [[0.7, 0.3], [0.4, 0.6]], [[0.5, 0.4, 0.1], [0.1, 0.3, 0.6]], [0, 1, 2])
    {-4.19173690823075, [0, 0, 1]}
    """


try_viterbi = try_variant(viterbi)


@function
@alternatives(values="symbols")
def forward(
    start: ColumnOrName | Numbers,
    transitions: ColumnOrName | Matrix,
    emissions: ColumnOrName | Matrix,
    symbols: ColumnOrName | Numbers | Matrix | None = None,
    logarithms: Column | bool | None = False,
    *,
    values: ColumnOrName | Numbers | Matrix | None = None,
) -> Column:
    """Returns the natural logarithm of the probability of a sequence in a hidden Markov model, summed over
    all state sequences. Returns -Infinity if the probability is 0. Arguments are as in ``viterbi``.

    A ``str`` names a column.

    Rejects an entry that is NULL or NaN; a probability or density that is negative or infinite; with
    ``logarithms``, a logarithm that is Infinity, or finite and beyond 1e9 in magnitude; with ``values``,
    a probability above 1 (logarithm above 0), a number or a mean beyond 1e100 in magnitude, or a variance
    below 1e-80 or above 1e200; a model without states or a sequence without steps; arrays of different
    lengths; and a symbol without emissions. For such inputs, :func:`try_forward` returns NULL.

    Returns ``DOUBLE``.

    >>> bf.forward([0.6, 0.4], [[0.7, 0.3], [0.4, 0.6]], [[0.5, 0.4, 0.1], [0.1, 0.3, 0.6]], [0, 1, 2])
    -3.316488653735201
    """


try_forward = try_variant(forward)


@function
@alternatives(values="symbols")
def posterior(
    start: ColumnOrName | Numbers,
    transitions: ColumnOrName | Matrix,
    emissions: ColumnOrName | Matrix,
    symbols: ColumnOrName | Numbers | Matrix | None = None,
    logarithms: Column | bool | None = False,
    *,
    values: ColumnOrName | Numbers | Matrix | None = None,
) -> Column:
    """Returns the probability of each state of a hidden Markov model at each step, given the whole sequence.
    Arguments are as in ``viterbi``. Probabilities below 1e-300 are returned as 0.

    A ``str`` names a column.

    Rejects an entry that is NULL or NaN; a probability or density that is negative or infinite; with
    ``logarithms``, a logarithm that is Infinity, or finite and beyond 1e9 in magnitude; with ``values``,
    a probability above 1 (logarithm above 0), a number or a mean beyond 1e100 in magnitude, or a variance
    below 1e-80 or above 1e200; a model without states or a sequence without steps; arrays of different
    lengths; a symbol without emissions; and a sequence that is impossible in the model. For such inputs,
    :func:`try_posterior` returns NULL.

    Returns ``ARRAY<ARRAY<DOUBLE>>``.

    >>> bf.posterior([0.5, 0.5], [[1, 0], [0, 1]], [[0.25, 0.75]])
    [[0.25, 0.75]]
    """


try_posterior = try_variant(posterior)


@function
def hmm_fit(
    sequences: ColumnOrName | IntegerMatrix | Matrix | Matrices,
    states: Column | int,
    iterations: Column | int | None = 10,
    seed: Column | int | None = 0,
    min_variance: Column | float | None = 0.001,
) -> Column:
    """Fits a hidden Markov model to sequences of symbols (0-based) with the Baum-Welch algorithm. The first
    model has ``states`` states, as many symbols as ``sequences`` requires, and random probabilities that
    depend on ``seed``. Each iteration makes the sequences at least as likely as before. The result
    contains the last model: ``start``, ``transitions`` and ``emissions`` are arguments of ``viterbi``,
    ``forward`` and ``posterior``. ``log_probabilities`` contains the natural logarithm of the probability
    of all sequences before each iteration. A state that no sequence reaches keeps its emissions, and a
    state that no sequence leaves keeps its transitions. If the sequences are arrays of DOUBLE or DECIMAL
    instead of integers, each state emits normally distributed numbers, and ``emissions`` contains the
    mean and the variance of each state. In the first model, each variance is the variance of all numbers.
    To choose the means, the sorted numbers are divided into ``states`` parts of equal size, and one
    number is drawn at random from each part. If the sequences contain points, which are arrays of
    coordinates, ``emissions`` is as in ``viterbi``. In the first model, the variance of each coordinate
    is that of all its values, and the means of a state are the coordinates of one point, which is chosen
    from the sorted points in the same way. Points are sorted by their first coordinate, then by their
    second coordinate, and so on. A variance below ``min_variance`` is replaced with ``min_variance``, so
    that a state cannot shrink to a single number. To start with a given model, use ``hmm_refit``.

    A ``str`` names a column.

    Rejects an array without sequences; a sequence that is NULL or empty; a symbol that is NULL, negative
    or without emissions; a number that is NULL, NaN or beyond 1e100 in magnitude; points without
    coordinates or with different numbers of coordinates; ``iterations`` below 1; a ``min_variance`` below
    1e-80 or above 1e200; a sequence that is impossible in one of the models; a sequence of symbols that
    has a step with a probability below 1e-290; and ``states`` below 1. For such inputs,
    :func:`try_hmm_fit` returns NULL.

    Returns ``STRUCT<start: ARRAY<DOUBLE> NOT NULL, transitions: ARRAY<ARRAY<DOUBLE>> NOT NULL, emissions: ARRAY<ARRAY<DOUBLE>> NOT NULL, log_probabilities: ARRAY<DOUBLE> NOT NULL>``.

    >>> bf.hmm_fit([[0, 0, 1], [1, 0]], 1, 1)
    {[1.0], [[1.0]], [[0.6, 0.4]], [-14.686304191911725]}
    """


try_hmm_fit = try_variant(hmm_fit)


@function
def hmm_refit(
    sequences: ColumnOrName | IntegerMatrix | Matrix | Matrices,
    start: ColumnOrName | Numbers,
    transitions: ColumnOrName | Matrix,
    emissions: ColumnOrName | Matrix,
    iterations: Column | int | None = 10,
    logarithms: Column | bool | None = False,
    min_variance: Column | float | None = 0.001,
) -> Column:
    """Like ``hmm_fit``, but starts with a given model. If ``logarithms`` is true, ``start``, ``transitions``
    and, unless the sequences are numbers or points, ``emissions`` contain natural logarithms of
    probabilities, in the arguments and in the result. Probabilities too small for DOUBLE are then valid,
    and -Infinity represents a probability of 0.

    A ``str`` names a column.

    Rejects an array without sequences; a sequence that is NULL or empty; a symbol that is NULL, negative
    or without emissions; a number that is NULL, NaN or beyond 1e100 in magnitude; points without
    coordinates or with different numbers of coordinates; ``iterations`` below 1; a ``min_variance`` below
    1e-80 or above 1e200; a sequence that is impossible in one of the models; a sequence of symbols that
    has a step with a probability below 1e-290 (unless ``logarithms`` is true); a probability that is NULL
    or outside the range 0 to 1, or whose logarithm is outside the range -1e9 to 0, except -Infinity; a
    mean beyond 1e100 in magnitude; a variance below 1e-80 or above 1e200; a model without states; and
    arrays of the model whose lengths do not match. For such inputs, :func:`try_hmm_refit` returns NULL.

    Returns ``STRUCT<start: ARRAY<DOUBLE> NOT NULL, transitions: ARRAY<ARRAY<DOUBLE>> NOT NULL, emissions: ARRAY<ARRAY<DOUBLE>> NOT NULL, log_probabilities: ARRAY<DOUBLE> NOT NULL>``.

    >>> bf.hmm_refit([[0, 0, 1], [1, 0]], [1], [[1]], [[0.5, 0.5]], 1)
    {[1.0], [[1.0]], [[0.6, 0.4]], [-3.465735902799726]}
    """


try_hmm_refit = try_variant(hmm_refit)


@function
def ctc_align(
    log_probabilities: ColumnOrName | Matrix,
    tokens: ColumnOrName | Integers,
    blank: ColumnOrName | int | None = 0,
) -> Column:
    """Aligns tokens with the frames of a recording (forced alignment), given the output of a model trained
    with connectionist temporal classification (CTC). ``log_probabilities`` contains an array for each
    frame, with the natural logarithm of the probability of each token; ``blank`` is the index of the
    blank. The result contains the ``path`` with the largest sum of log-probabilities, and this sum as
    ``score``. ``path`` contains a token for each frame. Merging consecutive equal tokens of ``path`` and
    then removing blanks yields ``tokens``. ``spans`` contains the first frame (0-based) and the end frame
    (exclusive) of each token. Ties are broken from the last frame to the first. In the last frame, the
    last token is preferred to a blank; in each earlier frame, the latest possible position in the
    sequence of tokens and blanks is preferred.

    A ``str`` names a column.

    Rejects an array without frames; frames of different lengths; a log-probability (of the blank or of a
    token) that is NULL, NaN, or outside the range -1e9 to 1e9, except -Infinity; a blank or a token that
    is not a valid index into a frame; a token that is NULL or equal to the blank; and tokens that do not
    fit any path with a probability above 0. For such inputs, :func:`try_ctc_align` returns NULL.

    Returns ``STRUCT<score: DOUBLE NOT NULL, path: ARRAY<INT> NOT NULL, spans: ARRAY<STRUCT<token: INT NOT NULL, begin: INT NOT NULL, end: INT NOT NULL>> NOT NULL>``.

    >>> bf.ctc_align(sf.expr("array(array(ln(0.2BD), ln(0.6BD), ln(0.2BD)), array(ln(0.5BD), ln(0.4BD), ln(0.1BD)), array(ln(0.1BD), ln(0.1BD), ln(0.8BD)))"), [1, 2])
    {-1.4271163556401456, [1, 0, 2], [{1, 0, 1}, {2, 2, 3}]}
    """


try_ctc_align = try_variant(ctc_align)


@function
def ctc_score(
    log_probabilities: ColumnOrName | Matrix,
    tokens: ColumnOrName | Integers,
    blank: ColumnOrName | int | None = 0,
) -> Column:
    """Returns the natural logarithm of the probability that the frames of a recording contain the given
    tokens, summed over all alignments: the negative of the CTC loss. Returns -Infinity if the probability
    is 0. Arguments are as in ``ctc_align``.

    A ``str`` names a column.

    Rejects an array without frames; frames of different lengths; a log-probability (of the blank or of a
    token) that is NULL, NaN, or outside the range -1e9 to 1e9, except -Infinity; a blank or a token that
    is not a valid index into a frame; and a token that is NULL or equal to the blank. For such inputs,
    :func:`try_ctc_score` returns NULL.

    Returns ``DOUBLE``.

    >>> bf.ctc_score(sf.expr("array(array(ln(0.2BD), ln(0.6BD), ln(0.2BD)), array(ln(0.5BD), ln(0.4BD), ln(0.1BD)), array(ln(0.1BD), ln(0.1BD), ln(0.8BD)))"), [1, 2])
    -0.5978370007556204
    """


try_ctc_score = try_variant(ctc_score)


@function
def pair_hmm(
    read: ColumnOrName,
    qualities: ColumnOrName,
    haplotype: ColumnOrName,
    insertion_qualities: ColumnOrName | None = "N",
    deletion_qualities: ColumnOrName | None = "N",
    continuation: ColumnOrName | None = "+",
) -> Column:
    """Returns the base-10 logarithm of the likelihood of a sequenced read given a haplotype, computed with
    the pair hidden Markov model of GATK's HaplotypeCaller. ``qualities`` contains a character for each
    base, as in FASTQ and SAM: ``!`` for quality 0 to ``~`` for 93. ``insertion_qualities`` and
    ``deletion_qualities`` are the qualities for opening a gap at each base; ``continuation`` contains the
    qualities for extending a gap. Each of these three strings has one character for each base, or one
    character for all bases. The defaults are GATK's: 45 (``N``) and 10 (``+``). Case is ignored, and the
    base ``N`` matches every base. The function uses the qualities unchanged, whereas GATK first lowers
    some of them. Returns -Infinity if the likelihood is 0.

    A ``str`` names a column.

    Rejects an empty read or haplotype, a base that is not a letter from A to Z, ``qualities`` with a
    different number of characters than the read, gap qualities with neither one character nor as many as
    the read, and a quality that is not a character from ``!`` to ``~``. For such inputs,
    :func:`try_pair_hmm` returns NULL.

    Returns ``DOUBLE``.

    >>> bf.pair_hmm(sf.lit("ACGT"), sf.lit("IIII"), sf.lit("TTACGTTT"))
    -0.9490747698024166
    """


try_pair_hmm = try_variant(pair_hmm)


@function
def profile_score(
    sequence: ColumnOrName,
    profile: ColumnOrName,
    algorithm: Algorithm | Column | None = "forward",
) -> Column:
    """Returns a sequence's bit score under a HMMER3 profile: the log-odds ratio between the multihit local
    profile and the null model. ``profile`` is the content of a HMMER3 file with one profile.
    ``algorithm`` is ``forward`` (the sum over all alignments, hmmsearch's score before its bias
    correction) or ``viterbi`` (the best alignment). Returns -Infinity if no alignment is possible.

    For ``sequence`` and ``profile``, a ``str`` names a column; for ``algorithm``, it is the value.

    Rejects a ``sequence`` that is empty or has a letter that is not a residue, a string that is not a
    profile, and an unknown algorithm. For such inputs, :func:`try_profile_score` returns NULL.

    Returns ``DOUBLE``.

    >>> bf.profile_score(sf.lit("GATTACA"), sf.expr("replace('HMMER3/f;LENG 1;ALPH DNA;HMM A C G T;m->m m->i m->d i->m i->i d->m d->d;1.386 1.386 1.386 1.386;0 * * 0.693 0.693 0 *;1 0.105 3.401 3.401 3.401;1.386 1.386 1.386 1.386;0 * * 0.693 0.693 0 *;//', ';', char(10))"))
    1.3949034875150566
    """


try_profile_score = try_variant(profile_score)


@function
def cyk(tokens: ColumnOrName | Texts, grammar: Setting) -> Column:
    """Returns the most likely parse tree of a sentence under a probabilistic context-free grammar in Chomsky
    normal form, and the natural logarithm of its probability. The grammar is a string in NLTK's notation:
    rules such as ``S -> A B [0.9]`` and ``S -> 'word' [0.1]``, separated by line breaks or semicolons,
    with alternatives separated by ``|``. The first symbol is the start symbol. Weights need not sum to 1.
    Ties: at each node, starting with the whole sentence, the first possible split, then the first rule.

    For ``tokens``, a ``str`` names a column; for ``grammar``, it is the value.

    Rejects a token that is NULL or occurs in no rule, an empty array of tokens, a sentence without a
    parse tree, an invalid grammar, and a weight that is not a finite number above 0. For such inputs,
    :func:`try_cyk` returns NULL.

    Returns ``STRUCT<log_probability: DOUBLE NOT NULL, tree: STRING NOT NULL>``.

    >>> bf.cyk(["she", "eats", "fish"], "S -> N P [1]; P -> V N [1]; N -> 'she' [0.5] | 'fish' [0.5]; V -> 'eats' [1]")
    {-1.3862943611198906, (S (N she) (P (V eats) (N fish)))}
    """


try_cyk = try_variant(cyk)


@function
def word_break(
    text: ColumnOrName,
    words: ColumnOrName | Texts,
    weights: ColumnOrName | Numbers | None = None,
) -> Column:
    """Splits a string without spaces, such as a hashtag or a domain name, into words. Returns the sequence
    with the fewest words. If ``weights`` is given, it contains a weight for each word, usually the
    logarithm of its frequency, and the function returns the sequence with the maximum sum of weights.
    Returns an empty array for an empty string. Ties: the longest last word, then the longest word before
    it, and so on.

    A ``str`` names a column.

    Rejects a string that is not a sequence of words; a word that is NULL or empty; a weight that is NULL,
    NaN or beyond 1e100 in magnitude; and arrays of different lengths. For such inputs,
    :func:`try_word_break` returns NULL.

    Returns ``ARRAY<STRING>``.

    >>> bf.word_break(sf.lit("nowherefast"), ["now", "here", "nowhere", "fast"])
    [nowhere, fast]
    """


try_word_break = try_variant(word_break)


@function
def matrix_chain_cost(dims: ColumnOrName | Integers) -> Column:
    """Returns the minimum number of scalar multiplications that compute the product of a chain of matrices.
    Matrix ``i`` has ``dims[i - 1]`` rows and ``dims[i]`` columns.

    A ``str`` names a column.

    Rejects ``dims`` with fewer than two entries, or with an entry that is NULL or below 1, and a cost
    above 2^63 - 1. For such inputs, :func:`try_matrix_chain_cost` returns NULL.

    Returns ``BIGINT``.

    >>> bf.matrix_chain_cost([40, 2, 30, 10, 8])
    1400
    """


try_matrix_chain_cost = try_variant(matrix_chain_cost)


@function
def matrix_chain_order(dims: ColumnOrName | Integers) -> Column:
    """Returns a multiplication order with the fewest scalar multiplications. Ties: the order that splits
    each product at the smallest position. The strategy ``hu-shing`` may return a different optimal order
    than the other strategies, but returns the same one on every run.

    A ``str`` names a column.

    Rejects ``dims`` with fewer than two entries, or with an entry that is NULL or below 1, and a cost
    above 2^63 - 1. For such inputs, :func:`try_matrix_chain_order` returns NULL.

    Returns ``STRING``.

    >>> bf.matrix_chain_order([40, 2, 30, 10, 8])
    (A1((A2A3)A4))
    """


try_matrix_chain_order = try_variant(matrix_chain_order)


@function
def matrix_chain(dims: ColumnOrName | Integers) -> Column:
    """Returns the minimum cost, the order that ``matrix_chain_order`` returns, and the splits of this order:
    for each product, the last matrix in the left factor, counted from 1. Each product is listed before
    its factors, and the left factor before the right factor.

    A ``str`` names a column.

    Rejects ``dims`` with fewer than two entries, or with an entry that is NULL or below 1, and a cost
    above 2^63 - 1. For such inputs, :func:`try_matrix_chain` returns NULL.

    Returns ``STRUCT<cost: BIGINT NOT NULL, order: STRING NOT NULL, splits: ARRAY<INT> NOT NULL>``.

    >>> bf.matrix_chain([40, 2, 30, 10, 8])
    {1400, (A1((A2A3)A4)), [1, 3, 2]}
    """


try_matrix_chain = try_variant(matrix_chain)


@function
def triangulation_cost(weights: ColumnOrName | Integers) -> Column:
    """Returns the lowest cost of a triangulation of a convex polygon. ``weights`` contains a weight for each
    vertex, in the order around the polygon. The cost of a triangle is the product of the weights of its
    three vertices.

    A ``str`` names a column.

    Rejects ``weights`` with fewer than two entries, or with an entry that is NULL or below 1, and a cost
    above 2^63 - 1. For such inputs, :func:`try_triangulation_cost` returns NULL.

    Returns ``BIGINT``.

    >>> bf.triangulation_cost([3, 1, 4, 2])
    14
    """


try_triangulation_cost = try_variant(triangulation_cost)


@function
def triangulation(weights: ColumnOrName | Integers) -> Column:
    """Returns the cost and the triangles of a cheapest triangulation of a convex polygon, as in
    ``triangulation_cost``. Vertices are counted from 0. The first triangle contains the side between the
    first and last vertices. A triangle ``(a, b, c)`` is followed by the triangles beyond its side ``(a,
    b)``, then by the triangles beyond its side ``(b, c)``. Ties: the triangulation in which each
    triangle, in this order, has the smallest possible ``b``. The strategy ``hu-shing`` may return a
    different optimal triangulation than the other strategies, but returns the same one on every run.

    A ``str`` names a column.

    Rejects ``weights`` with fewer than two entries, or with an entry that is NULL or below 1, and a cost
    above 2^63 - 1. For such inputs, :func:`try_triangulation` returns NULL.

    Returns ``STRUCT<cost: BIGINT NOT NULL, triangles: ARRAY<STRUCT<a: INT NOT NULL, b: INT NOT NULL, c: INT NOT NULL>> NOT NULL>``.

    >>> bf.triangulation([3, 1, 4, 2])
    {14, [{0, 1, 3}, {1, 2, 3}]}
    """


try_triangulation = try_variant(triangulation)


@function
def optimal_bst_cost(
    key_frequencies: ColumnOrName | Numbers,
    gap_frequencies: ColumnOrName | Numbers,
) -> Column:
    """Returns the lowest cost of a binary search tree: the sum of the searches' costs, each multiplied by
    its frequency. ``key_frequencies`` contains the frequency of each key, and ``gap_frequencies``
    contains the frequencies of searches that end before, between and after the keys. The cost of a search
    is the number of nodes that it visits; a search that finds no key also visits the empty node at which
    it ends.

    A ``str`` names a column.

    Rejects ``gap_frequencies`` that do not have exactly one more entry than ``key_frequencies``; an entry
    that is NULL, negative, NaN or infinite; and for BIGINT frequencies, a total cost above 2^63 - 1. For
    such inputs, :func:`try_optimal_bst_cost` returns NULL.

    Returns ``BIGINT`` or ``DOUBLE``.

    >>> bf.optimal_bst_cost([0.15, 0.10, 0.05, 0.10, 0.20], [0.05, 0.10, 0.05, 0.05, 0.05, 0.10])
    2.75
    """


try_optimal_bst_cost = try_variant(optimal_bst_cost)


@function
def optimal_bst(key_frequencies: ColumnOrName | Numbers, gap_frequencies: ColumnOrName | Numbers) -> Column:
    """Returns the lowest cost of a binary search tree, as in ``optimal_bst_cost``, and the keys of a tree
    with this cost. Keys are counted from 1 and listed in preorder: the root, then its left subtree, then
    its right subtree. Ties: the tree in which each subtree has the smallest possible root.

    A ``str`` names a column.

    Rejects ``gap_frequencies`` that do not have exactly one more entry than ``key_frequencies``; an entry
    that is NULL, negative, NaN or infinite; and for BIGINT frequencies, a total cost above 2^63 - 1. For
    such inputs, :func:`try_optimal_bst` returns NULL.

    Returns ``STRUCT<cost: BIGINT NOT NULL, roots: ARRAY<INT> NOT NULL>`` or ``STRUCT<cost: DOUBLE NOT NULL, roots: ARRAY<INT> NOT NULL>``.

    >>> bf.optimal_bst([15, 10, 5, 10, 20], [5, 10, 5, 5, 5, 10])
    {275, [2, 1, 5, 4, 3]}
    """


try_optimal_bst = try_variant(optimal_bst)


@function
def parenthesization(leaf_costs: ColumnOrName | Numbers, range_costs: ColumnOrName | Numbers) -> Column:
    """Returns the cost and the splits of a cheapest binary tree over a sequence. Leaf ``i`` costs
    ``leaf_costs[i - 1]``; the range from leaf ``i`` to leaf ``j`` costs ``w(i, j)`` plus the costs of its
    two subranges. ``range_costs`` lists ``w(i, j)`` for all ``i < j``, row by row: ``w(1, 2)``, ``w(1,
    3)``, ..., ``w(2, 3)``, ...; ``flatten`` turns an array of rows into such a list. Splits have the same
    form as in ``matrix_chain``. Ties: the tree in which each range has the smallest possible split. The
    example merges four files of sizes 10, 20, 30 and 40; each step merges two adjacent files.

    A ``str`` names a column.

    Rejects an empty ``leaf_costs``; ``range_costs`` without exactly ``n (n - 1) / 2`` entries for ``n``
    leaves; an entry that is NULL, negative or NaN; and for BIGINT costs, a total cost above 2^63 - 1. For
    such inputs, :func:`try_parenthesization` returns NULL.

    Returns ``STRUCT<cost: BIGINT NOT NULL, splits: ARRAY<INT> NOT NULL>`` or ``STRUCT<cost: DOUBLE NOT NULL, splits: ARRAY<INT> NOT NULL>``.

    >>> bf.parenthesization([0, 0, 0, 0], [30, 60, 100, 50, 90, 70])
    {190, [3, 2, 1]}
    """


try_parenthesization = try_variant(parenthesization)


@function
def lu(matrix: ColumnOrName | Matrix, pivot: Column | bool | None = None) -> Column:
    """Returns the LU factors of a square matrix: ``l``, lower triangular with ones on the diagonal, and
    ``u``, upper triangular. The product ``l u`` equals the matrix up to rounding. The matrix is an array
    of rows. The function uses Gaussian elimination without pivoting, which requires a matrix that is
    diagonally dominant, or symmetric and positive definite. Other matrices may have a pivot close to
    zero, which is an error unless it is the last pivot. If ``pivot`` is true, the function instead
    exchanges rows (partial pivoting), which does not require these properties. The matrix may then be
    singular; below a pivot of zero, ``l`` contains zeros. If several rows have the largest pivot, the
    first of them is used. Calls with ``pivot`` also return ``permutation``: row ``i`` of the product ``l
    u`` equals row ``permutation[i]`` of the matrix, counted from 0. If ``pivot`` is true, the CPU
    processes matrices with 1,024 rows or more, even on a host with a GPU.

    A ``str`` names a column.

    Rejects a matrix that is empty or not square; a row or an entry that is NULL; an entry that is, or
    becomes, NaN or infinite; and a pivot whose magnitude is at most n * 2^-52 times the largest magnitude
    in the n x n matrix, unless it is the last pivot or ``pivot`` is true. For such inputs, :func:`try_lu`
    returns NULL.

    Returns ``STRUCT<l: ARRAY<ARRAY<DOUBLE>> NOT NULL, u: ARRAY<ARRAY<DOUBLE>> NOT NULL>`` or ``STRUCT<l: ARRAY<ARRAY<DOUBLE>> NOT NULL, u: ARRAY<ARRAY<DOUBLE>> NOT NULL, permutation: ARRAY<INT> NOT NULL>``.

    >>> bf.lu([[4, 2], [2, 5]])
    {[[1.0, 0.0], [0.5, 1.0]], [[4.0, 2.0], [0.0, 4.0]]}
    """


try_lu = try_variant(lu)


@function
def linear_solve(
    matrix: ColumnOrName | Matrix,
    rhs: ColumnOrName | Numbers,
    pivot: Column | bool | None = False,
) -> Column:
    """Returns the solution ``x`` of the linear equations ``matrix x = rhs``. The function uses Gaussian
    elimination without pivoting, which requires a matrix that is diagonally dominant, or symmetric and
    positive definite. Other matrices may have a pivot close to zero, which is an error. If ``pivot`` is
    true, the function instead exchanges rows (partial pivoting), which does not require these properties.
    If several rows have the largest pivot, the first of them is used. If ``pivot`` is true, the CPU
    processes matrices with 1,024 rows or more, even on a host with a GPU.

    A ``str`` names a column.

    Rejects a matrix that is empty or not square; a row or an entry that is NULL; an entry that is, or
    becomes, NaN or infinite; a pivot whose magnitude is at most n * 2^-52 times the largest magnitude in
    the n x n matrix; and ``rhs`` whose length differs from the number of rows. For such inputs,
    :func:`try_linear_solve` returns NULL.

    Returns ``ARRAY<DOUBLE>``.

    >>> bf.linear_solve([[4, 2], [2, 5]], [2, 9])
    [-0.5, 2.0]
    """


try_linear_solve = try_variant(linear_solve)


@function
def determinant(matrix: ColumnOrName | Matrix, pivot: Column | bool | None = False) -> Column:
    """Returns the determinant of a square matrix: the product of the pivots, negated if the number of row
    exchanges is odd. The result is infinite if it exceeds the range of DOUBLE. The function uses Gaussian
    elimination without pivoting, which requires a matrix that is diagonally dominant, or symmetric and
    positive definite. Other matrices may have a pivot close to zero, which is an error unless it is the
    last pivot. If ``pivot`` is true, the function instead exchanges rows (partial pivoting), which does
    not require these properties. The determinant of a singular matrix is then 0 or close to 0. The pivots
    are multiplied from first to last. Without ``pivot``, a partial product that exceeds the range of
    DOUBLE makes the result infinite, or NaN if the last pivot is zero, and a partial product that is too
    small for DOUBLE makes it 0. If ``pivot`` is true, the CPU processes matrices with 1,024 rows or more,
    even on a host with a GPU.

    A ``str`` names a column.

    Rejects a matrix that is empty or not square; a row or an entry that is NULL; an entry that is, or
    becomes, NaN or infinite; and a pivot whose magnitude is at most n * 2^-52 times the largest magnitude
    in the n x n matrix, unless it is the last pivot or ``pivot`` is true. For such inputs,
    :func:`try_determinant` returns NULL.

    Returns ``DOUBLE``.

    >>> bf.determinant([[4, 2], [2, 5]])
    16.0
    """


try_determinant = try_variant(determinant)


@function
def linear_least_squares(matrix: ColumnOrName | Matrix, rhs: ColumnOrName | Numbers) -> Column:
    """Returns the least-squares solution of linear equations: the ``x`` with the minimum sum of squared
    differences between ``matrix x`` and ``rhs``. The matrix is an array of rows, and must have at least
    as many rows as columns. For a regression, each row contains the variables of one observation, with a
    1 for the intercept. The function uses a QR factorization with Householder reflections.

    A ``str`` names a column.

    Rejects a matrix that is empty, has rows of different lengths, or has fewer rows than columns; a row
    or an entry that is NULL; an entry that is, or becomes, NaN or infinite; a column whose distance from
    all linear combinations of the columns before it is at most rows * columns * 2^-52 times its norm; and
    ``rhs`` whose length differs from the number of rows. For such inputs,
    :func:`try_linear_least_squares` returns NULL.

    Returns ``ARRAY<DOUBLE>``.

    >>> bf.linear_least_squares([[1, 0], [0, 2], [0, 0]], [3, 4, 5])
    [3.0, 2.0]
    """


try_linear_least_squares = try_variant(linear_least_squares)


@function
def shortest_paths(vertex_count: ColumnOrName | int, edges: ColumnOrName | Edges) -> Column:
    """Returns the lengths of the shortest paths between all vertices of a directed graph: an array for each
    vertex from 0 to ``vertex_count - 1``, with the length of the path to each vertex, or NULL if no path
    exists. ``edges`` are structs with the fields ``source``, ``target`` and ``weight``. Weights may be
    negative; of parallel edges, only the lightest one counts. DOUBLE weights are added in the order of
    the Floyd-Warshall algorithm; rounding alone does not make a cycle negative.

    A ``str`` names a column.

    Rejects a negative ``vertex_count``; an edge that is NULL, has a NULL field, or begins or ends at a
    vertex that does not exist; a DOUBLE weight that is NaN or beyond 1e288 in magnitude; a cycle of
    negative weight; and a path length beyond the range of BIGINT. For such inputs,
    :func:`try_shortest_paths` returns NULL.

    Returns ``ARRAY<ARRAY<BIGINT>>`` or ``ARRAY<ARRAY<DOUBLE>>``.

    >>> bf.shortest_paths(3, [(0, 1, 4), (1, 2, -1)])
    [[0, 4, 3], [null, 0, -1], [null, null, 0]]
    """


try_shortest_paths = try_variant(shortest_paths)


@function
def shortest_path_next(vertex_count: ColumnOrName | int, edges: ColumnOrName | Edges) -> Column:
    """Returns the shortest paths between all vertices: for each vertex, an array with the next vertex on the
    path to each other vertex, or NULL if no path exists. The entry for the vertex itself is NULL. Ties:
    the path with the fewest edges, then the smallest next vertex. If sums of DOUBLE weights are rounded,
    a different path may be preferred.

    A ``str`` names a column.

    Rejects a negative ``vertex_count``; an edge that is NULL, has a NULL field, or begins or ends at a
    vertex that does not exist; a DOUBLE weight that is NaN or beyond 1e288 in magnitude; and a cycle of
    negative weight. For such inputs, :func:`try_shortest_path_next` returns NULL.

    Returns ``ARRAY<ARRAY<INT>>``.

    >>> bf.shortest_path_next(3, [(0, 1, 4), (1, 2, -1)])
    [[null, 1, 1], [null, null, 2], [null, null, null]]
    """


try_shortest_path_next = try_variant(shortest_path_next)


@function
def knapsack(
    weights: ColumnOrName | Integers,
    values: ColumnOrName | Numbers,
    capacity: ColumnOrName | int,
) -> Column:
    """Returns the most valuable items whose weights sum to at most ``capacity``: the 0/1 knapsack problem.
    ``items`` lists the 0-based positions of these items. Ties: the solution without the last item, if
    possible, then without the item before it, and so on. DOUBLE values are added in the order of the
    items.

    A ``str`` names a column.

    Rejects an entry that is NULL or negative; a negative ``capacity``; lists of different lengths; a
    DOUBLE in ``values`` that is NaN or beyond 1e100; and for BIGINT values, a total value above 2^63 - 1.
    For such inputs, :func:`try_knapsack` returns NULL.

    Returns ``STRUCT<value: BIGINT NOT NULL, items: ARRAY<INT> NOT NULL>`` or ``STRUCT<value: DOUBLE NOT NULL, items: ARRAY<INT> NOT NULL>``.

    >>> bf.knapsack([3, 4, 5, 2], [4, 5, 7, 3], 9)
    {12, [1, 2]}
    """


try_knapsack = try_variant(knapsack)


@function
def bounded_knapsack(
    weights: ColumnOrName | Integers,
    values: ColumnOrName | Numbers,
    counts: ColumnOrName | Integers,
    capacity: ColumnOrName | int,
) -> Column:
    """Like ``knapsack``, but item ``i`` may be used up to ``counts[i]`` times. The result contains the
    number of copies of each item. Ties: the fewest copies of the last item, then of the item before it,
    and so on. If ``values`` is DOUBLE, the function divides the copies of each item that fit into
    ``capacity`` into groups of 1, 2, 4, ... copies and a last group of the remaining copies, and runs
    ``knapsack`` with each group as one item. This determines the order of additions; ties are broken as
    in ``knapsack`` with these groups, instead of by the rule above.

    A ``str`` names a column.

    Rejects an entry that is NULL or negative; a negative ``capacity``; lists of different lengths; a
    DOUBLE in ``values`` that is NaN or beyond 1e100; and for BIGINT values, a total value above 2^63 - 1.
    For such inputs, :func:`try_bounded_knapsack` returns NULL.

    Returns ``STRUCT<value: BIGINT NOT NULL, counts: ARRAY<BIGINT> NOT NULL>`` or ``STRUCT<value: DOUBLE NOT NULL, counts: ARRAY<BIGINT> NOT NULL>``.

    >>> bf.bounded_knapsack([3, 4, 5], [4, 5, 7], [2, 1, 5], 14)
    {19, [0, 1, 2]}
    """


try_bounded_knapsack = try_variant(bounded_knapsack)


@function
def subset_sum(weights: ColumnOrName | Integers, capacity: ColumnOrName | int) -> Column:
    """Returns the largest sum of weights that does not exceed ``capacity``, and the 0-based positions of the
    items that have this sum. Ties are broken as in ``knapsack``.

    A ``str`` names a column.

    Rejects an entry that is NULL or negative, and a negative ``capacity``. For such inputs,
    :func:`try_subset_sum` returns NULL.

    Returns ``STRUCT<sum: BIGINT NOT NULL, items: ARRAY<INT> NOT NULL>``.

    >>> bf.subset_sum([8, 6, 7, 5, 3], 16)
    {16, [1, 2, 4]}
    """


try_subset_sum = try_variant(subset_sum)


@function
def multiple_choice_knapsack(
    weights: ColumnOrName | IntegerMatrix,
    values: ColumnOrName | IntegerMatrix | Matrix,
    capacity: ColumnOrName | int,
) -> Column:
    """Returns the most valuable choice of one option from each class, with a total weight of at most
    ``capacity``. For each class, ``weights`` contains an array with the weights of its options, and
    ``values`` an array with their values. The result contains the 0-based position of the chosen option
    in each class. Ties: the first possible option of the last class, then of the class before it, and so
    on. DOUBLE values are added in the order of the classes.

    A ``str`` names a column.

    Rejects an entry that is NULL or negative; a negative ``capacity``; lists of different lengths; a
    class without options; a ``capacity`` that every choice exceeds; a DOUBLE in ``values`` that is NaN or
    beyond 1e100; and for BIGINT values, a total value above 2^63 - 1. For such inputs,
    :func:`try_multiple_choice_knapsack` returns NULL.

    Returns ``STRUCT<value: BIGINT NOT NULL, choices: ARRAY<INT> NOT NULL>`` or ``STRUCT<value: DOUBLE NOT NULL, choices: ARRAY<INT> NOT NULL>``.

    >>> bf.multiple_choice_knapsack([[1, 3], [2, 4]], [[5, 9], [4, 8]], 6)
    {13, [1, 0]}
    """


try_multiple_choice_knapsack = try_variant(multiple_choice_knapsack)


@function
def longest_increasing(values: ColumnOrName | Numbers) -> Column:
    """Returns the 0-based positions of the longest strictly increasing subsequence of a series. Ties: the
    last possible position of the last value, then of the value before it, and so on.

    A ``str`` names a column.

    Rejects an entry that is NULL, NaN or infinite. For such inputs, :func:`try_longest_increasing`
    returns NULL.

    Returns ``ARRAY<INT>``.

    >>> bf.longest_increasing([3, 1, 4, 1, 5, 9, 2, 6])
    [1, 2, 4, 7]
    """


try_longest_increasing = try_variant(longest_increasing)


@function
def maximum_subarray(values: ColumnOrName | Numbers) -> Column:
    """Returns the part of a series with the maximum sum: the sum, and the start and end positions of the
    part (0-based, end exclusive). The part has at least one value. Ties: the part that ends first, then
    the shortest part.

    A ``str`` names a column.

    Rejects an entry that is NULL, NaN or infinite; an empty series; and a sum beyond the range of BIGINT
    or DOUBLE. For such inputs, :func:`try_maximum_subarray` returns NULL.

    Returns ``STRUCT<sum: BIGINT NOT NULL, begin: INT NOT NULL, end: INT NOT NULL>`` or ``STRUCT<sum: DOUBLE NOT NULL, begin: INT NOT NULL, end: INT NOT NULL>``.

    >>> bf.maximum_subarray([-2, 1, -3, 4, -1, 2, 1, -5, 4])
    {6, 3, 7}
    """


try_maximum_subarray = try_variant(maximum_subarray)


@function
def weighted_schedule(
    starts: ColumnOrName | Numbers,
    ends: ColumnOrName | Numbers,
    weights: ColumnOrName | Numbers,
) -> Column:
    """Returns the non-overlapping intervals with the maximum sum of ``weights``: the sum, and the 0-based
    positions of the intervals in the lists, in the order of their ends. An interval may start where the
    previous one ends. Ties: intervals are ordered by end, then by start, then by position. A solution
    that omits the last interval is preferred, then one that omits the interval before it, and so on.

    A ``str`` names a column.

    Rejects an entry that is NULL, NaN or infinite; a negative weight; an end that is not after its start;
    arrays of different lengths; and a sum beyond the range of BIGINT or DOUBLE. For such inputs,
    :func:`try_weighted_schedule` returns NULL.

    Returns ``STRUCT<weight: BIGINT NOT NULL, items: ARRAY<INT> NOT NULL>`` or ``STRUCT<weight: DOUBLE NOT NULL, items: ARRAY<INT> NOT NULL>``.

    >>> bf.weighted_schedule([0, 2, 4, 1], [3, 5, 7, 6], [4, 6, 5, 8])
    {9, [0, 2]}
    """


try_weighted_schedule = try_variant(weighted_schedule)


@function
def lot_sizes(
    demand: ColumnOrName | Integers,
    setup: ColumnOrName | int,
    holding: ColumnOrName | int,
) -> Column:
    """Returns the cheapest plan to produce or order goods for a known demand in each period: the cost, and
    the lot size of each period (0 if the period has no lot). A lot costs ``setup``, and each unit costs
    ``holding`` for each period between its lot and its use. Express costs in a small unit, such as cents.
    Ties: the earliest last lot, then the earliest lot before it, and so on.

    A ``str`` names a column.

    Rejects an entry that is NULL, a negative number, a total demand above 2^63 - 1, and a total demand
    for which a single lot would cost more than 2^62 - 1. For such inputs, :func:`try_lot_sizes` returns
    NULL.

    Returns ``STRUCT<cost: BIGINT NOT NULL, lots: ARRAY<BIGINT> NOT NULL>``.

    >>> bf.lot_sizes([20, 50, 10, 50], 100, 1)
    {270, [80, 0, 0, 50]}
    """


try_lot_sizes = try_variant(lot_sizes)


@function
def shortest_tour(distances: ColumnOrName | Matrix) -> Column:
    """Returns the shortest round trip from place 0 through up to 19 other places: its length, and the places
    in order. For each place, ``distances`` contains an array with the distances to all places; distances
    may differ by direction. Ties: the smallest last place, then the smallest place before it, and so on.

    A ``str`` names a column.

    Rejects an entry that is NULL, NaN or infinite; a matrix that is empty or not square; and a length
    beyond the range of DOUBLE. For such inputs, :func:`try_shortest_tour` returns NULL.

    Returns ``STRUCT<length: DOUBLE NOT NULL, tour: ARRAY<INT> NOT NULL>``.

    >>> bf.shortest_tour([[0, 2, 9, 10], [1, 0, 6, 4], [15, 7, 0, 8], [6, 3, 12, 0]])
    {21.0, [0, 2, 3, 1]}
    """


try_shortest_tour = try_variant(shortest_tour)


@function
def join_order(
    cardinalities: ColumnOrName | Numbers,
    edges: ColumnOrName | Edges,
    block_size: Column | int | None = 63,
) -> Column:
    """Returns the cheapest order in which to join up to 63 relations without cross products; the join tree
    may be bushy. ``cardinalities`` contains the number of rows in each relation. An edge contains the
    numbers of two relations, counted from 0, and the selectivity of the predicate between them. ``cost``
    is the sum of the row counts of all joins. The row count of a join is the product of the cardinalities
    of its relations and the selectivities of the edges between them. ``tree`` encloses each join in
    parentheses; the side that contains the lowest-numbered relation comes first. Ties: at each join, the
    first side has the smallest possible sum of ``2^i`` over its relations ``i``. The time depends on the
    number of connected sets of relations, which must not exceed 33,554,432; graphs of up to 25 relations
    never exceed this limit. For larger graphs, set ``block_size``, for example to 12. Iterative dynamic
    programming (IDP2) then starts with a greedy tree, and repeatedly replaces the join of at most
    ``block_size`` subtrees with the cheapest join of these subtrees. The tree is cheap, but not always
    the cheapest.

    A ``str`` names a column.

    Rejects an entry that is NULL, or not a finite number above 0; an edge to an unknown relation or from
    a relation to itself; a selectivity above 1; an empty ``cardinalities``; relations that are not
    connected by edges; a cost beyond the range of DOUBLE; and ``block_size`` below 2. For such inputs,
    :func:`try_join_order` returns NULL.

    Returns ``STRUCT<cost: DOUBLE NOT NULL, tree: STRING NOT NULL>``.

    >>> bf.join_order([1000, 10, 500], [(0, 1, 0.01), (1, 2, 0.5)])
    {25100.0, ((0 1) 2)}
    """


try_join_order = try_variant(join_order)


@function
def s_dp(
    initial: ColumnOrName | Numbers,
    offsets: ColumnOrName | Integers,
    length: ColumnOrName | int,
    operator: Op | Column,
) -> Column:
    """Extends ``initial`` to ``length`` elements by a recurrence. Each new element ``i`` combines the
    elements ``i - offset`` with ``operator``, in the order of the offsets, which must be decreasing.
    ``operator`` is ``min``, ``max``, ``sum``, ``first`` or ``last`` (the element with the first or last
    offset); for BIGINT also ``sum mod M`` (all elements are from 0 to ``M - 1``), ``bit_and``,
    ``bit_or``, ``bit_xor``, ``bool_and`` or ``bool_or``. If ``length`` is less than the size of
    ``initial``, returns only the first ``length`` elements. The example counts the ways to pay each
    amount from 0 to 7 with coins worth 1 and 2, where order matters; the counts are the Fibonacci
    numbers.

    For ``initial``, ``offsets`` and ``length``, a ``str`` names a column; for ``operator``, it is the
    value.

    Rejects an entry that is NULL; ``offsets`` that are empty, not decreasing, not positive or larger than
    the number of entries in ``initial``; an unknown ``operator``; a negative ``length``; an element
    beyond the range of BIGINT; and an entry of ``initial`` other than 0 and 1 with ``bool_and`` or
    ``bool_or``. For such inputs, :func:`try_s_dp` returns NULL.

    Returns ``ARRAY<BIGINT>`` or ``ARRAY<DOUBLE>``.

    >>> bf.s_dp([1, 1], [2, 1], 8, "sum")
    [1, 1, 2, 3, 5, 8, 13, 21]
    """


try_s_dp = try_variant(s_dp)


@function
def s_dp_last(
    initial: ColumnOrName | Numbers,
    offsets: ColumnOrName | Integers,
    length: ColumnOrName | int,
    operator: Op | Column,
) -> Column:
    """Returns the last element of ``s_dp``. The example is the 201st Fibonacci number modulo a prime.

    For ``initial``, ``offsets`` and ``length``, a ``str`` names a column; for ``operator``, it is the
    value.

    Rejects an entry that is NULL; ``offsets`` that are empty, not decreasing, not positive or larger than
    the number of entries in ``initial``; an unknown ``operator``; a ``length`` below 1; an element beyond
    the range of BIGINT; and an entry of ``initial`` other than 0 and 1 with ``bool_and`` or ``bool_or``.
    For such inputs, :func:`try_s_dp_last` returns NULL.

    Returns ``BIGINT`` or ``DOUBLE``.

    >>> bf.s_dp_last([0, 1], [2, 1], 202, "sum mod 1000000007")
    529309711
    """


try_s_dp_last = try_variant(s_dp_last)


@function
def s_dp_weighted(
    initial: ColumnOrName | Numbers,
    offsets: ColumnOrName | Integers,
    weights: ColumnOrName | Numbers,
    length: ColumnOrName | int,
    operator: WeightedOp | Column,
) -> Column:
    """Like ``s_dp``, but adds a weight to each element before combining the elements. ``weights`` contains
    one weight per offset; ``operator`` is ``min`` or ``max``. For coin change, the offsets are the coin
    values, and each weight is 1. ``initial`` consists of large numbers, which represent negative amounts,
    and ends with 0, which represents the amount 0. The example finds the minimum number of coins worth 4,
    3 and 1 that pay each amount from 0 to 6. For the unbounded knapsack, the offsets are item sizes, the
    weights are item values, and ``operator`` is ``max``.

    For ``initial``, ``offsets``, ``weights`` and ``length``, a ``str`` names a column; for ``operator``,
    it is the value.

    Rejects an entry that is NULL; ``offsets`` that are empty, not decreasing, not positive or larger than
    the number of entries in ``initial``; an unknown ``operator``; a negative ``length``; an element
    beyond the range of BIGINT; and ``weights`` that do not have exactly one entry for each offset. For
    such inputs, :func:`try_s_dp_weighted` returns NULL.

    Returns ``ARRAY<BIGINT>`` or ``ARRAY<DOUBLE>``.

    >>> sf.slice(bf.s_dp_weighted([99, 99, 99, 0], [4, 3, 1], [1, 1, 1], 10, "min"), 4, 7)
    [0, 1, 2, 1, 1, 2, 2]
    """


try_s_dp_weighted = try_variant(s_dp_weighted)
