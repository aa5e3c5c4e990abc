// The Damerau-Levenshtein distance.
#include "align/distance/transpositions.cuh"
#include "common/host.cuh"

TRANSPOSITIONS(damerau_levenshtein, true)
