// The lengths of longest common subsequences and shortest common supersequences.
#include "align/score.cuh"

SCORE_BYTES(lcs_nucleotides, LcsScore, Nucleotides, Nucleotides)
SCORE_BYTES(lcs_ascii, LcsScore, Ascii, AsciiRows)
SCORE_CODE_POINTS(lcs_wide, LcsScore, CodePoints)
SCORE_OTHERS(lcs, LcsScore)
