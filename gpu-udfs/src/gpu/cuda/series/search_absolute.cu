#include "series/stripe.cuh"

SERIES(search_absolute, Search<1>)
