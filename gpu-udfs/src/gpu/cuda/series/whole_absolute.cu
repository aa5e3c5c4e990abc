#include "series/whole.cuh"

SERIES_WHOLE(absolute, double, 1, 12)
SERIES_WHOLE(absolute_float, float, 1, 16)
