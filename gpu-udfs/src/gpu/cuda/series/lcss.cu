#include "series/stripe.cuh"

SERIES(lcss, Lcss)
