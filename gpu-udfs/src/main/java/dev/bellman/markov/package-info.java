/**
 * Contains the functions on hidden Markov models, on the frames of a recording and on sequenced reads. The functions on
 * hidden Markov models take a model of non-negative weights, which need not be probabilities: a weight for each initial
 * state, for each transition, and for each state at each step or with each symbol.
 *
 * <p>Results are bit-for-bit reproducible. The recurrences define the DOUBLE operations and their order, and each
 * operation is rounded once, with unlimited exponents. {@code log} is fdlibm's function.
 */
package dev.bellman.markov;
