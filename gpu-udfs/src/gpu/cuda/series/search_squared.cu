#include "series/stripe.cuh"

SERIES(search_squared, Search<2>)
