/**
 * Scores of sequences by the profiles of HMMER3. The operations of DOUBLE and their order are part of the definition,
 * in {@code docs/profiles.md}.
 */
package dev.bellman.markov.profile;
