/**
 * Contains published strategies for matrix chains: by Solomon and Thulasiraman (2010); by Wu et al. (2011), who
 * compare their results with the first strategy; by Wani and Quadri (2013); and by Matsumae and Miyazaki (2018). This
 * package also contains the models with which the benchmarks for these papers count steps and threads.
 */
package dev.bellman.chain.matrix.paper;
