/**
 * Foldings of RNA by energy: loops have measured energies, and the result is the structure with the smallest sum.
 * {@code RnaFold} is the folding; the energies are in {@code energy}.
 */
package dev.bellman.fold.rna;
