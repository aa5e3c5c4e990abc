/** Computes the expected counts of several sequences at once, with a lane of vector instructions for each sequence. */
package dev.bellman.markov.lanes;
