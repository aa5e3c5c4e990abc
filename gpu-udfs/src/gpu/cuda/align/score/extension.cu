// Computes the scores of extensions.
#include "align/score/extension.cuh"
#include "common/host.cuh"

FOR_HOST(EXTENSION_BLOCK);
STRUCT_FOR_HOST(Extensions);
MEMBER_FOR_HOST(Extensions, pairs);
MEMBER_FOR_HOST(Extensions, count);
MEMBER_FOR_HOST(Extensions, bands);
MEMBER_FOR_HOST(Extensions, drops);
MEMBER_FOR_HOST(Extensions, crossings);
MEMBER_FOR_HOST(Extensions, columns);
MEMBER_FOR_HOST(Extensions, ticket);
MEMBER_FOR_HOST(Extensions, results);

#define EXTEND(NAME, COMPARES, HAS_TWO_PIECES)                                               \
    extern "C" __global__ void __launch_bounds__(EXTENSION_BLOCK) align_extend_##NAME(       \
            Extensions extensions, const Scheme* scheme) {                                   \
        extend_pairs<EXTENSION_ROWS, COMPARES, HAS_TWO_PIECES>(extensions, scheme);          \
    }

EXTEND(compared, true, false)
EXTEND(looked_up, false, false)
EXTEND(compared_two_pieces, true, true)
EXTEND(looked_up_two_pieces, false, true)
