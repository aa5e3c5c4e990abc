// Computes the lengths of longest common subsequences and shortest common supersequences.
#include "align/bits/score.cuh"

SCORE_BYTES(lcs_nucleotides, LcsScore, Nucleotides, SharedNucleotideRows)
SCORE_MANY(lcs_nucleotides, LcsScore, NucleotideRows, SharedNucleotideRows)
SCORE_BYTES(lcs_ascii, LcsScore, Ascii, Ascii)
SCORE_STRIPES(lcs_ascii, LcsScore)
SCORE_CHARACTERS(lcs_wide, LcsScore, CodePoints, CodePointTexts)
SCORE_CHARACTERS(lcs_malformed, LcsScore, AnyCharacters, AnyCharacterTexts)
SCORE_OTHERS(lcs, LcsScore)
