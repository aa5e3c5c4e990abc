#include "series/whole.cuh"

SERIES_WHOLE(squared, double, 2)
SERIES_WHOLE(squared_float, float, 2)
