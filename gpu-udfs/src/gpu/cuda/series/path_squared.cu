#include "series/path.cuh"
#include "series/stripe.cuh"

SERIES(path_squared, Path<2>)
