/**
 * Folds RNA by energy: loops have measured energies, and the result is the structure whose loop energies have the
 * smallest sum. {@code RnaFold} computes foldings; the package {@code energy} contains the energies.
 */
package dev.bellman.fold.rna;
