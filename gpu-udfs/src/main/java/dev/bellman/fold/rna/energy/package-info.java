/**
 * Defines the loop energies of RNA. {@code EnergyTables} contains the numbers, which come from {@code Turner2004} or
 * from a file; {@code LoopEnergies} is the energy model; and {@code LoopWeights} is the same model with Boltzmann
 * weights.
 */
package dev.bellman.fold.rna.energy;
