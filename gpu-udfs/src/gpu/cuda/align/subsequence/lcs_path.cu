// Computes longest common subsequences and shortest common supersequences.
#include "align/bits/path.cuh"
#include "common/host.cuh"

FOR_HOST(TILE_LANES);
FOR_HOST(TILE_ROWS);
FOR_HOST(TILE_BLOCKS);
FOR_HOST(TILE_COLUMNS);
FOR_HOST(CHECKPOINT_COLUMNS);
FOR_HOST(CHECKPOINT_COLUMNS_OF_LONG);

// The shared memory for a window, in bytes.
template <int HIGH, int WIDE>
constexpr int32 WINDOW_BYTES =
        (2 * Window<HIGH, WIDE>::STEP + Window<HIGH, WIDE>::WORDS * Window<HIGH, WIDE>::STRIDE) * sizeof(uint2);
constexpr int32 SMALL_WINDOW_BYTES = WINDOW_BYTES<2, 2>;
constexpr int32 LARGE_WINDOW_BYTES = WINDOW_BYTES<4, 6>;
FOR_HOST(SMALL_WINDOW_BYTES);
FOR_HOST(LARGE_WINDOW_BYTES);

PATH_BYTES(lcs_nucleotides, SequenceWriter, Nucleotides)
PATH_BYTES(lcs_ascii, SequenceWriter, Ascii)
PATH_TILED(lcs_ascii, SequenceWriter, AsciiTexts, 0)
PATH_TILED(lcs_wide, SequenceWriter, CodePointTexts, 1)
PATH_TILED(lcs_malformed, SequenceWriter, AnyCharacterTexts, 1)
PATH_EMPTY(lcs, SequenceWriter)
