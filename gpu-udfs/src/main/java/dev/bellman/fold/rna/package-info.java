/**
 * Foldings of RNA by their energy: loops have energies that were measured, and the structure with the least sum is
 * sought. {@code RnaFold} is the folding; the energies are in {@code energy}.
 */
package dev.bellman.fold.rna;
