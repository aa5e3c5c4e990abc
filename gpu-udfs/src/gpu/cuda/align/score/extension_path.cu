// Computes the alignments of extensions: a warp solves a pair, stores its traceback bits, and walks back along them.
#include "align/score/extension.cuh"
#include "align/score/walk.cuh"
#include "common/host.cuh"

FOR_HOST(EXTENSION_PATH_BLOCK);

// Each warp has memory for its crossings, followed by memory for its traceback bits.
template <bool COMPARES, bool HAS_TWO_PIECES>
__device__ __forceinline__ void extend_paths(const Extensions& its, const Scheme* scheme, const Alignments& to) {
    using Its = Extension<EXTENSION_ROWS, COMPARES, HAS_TWO_PIECES, true>;
    const int32* scores = load_scores(*scheme);
    Crossing* crossings = its.crossings + thread_index() / 32 * its.columns;
    const Scheme shared = *scheme;
    for (ScoredPair pair; its.take(pair);) {
        int32 band = its.band(pair);
        uint32* ways = reinterpret_cast<uint32*>(
                crossings + static_cast<int64>(pair.b_length) * Its::CROSSINGS);
        Its extension(shared, scores, pair, band, its.drop(pair), crossings, ways);
        extension.solve();
        walk(pair, shared, extension.end, to,
                NearWays<EXTENSION_ROWS, HAS_TWO_PIECES>(ways, 0, extension_steps(pair.b_length, band), band));
    }
}

#define EXTEND_PATH(NAME, COMPARES, HAS_TWO_PIECES)                                                \
    extern "C" __global__ void __launch_bounds__(EXTENSION_PATH_BLOCK) align_path_extend_##NAME(   \
            Extensions extensions, const Scheme* scheme, Alignments to) {                          \
        extend_paths<COMPARES, HAS_TWO_PIECES>(extensions, scheme, to);                            \
    }

EXTEND_PATH(compared, true, false)
EXTEND_PATH(looked_up, false, false)
EXTEND_PATH(compared_two_pieces, true, true)
EXTEND_PATH(looked_up_two_pieces, false, true)
