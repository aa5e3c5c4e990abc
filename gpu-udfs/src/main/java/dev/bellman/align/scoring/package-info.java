/** How pairs of sequences are scored: substitution matrices, the costs of gaps, and the text that names both. */
package dev.bellman.align.scoring;
