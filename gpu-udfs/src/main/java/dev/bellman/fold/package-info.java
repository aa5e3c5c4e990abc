/**
 * Folds chains. {@code AccordionFold} folds a protein into strands that lie side by side, and {@code BasePairs}
 * maximizes the number of base pairs in an RNA.
 */
package dev.bellman.fold;
