#include "series/stripe.cuh"

using Float = Warping<2, float>;

SERIES(squared, Warping<2>)
SERIES_SIZE(squared_float, Float, 1)
