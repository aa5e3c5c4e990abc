/**
 * Foldings of RNA by their energy: loops have energies that were measured, and the structure with the least sum is
 * sought. {@code RnaFold} is the folding, {@code LoopEnergies} the model, {@code EnergyTables} its numbers.
 */
package dev.bellman.fold.rna;
