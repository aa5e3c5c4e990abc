/** Foldings of chains. {@code AccordionFold} folds a chain into strands side by side. */
package dev.bellman.fold;
