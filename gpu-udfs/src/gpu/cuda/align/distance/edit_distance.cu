// Computes Levenshtein's edit distance.
#include "align/bits/score.cuh"

SCORE_BYTES(edit_distance_nucleotides, EditScore, NucleotideRows, SharedNucleotideRows)
SCORE_MANY(edit_distance_nucleotides, EditScore, NucleotideRows, SharedNucleotideRows)
SCORE_BYTES(edit_distance_ascii, EditScore, Ascii, Ascii)
SCORE_STRIPES(edit_distance_ascii, EditScore)
SCORE_CHARACTERS(edit_distance_wide, EditScore, CodePoints, CodePointTexts)
SCORE_CHARACTERS(edit_distance_malformed, EditScore, AnyCharacters, AnyCharacterTexts)
SCORE_OTHERS(edit_distance, EditScore)
