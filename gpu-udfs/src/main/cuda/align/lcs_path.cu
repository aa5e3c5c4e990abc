// Longest common subsequences and shortest common supersequences.
#include "align/path.cuh"

PATH_BYTES(lcs_nucleotides, SequenceWriter, Nucleotides, AsciiTexts)
PATH_BYTES(lcs_ascii, SequenceWriter, Ascii, AsciiTexts)
PATH_TILED(lcs_wide, SequenceWriter, CodePointTexts, 1)
PATH_EMPTY(lcs, SequenceWriter)
