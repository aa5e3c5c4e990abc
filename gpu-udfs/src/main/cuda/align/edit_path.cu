// The CIGARs of canonical alignments under Levenshtein's distance.
#include "align/path.cuh"

PATH_BYTES(edit_distance_nucleotides, CigarWriter, Nucleotides, AsciiTexts)
PATH_BYTES(edit_distance_ascii, CigarWriter, Ascii, AsciiTexts)
PATH_TILED(edit_distance_wide, CigarWriter, CodePointTexts, 1)
PATH_EMPTY(edit_distance, CigarWriter)
