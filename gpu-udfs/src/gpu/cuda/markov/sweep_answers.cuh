// The results of forward and posterior.
#pragma once

#include "common/columns.cuh"
#include "common/host.cuh"

struct SweepAnswers {
    const int32* offsets;  // the offset of each row's first number; null if there is one number per row
    double* numbers;
};

STRUCT_FOR_HOST(SweepAnswers);
MEMBER_FOR_HOST(SweepAnswers, offsets);
MEMBER_FOR_HOST(SweepAnswers, numbers);

// Probabilities below this value are replaced by 0.
constexpr double LEAST_PROBABILITY = 1e-300;
