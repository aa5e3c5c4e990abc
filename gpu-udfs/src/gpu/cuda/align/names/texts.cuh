// Columns of texts as arguments of a kernel.
#pragma once

#include "common/columns.cuh"

struct Texts {
    const int32* offsets;
    const uint8* bytes;
};
