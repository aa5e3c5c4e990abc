/**
 * Hidden Markov models. All functions take a model of non-negative weights, which need not be probabilities: of the
 * first state, of each transition, and of each state at each step or with each symbol.
 *
 * <p>Answers are bit-for-bit reproducible: the recurrences define the operations of DOUBLE and their order, each
 * rounded once, with unlimited exponents; {@code log} is fdlibm's.
 */
package dev.bellman.markov;
