#include "series/stripe.cuh"

SERIES(erp, Erp)
