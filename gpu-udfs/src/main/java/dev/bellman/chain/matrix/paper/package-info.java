/**
 * Published strategies for matrix chains: S. Solomon and P. Thulasiraman (2010); C.-C. Wu and others (2011), who
 * compare with them; M. A. Wani and S. M. K. Quadri (2013); S. Matsumae and M. Miyazaki (2018). Also the models with
 * which their benchmarks count.
 */
package dev.bellman.chain.matrix.paper;
