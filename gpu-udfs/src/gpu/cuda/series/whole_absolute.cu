#include "series/whole.cuh"

SERIES_WHOLE(absolute, double, 1)
SERIES_WHOLE(absolute_float, float, 1)
