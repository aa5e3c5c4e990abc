/**
 * Scores of sequences under HMMER3 profiles. The DOUBLE operations and their order are part of the definition in
 * {@code docs/profiles.md}.
 */
package dev.bellman.markov.profile;
