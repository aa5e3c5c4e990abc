/**
 * RNA folding by energy: loops have measured energies, and the result is the structure with the smallest sum. The
 * folding is in {@code RnaFold}, the energies are in {@code energy}.
 */
package dev.bellman.fold.rna;
