// The lengths of longest common subsequences and shortest common supersequences.
#include "align/score.cuh"

SCORE_BYTES(lcs_nucleotides, LcsScore, Nucleotides, AsciiTexts, AsciiRows)
SCORE_BYTES(lcs_ascii, LcsScore, Ascii, AsciiTexts, AsciiRows)
SCORE_CODE_POINTS(lcs_wide, LcsScore, CodePoints)
SCORE_OTHERS(lcs, LcsScore)
