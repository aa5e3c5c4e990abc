#include "series/path.cuh"
#include "series/stripe.cuh"

SERIES(path_absolute, Path<1>)
