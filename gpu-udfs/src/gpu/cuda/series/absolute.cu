#include "series/stripe.cuh"

SERIES(absolute, Warping<1>)
