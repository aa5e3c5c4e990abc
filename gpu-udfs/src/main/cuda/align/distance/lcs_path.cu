// Longest common subsequences and shortest common supersequences.
#include "align/distance/bits/path.cuh"

PATH_BYTES(lcs_nucleotides, SequenceWriter, Nucleotides)
PATH_BYTES(lcs_ascii, SequenceWriter, Ascii)
PATH_TILED(lcs_ascii, SequenceWriter, AsciiTexts, 0)
PATH_TILED(lcs_wide, SequenceWriter, CodePointTexts, 1)
PATH_TILED(lcs_malformed, SequenceWriter, AnyCharacterTexts, 1)
PATH_EMPTY(lcs, SequenceWriter)
