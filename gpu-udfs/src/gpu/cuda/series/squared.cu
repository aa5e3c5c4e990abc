#include "series/stripe.cuh"

SERIES(squared, Warping<2>)
