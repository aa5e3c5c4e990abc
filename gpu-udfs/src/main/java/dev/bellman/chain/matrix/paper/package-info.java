/**
 * Contains published strategies for matrix chains, by Solomon and Thulasiraman (2010), Wu et al. (2011), Wani and
 * Quadri (2013), and Matsumae and Miyazaki (2018). Wu et al. compare their results with the strategy by Solomon and
 * Thulasiraman. This package also contains the models with which the benchmarks for these papers count steps and
 * threads.
 */
package dev.bellman.chain.matrix.paper;
