// Computes the CIGARs of canonical alignments under Levenshtein's distance.
#include "align/bits/path.cuh"

PATH_BYTES(edit_distance_nucleotides, CigarWriter, Nucleotides)
PATH_BYTES(edit_distance_ascii, CigarWriter, Ascii)
PATH_TILED(edit_distance_ascii, CigarWriter, AsciiTexts, 0)
PATH_TILED(edit_distance_wide, CigarWriter, CodePointTexts, 1)
PATH_TILED(edit_distance_malformed, CigarWriter, AnyCharacterTexts, 1)
PATH_EMPTY(edit_distance, CigarWriter)
