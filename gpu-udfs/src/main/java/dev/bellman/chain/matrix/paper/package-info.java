/**
 * Contains published strategies for matrix chains: S. Solomon and P. Thulasiraman (2010); C.-C. Wu and others (2011),
 * who compare their results with it; M. A. Wani and S. M. K. Quadri (2013); S. Matsumae and M. Miyazaki (2018). This
 * package also has the models that their benchmarks use for counting.
 */
package dev.bellman.chain.matrix.paper;
