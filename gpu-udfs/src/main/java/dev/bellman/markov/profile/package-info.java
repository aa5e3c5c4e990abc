/**
 * Computes the scores of sequences under HMMER3 profiles. {@code docs/profiles.md} defines the DOUBLE operations and
 * their order.
 */
package dev.bellman.markov.profile;
