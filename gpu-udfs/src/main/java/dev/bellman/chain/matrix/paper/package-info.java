/**
 * Contains published strategies for matrix chains: Solomon and Thulasiraman (2010); Wu and others (2011), who compare
 * their results with it; Wani and Quadri (2013); Matsumae and Miyazaki (2018). This package also contains the models
 * that the papers' benchmarks use for counting.
 */
package dev.bellman.chain.matrix.paper;
