#include "series/soft.cuh"
#include "series/stripe.cuh"

SERIES(soft, Soft)
