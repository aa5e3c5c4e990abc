#include "series/stripe.cuh"

SERIES(edr, Edr)
