/**
 * Folds chains. {@code AccordionFold} folds a protein into strands side by side, and {@code BasePairs} maximizes the
 * number of base pairs of an RNA.
 */
package dev.bellman.fold;
