// Computes the optimal string alignment distance: bit-parallel if the pattern fits in one thread's registers, otherwise
// cell by cell.
#include "align/distance/transposition_column.cuh"
#include "align/distance/transpositions.cuh"
#include "common/host.cuh"

TRANSPOSITION_BITS(osa_distance, false)
TRANSPOSITIONS(osa_distance, false)
