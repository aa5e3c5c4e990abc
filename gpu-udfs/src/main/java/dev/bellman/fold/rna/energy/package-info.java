/**
 * The energies of the loops of an RNA: {@code EnergyTables} has the numbers, from {@code Turner2004} or a file,
 * {@code LoopEnergies} the model, and {@code LoopWeights} the model as Boltzmann weights.
 */
package dev.bellman.fold.rna.energy;
