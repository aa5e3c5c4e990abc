#include "series/stripe.cuh"

SERIES(frechet, Frechet)
