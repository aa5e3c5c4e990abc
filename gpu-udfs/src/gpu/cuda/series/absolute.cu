#include "series/stripe.cuh"

using Float = Warping<1, float>;

SERIES(absolute, Warping<1>)
SERIES_SIZE(absolute_float, Float, 1)
