// Computes the Damerau-Levenshtein distance: bit-parallel if the pattern fits in one thread's registers, otherwise cell
// by cell.
#include "align/distance/transposition_column.cuh"
#include "align/distance/transpositions.cuh"
#include "common/host.cuh"

TRANSPOSITION_BITS(damerau_levenshtein, true)
TRANSPOSITIONS(damerau_levenshtein, true)
