/**
 * Hidden Markov models. All functions take a model of weights that are at least 0, probabilities or not: of the first
 * state, of each transition, and of each state at each step or with each symbol.
 *
 * <p>The bits of an answer are defined: the recurrences fix the operations of DOUBLE and their order, each
 * rounded once, with exponents without limits; {@code log} is fdlibm's.
 */
package dev.bellman.markov;
