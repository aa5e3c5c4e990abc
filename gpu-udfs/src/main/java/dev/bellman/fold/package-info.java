/** Foldings of chains. {@code AccordionFold} is the folding into strands side by side. */
package dev.bellman.fold;
