// Computes the Damerau-Levenshtein distance: bit-parallel if a thread can hold the pattern, otherwise cell by cell.
#include "align/distance/transposition_column.cuh"
#include "align/distance/transpositions.cuh"
#include "common/host.cuh"

TRANSPOSITION_BITS(damerau_levenshtein, true)
TRANSPOSITIONS(damerau_levenshtein, true)
