/** Defines the scoring of sequence pairs: substitution matrices, gap costs, and the string that describes both. */
package dev.bellman.align.scoring;
